/**
 * Promise 11: bursts of random orders, and clients of every topic that compare each message with what the exchange
 * published. After every message of a book, the client's complete copy is compared with the book.
 */

import assert from 'node:assert/strict';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { TOPIC_NAMES, type TopicName } from '../../src/feed/topics/topics.ts';
import { Client, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import type { Check } from './feed-check/check.ts';
import { type Between, CheckedConnection } from './feed-check/connection.ts';
import { Flow, GROUNDS } from './feed-check/flow.ts';
import { Level2Check } from './feed-check/level2-check.ts';
import { Level3Check } from './feed-check/level3-check.ts';
import { marketChecks, matchCheck } from './feed-check/market-checks.ts';
import { Truth } from './feed-check/truth.ts';
import { userChecks } from './feed-check/user-checks.ts';

/** The maximum number of steps that a client may lag before the flow waits for it. */
const LAG_MAX = 100;
/** A client that has not received everything by then never will. */
const PATIENCE_MS = 60_000;
/** The clients are checked after every this many bursts. */
const BURSTS_PER_LOOK = 8;
/** After this many event loop iterations, pause instead of spinning, so that others can run. */
const TURNS_MAX = 100;
const WATCHED = 'carol';
/** Connections that keep copies of all books. */
const BOOK_READERS = 4;
const TUNNEL = 'bt1';
/** The flow trades continuously; public-topics.test.ts has the messages of auctions. */
const UNCHECKED: TopicName = '/market/auction';

const ROOMY = {
  feedConnectsPerUserMax: 1000,
  feedConnectsPerAddressMax: 10_000,
  feedMessagesMax: 1e6,
  feedBufferedBytesMax: 256 << 20,
  // The clients of this check only listen.
  feedIdleMsMax: 24 * 3_600_000,
};

/** Older rows are not needed, and would fill the memory in a long run. */
const KEPT_SHORTLY = { retentionMs: 60_000, snapshotRecords: 1000 };

export interface FeedCheck {
  /** Messages of books after which the complete copy equalled the book. */
  readonly compared: number;
  /** All messages, by topic. */
  readonly counts: ReadonlyMap<TopicName, number>;
  readonly messages: number;
  readonly resyncs: number;
  readonly commands: number;
}

export interface FeedCheckRun {
  readonly seed: number;
  /** Messages of books. */
  readonly messages: number;
  /** A filter between the feed and its clients that injects faults. */
  readonly between?: Between;
  readonly patienceMs?: number;
}

/** Throws at the first wrong, missing or extra message, and if a topic has published nothing. */
export async function checkFeed(run: FeedCheckRun): Promise<FeedCheck> {
  const huge = 1e9;
  const server = await startServer({
    quotas: { spot: huge, manage: huge, public: huge },
    feed: ROOMY,
    followerLimits: KEPT_SHORTLY,
  });
  try {
    return await follow(server, run);
  } finally {
    await server.close();
  }
}

async function follow(
  server: TestServer,
  { seed, messages, between, patienceMs = PATIENCE_MS }: FeedCheckRun,
): Promise<FeedCheck> {
  const { services } = server;
  const users = ['alice', 'bob', WATCHED].map(
    (name) => services.catalogue.users().find((user) => user.name === name)!.number,
  );
  const truth = await Truth.follow(
    services,
    GROUNDS.map(({ code }) => code),
    users[users.length - 1],
  );
  const http = new Client(server.url, 'alice');
  let failure: unknown;
  const onFailure = (error: unknown) => (failure ??= error);
  const books = () => truth.markets.map((market) => new Level2Check(market, http, onFailure));
  const copies = Array.from({ length: BOOK_READERS }, books);
  const [first, tunnelled, ...others] = copies;
  const orders = truth.markets.map((market) => new Level3Check(market, http, onFailure));
  const plans: readonly { checks: readonly Check[]; who?: string; tunnel?: string }[] = [
    { checks: [...first, ...orders, ...truth.markets.flatMap(marketChecks)] },
    { checks: [...tunnelled, ...truth.markets.map(matchCheck)], tunnel: TUNNEL },
    ...others.map((checks) => ({ checks })),
    { checks: userChecks(truth.user, services.catalogue), who: WATCHED },
  ];
  const connections: CheckedConnection[] = [];
  for (const { checks, ...how } of plans)
    connections.push(await CheckedConnection.open(server, checks, { ...how, between }));
  const all = plans.flatMap(({ checks }) => checks);
  const compared = () => copies.flat().reduce((sum, each) => sum + each.compared, 0);
  const look = () => {
    failure ??= connections.find((each) => each.failure !== undefined)?.failure;
    if (failure !== undefined) throw failure;
  };
  const flow = new Flow(services, seed, users);
  while (compared() < messages) {
    for (let i = 0; i < BURSTS_PER_LOOK; i++) await flow.burst();
    await wait(all, ({ behind }) => behind <= LAG_MAX, patienceMs, look);
    await services.historyCaughtUp();
  }
  await wait(all, ({ isComplete }) => isComplete, patienceMs, look);
  const counts = countsOf(connections);
  return {
    compared: compared(),
    counts,
    messages: [...counts.values()].reduce((sum, count) => sum + count, 0),
    resyncs: copies.flat().reduce((sum, each) => sum + each.resyncs, 0),
    commands: flow.commands,
  };
}

/** Waits until all clients have received every message that is due. */
async function wait(
  checks: readonly Check[],
  isEnough: (check: Check) => boolean,
  patienceMs: number,
  look: () => void,
): Promise<void> {
  const end = Date.now() + patienceMs;
  for (let turns = 0; ; turns++) {
    look();
    const late = checks.filter((check) => !isEnough(check));
    if (late.length === 0) return;
    if (Date.now() > end) throw new Error(`waited in vain for ${late.map(({ topic }) => topic).join(', ')}`);
    await (turns < TURNS_MAX ? turn() : pause(2));
  }
}

function countsOf(connections: readonly CheckedConnection[]): Map<TopicName, number> {
  const counts = new Map<TopicName, number>();
  for (const name of TOPIC_NAMES) {
    if (name === UNCHECKED) continue;
    const count = connections.reduce((sum, each) => sum + (each.counts.get(name) ?? 0), 0);
    assert.ok(count > 0, `${name} has said nothing`);
    counts.set(name, count);
  }
  return counts;
}
