/**
 * npm run bench:http [-- --json] [-- --turns N] [-- --orders N] [-- --users N] [-- --connections N] [-- --sandbox]
 *
 * Signed, durable orders against a bare node:http server that reads the same bodies and sends the same bytes, in
 * alternation; latency of both at half of that load, over all requests and over those due while the
 * CPU was not throttled (see cpu.ts); the cost of an order on each thread, compared to the bare
 * server's, and its allocations; a sync of the disk alone; latency at the load of an ordinary day; batches, reads and memory.
 * The exchange is a venue unless a sandbox is asked for.
 */

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Child } from '../feed/messages.ts';
import { runLoad, type Server, startServer } from './child.ts';
import type { Result } from './load.ts';
import { type Kind, ORDERS_PER_MULTI, USERS_DEFAULT } from './requests.ts';

// The load of an ordinary day: some orders, more reads, and feed readers; measures order latency.

const ORDERS_PER_SECOND = 500;
const READS_PER_SECOND = 2000;
const FEED_READERS = 100;
/** Orders are signed in advance, and a signature is valid for eight seconds. */
const SECONDS = 7;
/** Start-up time of both loads, whose processes need the CPUs until then. */
const RUN_IN_MS = 1500;
const CONNECTIONS = 16;

const EVERYDAY = `${ORDERS_PER_SECOND} orders/s, ${READS_PER_SECOND} reads/s, ${FEED_READERS} feed readers`;

async function measureEveryday(server: Server, users: number): Promise<Result> {
  const url = `http://127.0.0.1:${server.port}`;
  const readers = new Child(new URL('../feed/readers.ts', import.meta.url));
  await readers.next('ready');
  await readers.ask({
    kind: 'open',
    url: `${url}/feed?token=${await feedToken(url)}`,
    readers: FEED_READERS,
  });
  const load = (kind: 'place' | 'ticker', rate: number) =>
    runLoad({
      port: server.port,
      kind,
      connections: CONNECTIONS,
      requests: rate * SECONDS,
      rate,
      runInMs: RUN_IN_MS,
      users,
    });
  const [orders] = await Promise.all([load('place', ORDERS_PER_SECOND), load('ticker', READS_PER_SECOND)]);
  await readers.end();
  return orders;
}

async function feedToken(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/bullet-public`, { method: 'POST' });
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}

// Sync latency of the disk alone, a lower bound for the latency of a durable order.

const SYNCS = 1000;
/** Approximate log bytes of the orders of one sync. */
const BYTES = 4096;
const PAUSE_MS = 2;

/** Alternates writes and syncs on a new file. */
async function measureSyncs(path: string): Promise<{ readonly p50Ms: number; readonly p99Ms: number }> {
  const file = openSync(path, 'wx');
  const bytes = Buffer.alloc(BYTES, 1);
  const times: number[] = [];
  for (let i = 0; i < SYNCS; i++) {
    const begun = performance.now();
    writeSync(file, bytes);
    fdatasyncSync(file);
    times.push(performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  closeSync(file);
  times.sort((a, b) => a - b);
  return { p50Ms: times[SYNCS / 2], p99Ms: times[SYNCS * 0.99] };
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '7' },
    orders: { type: 'string', default: '1000000' },
    users: { type: 'string', default: String(USERS_DEFAULT) },
    connections: { type: 'string', default: '64' },
    sandbox: { type: 'boolean', default: false },
  },
});
const turns = Number(values.turns);
const ordersWanted = Number(values.orders);
/** A sandbox has its own three. */
const users = values.sandbox ? 0 : Number(values.users);

const connections = Number(values.connections);
/** Small enough that a slow machine finishes before the signatures expire. */
const REQUESTS = 24_000;
const BATCHES = 4000;
const WARM_UPS = 8;
/** Rounds in which a larger share was set aside are discarded. */
const SET_ASIDE_MAX = 0.5;
const BAR = 0.65;
const LATENCY_BAR = 6;
const MAIN_US_BAR = 30;
const FOLLOWER_US_BAR = 15;
const ALLOCATED_BAR = 9000;
/** Thread names as the system reports them. */
const MAIN = 'MainThread';
const FOLLOWER = 'follower';

const show = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`);
const percent = (share: number): string => `${Math.round(100 * share)} %`;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

const load = (server: Server, kind: Kind, requests: number, rate = 0) =>
  runLoad({ port: server.port, kind, connections, requests, rate, users });

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1];
const mean = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length;

/** Warm-up, until the hot code of both is optimised; the first loads run at half the speed. */
async function warmUp(server: Server): Promise<string> {
  let answer = '';
  for (let i = 0; i < WARM_UPS; i++) ({ answer } = await load(server, 'place', REQUESTS));
  return answer;
}

/** CPU time of one order on the server; the bare server has no follower. */
async function costOf(server: Server) {
  let placed = 0;
  const { threadsUs, allocatedBytes } = await server.cost(async () => {
    placed = (await load(server, 'place', REQUESTS)).requests;
  });
  return {
    mainUs: (threadsUs[MAIN] ?? 0) / placed,
    followerUs: (threadsUs[FOLLOWER] ?? 0) / placed,
    allocatedBytes: allocatedBytes / placed,
  };
}

interface Turn {
  readonly ours: Result;
  readonly theirs: Result;
}

async function takeTurns(exchange: Server, bare: Server, requests: number, rate: number): Promise<Turn[]> {
  const taken: Turn[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const ours = await load(exchange, 'place', requests, rate);
    taken.push({ ours, theirs: await load(bare, 'place', requests, rate) });
  }
  return taken;
}

function compare(taken: readonly Turn[], figure: (result: Result) => number) {
  const ratios = taken.map(({ ours, theirs }) => figure(ours) / figure(theirs));
  return {
    ours: median(taken.map(({ ours }) => figure(ours))),
    theirs: median(taken.map(({ theirs }) => figure(theirs))),
    ratio: median(ratios),
    ratios,
  };
}

async function compareSpeed(exchange: Server, bare: Server) {
  const taken = await takeTurns(exchange, bare, REQUESTS, 0);
  const speed = compare(taken, (result) => result.perSecond);
  const cost = compare(taken, (result) => result.cpuUsPerRequest);
  return {
    perSecond: speed.ours,
    bare: speed.theirs,
    ratio: speed.ratio,
    ratios: speed.ratios,
    cpuUsPerRequest: cost.ours,
    bareCpuUsPerRequest: cost.theirs,
  };
}

async function compareLatency(exchange: Server, bare: Server, rate: number) {
  const taken = await takeTurns(exchange, bare, Math.min(REQUESTS, Math.ceil(rate * 4)), rate);
  const compareP99 = (among: readonly Turn[], figure: (result: Result) => number) => {
    const { ours, theirs, ratio, ratios } = compare(among, figure);
    return { p99Ms: ours, bareP99Ms: theirs, ratio, ratios };
  };
  const steadyTurns = taken.filter(
    ({ ours, theirs }) => Math.max(ours.setAside, theirs.setAside) <= SET_ASIDE_MAX,
  );
  return {
    rate,
    ...compareP99(taken, (result) => result.p99Ms),
    /** Null if every round was throttled too much. */
    steady: steadyTurns.length === 0 ? null : compareP99(steadyTurns, (result) => result.steadyP99Ms),
    setAside: mean(taken.map(({ ours }) => ours.setAside)),
    bareSetAside: mean(taken.map(({ theirs }) => theirs.setAside)),
  };
}

const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
const mode = values.sandbox ? 'sandbox' : 'venue';
const exchange = await startServer(
  new URL('./exchange.ts', import.meta.url),
  join(dir, 'data'),
  mode,
  String(users),
);
try {
  const answer = await warmUp(exchange);
  const bare = await startServer(new URL('./bare.ts', import.meta.url), answer);
  await warmUp(bare);

  const place = await compareSpeed(exchange, bare);
  const each = place.ratios.map((one) => one.toFixed(2)).join(' ');
  show('users', users === 0 ? 'those of the sandbox' : whole(users));
  show('single orders, signed, durable', `${whole(place.perSecond)}/s, bare ${whole(place.bare)}/s`);
  show('ratio', `${place.ratio.toFixed(2)} (${each}); bar ${BAR}`);
  const bareUs = place.bareCpuUsPerRequest.toFixed(1);
  show(
    'the load itself, a request',
    `${place.cpuUsPerRequest.toFixed(1)} µs of processor, bare ${bareUs} µs`,
  );

  const exchangeCost = await costOf(exchange);
  const cost = {
    mainUs: exchangeCost.mainUs,
    bareMainUs: (await costOf(bare)).mainUs,
    followerUs: exchangeCost.followerUs,
    allocatedBytes: exchangeCost.allocatedBytes,
  };
  show(
    'an order costs',
    `main thread ${cost.mainUs.toFixed(1)} µs (bar ${MAIN_US_BAR}), follower ${cost.followerUs.toFixed(1)} µs (bar ${FOLLOWER_US_BAR})`,
  );
  show(
    '  of the main thread',
    `${(cost.mainUs - cost.bareMainUs).toFixed(1)} µs more than the bare server's ${cost.bareMainUs.toFixed(1)} µs`,
  );
  show('  and allocates', `${whole(cost.allocatedBytes)} bytes; bar ${whole(ALLOCATED_BAR)}`);

  const latency = await compareLatency(exchange, bare, place.perSecond / 2);
  const bareMs = latency.bareP99Ms.toFixed(2);
  show(`p99 at ${whole(latency.rate)}/s`, `${latency.p99Ms.toFixed(2)} ms, bare ${bareMs} ms`);
  show('ratio', `${latency.ratio.toFixed(2)}; bar ${LATENCY_BAR}`);
  const { steady } = latency;
  show(
    '  while the processor was steady',
    steady === null
      ? 'it never was'
      : `${steady.p99Ms.toFixed(2)} ms, bare ${steady.bareP99Ms.toFixed(2)} ms; ratio ${steady.ratio.toFixed(2)}`,
  );
  show(
    '  requests set aside for that',
    `${percent(latency.setAside)}, bare ${percent(latency.bareSetAside)}`,
  );
  await bare.stop();
  const sync = await measureSyncs(join(dir, 'syncs'));
  show('  a sync of the disk alone', `p50 ${sync.p50Ms.toFixed(2)} ms, p99 ${sync.p99Ms.toFixed(2)} ms`);

  const everyday = await measureEveryday(exchange, users);
  show('an ordinary day', EVERYDAY);
  show(
    '  an order takes',
    `p50 ${everyday.p50Ms.toFixed(2)} ms, p99 ${everyday.p99Ms.toFixed(2)} ms, p99.9 ${everyday.p999Ms.toFixed(2)} ms`,
  );
  show(
    '  while the processor was steady',
    everyday.setAside < 1
      ? `p99 ${everyday.steadyP99Ms.toFixed(2)} ms; ${percent(everyday.setAside)} set aside`
      : 'it never was',
  );

  const reads: Record<string, number> = {};
  for (const kind of ['order', 'ticker', 'symbols'] as const) {
    reads[kind] = (await load(exchange, kind, kind === 'symbols' ? BATCHES : REQUESTS)).perSecond;
    show(`reads: ${kind}`, `${whole(reads[kind])}/s`);
  }

  const batches: number[] = [];
  let orders = (2 * turns + 1) * REQUESTS;
  do {
    batches.push((await load(exchange, 'multi', BATCHES)).perSecond * ORDERS_PER_MULTI);
    orders += BATCHES * ORDERS_PER_MULTI;
  } while (orders < ordersWanted);
  const ordersPerSecond = median(batches);
  show(`batches of ${ORDERS_PER_MULTI}, sync`, `${whole(ordersPerSecond)} orders/s`);
  const memoryBytes = await exchange.memory();
  show(`memory after ${whole(orders)} orders`, `${(memoryBytes / 2 ** 20).toFixed(0)} MiB`);

  if (values.json) {
    console.log(
      JSON.stringify({
        users,
        ratio: place.ratio,
        place,
        cost,
        latency,
        sync,
        everyday,
        reads,
        ordersPerSecond,
        orders,
        memoryBytes,
      }),
    );
  }
} finally {
  await exchange.stop();
  rmSync(dir, { recursive: true, force: true });
}
