/**
 * npm run sim -- fuzz [--inputs N] [--seed N]: promise 13 with any number of inputs, 200,000 per server.
 *
 * npm run sim -- fuzz --connections N [--seed N] [--plant loop|crash|operator-loop] [--venue]: the same for bytes on
 * connections, 50,000 per exchange, which is a separate process; `--plant` breaks it on purpose, to show that this is
 * detected. With `--venue` it has a listener for operators, which gets every second connection.
 *
 * Promise 13: invalid input gets a 4xx, never a 5xx, never crashes anything, and never changes the state. Each lane
 * draws from its own generator, so a seed gives the same inputs in the same order on every machine.
 */

import { parseArgs } from 'node:util';
import { Random } from '@bourse/test-kit/random.ts';
import { startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { Sender, signRequest } from '@bourse/test-kit/wire/requests.ts';
import { DIALECTS } from '../../packages/api/src/gateway/route.ts';
import { KEYS } from '../../packages/sandbox/src/users.ts';
import { KEPT_INPUTS, rawInput, type SignedInput, signedInput } from './inputs.ts';
import { checkReplay, checkSums, Effects, Lane } from './lane.ts';
import { fuzzEntry, fuzzFeed, fuzzFrames } from './socket-lanes.ts';
import { runWire } from './wire/wire.ts';

/** The share of each lane; the rest are signed requests. */
const RAW = 0.08;
const FEED = 0.14;
const ENTRY = 0.14;
const FRAMES = 0.02;
const SHARED = 4;
const SHARED_BY = 16;
const ALONE = 16;
const HUGE = 1e9;
/** Two requests of one millisecond must not have the same signature, or the second would be a replay. */
const SPREAD_MS = 3000;

export interface FuzzReport {
  readonly seed: number;
  readonly inputs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly commands: number;
  readonly effects: number;
  readonly failures: readonly string[];
}

/** Runs `inputs` on one server. Split more than 200,000 over several runs, because the log is in memory. */
export async function runFuzz(seed: number, inputs: number): Promise<FuzzReport> {
  const effects = new Effects();
  const server = await startRoomy(effects);
  const lane = new Lane(server, effects);
  try {
    await sendKept(lane);
    const part = (share: number) => Math.ceil(inputs * share);
    const others = [RAW, FEED, ENTRY, FRAMES].reduce((sum, share) => sum + part(share), 0);
    await Promise.all([
      fuzzSigned(lane, inputs - others, seed * 8 + 1),
      fuzzRaw(lane, part(RAW), seed * 8 + 2),
      fuzzFeed(lane, part(FEED), seed * 8 + 3),
      fuzzEntry(lane, part(ENTRY), seed * 8 + 4),
      fuzzFrames(lane, part(FRAMES), seed * 8 + 5),
    ]);
    await checkAfterwards(lane);
  } finally {
    await server.close();
  }
  const { counts, failures } = lane;
  return { seed, inputs, counts, commands: effects.commands, effects: effects.count, failures };
}

function startRoomy(effects: Effects): Promise<TestServer> {
  return startServer({
    quotas: { spot: HUGE, manage: HUGE, public: HUGE, service: HUGE, questionnairesPerSecondMax: HUGE },
    limits: { connectionsPerAddressMax: HUGE },
    feed: {
      feedConnectsPerUserMax: HUGE,
      feedConnectsPerAddressMax: HUGE,
      feedMessagesMax: HUGE,
      feedMessagesPerAddressMax: HUGE,
      feedTopicsMax: HUGE,
      feedTunnelsMax: HUGE,
    },
    wrapPort: (port) => effects.wrap(port),
    settings: { orderEntryErrorsMax: HUGE },
  });
}

async function sendKept(lane: Lane): Promise<void> {
  const sender = new Sender(lane.server.port);
  for (const kept of KEPT_INPUTS) {
    if (kept.kind === 'signed') await sendSigned(lane, sender, kept.input, kept.name, 0);
    else await sendRaw(lane, sender, kept.bytes, kept.name);
    lane.count('kept');
  }
  await sender.close();
}

async function fuzzSigned(lane: Lane, inputs: number, seed: number): Promise<void> {
  const random = new Random(seed);
  let serial = 0;
  await Promise.all(
    Array.from({ length: SHARED }, async () => {
      const sender = new Sender(lane.server.port);
      await Promise.all(
        Array.from({ length: SHARED_BY }, async () => {
          while (serial < inputs) {
            const at = serial++;
            await sendSigned(lane, sender, signedInput(random), `seed ${seed}, input ${at}`, at);
          }
        }),
      );
      await sender.close();
      if (sender.strays.length > 0)
        lane.fail('signed', `${sender.strays.length} answers that nobody asked for`);
    }),
  );
}

const TRADERS = KEYS.filter(({ permissions }) => permissions.includes('spot'));

async function sendSigned(
  lane: Lane,
  sender: Sender,
  input: SignedInput,
  name: string,
  at: number,
): Promise<void> {
  const dialect = DIALECTS.find((each) => each.name === input.dialect)!;
  const body = input.body === undefined ? undefined : Buffer.from(input.body, 'latin1');
  const time = Date.now() + (at % SPREAD_MS) - SPREAD_MS / 2;
  const who = TRADERS[at % TRADERS.length]!;
  const { bytes, onceId } = signRequest(who, dialect, input.method, input.path, body, time);
  const answer = await sender.ask(bytes, false);
  const what = `${name}: ${JSON.stringify(input)}`;
  const code = /"code":"(\d+)"/.exec(answer?.body ?? '')?.[1] ?? '';
  lane.count(`http ${answer?.status}`);
  if (answer === null || answer.status < 200 || answer.status >= 500) {
    lane.fail('signed', `${what} -> ${answer?.status} ${answer?.body}`);
  } else if (answer.status >= 400 || (code !== '' && !code.startsWith('200'))) {
    if (code !== '400013') lane.effects.refuse(onceId, what);
  }
}

async function fuzzRaw(lane: Lane, inputs: number, seed: number): Promise<void> {
  const random = new Random(seed);
  let serial = 0;
  await Promise.all(
    Array.from({ length: ALONE }, async () => {
      const sender = new Sender(lane.server.port);
      while (serial < inputs) {
        const at = serial++;
        await sendRaw(lane, sender, rawInput(random), `seed ${seed}, input ${at}`);
      }
      for (const { status } of sender.strays)
        if (status >= 500) lane.fail('raw', `a second answer: ${status}`);
      if (sender.hung > 0) lane.fail('raw', `${sender.hung} without an answer or an end`);
    }),
  );
}

async function sendRaw(lane: Lane, sender: Sender, bytes: string, name: string): Promise<void> {
  const answer = await sender.ask(Buffer.from(bytes, 'latin1'), true);
  lane.count(`raw ${answer?.status ?? 'closed'}`);
  if (answer !== null && answer.status >= 500)
    lane.fail('raw', `${name}: ${JSON.stringify(bytes)} -> ${answer.status}`);
}

async function checkAfterwards(lane: Lane): Promise<void> {
  const { server, effects } = lane;
  const complain = (complaints: readonly string[]): void => {
    for (const complaint of complaints) lane.fail('state', complaint);
  };
  const ready = await fetch(`${server.url}/readyz`);
  if (ready.status !== 200) lane.fail('state', `not ready: ${ready.status}`);
  const deadline = Date.now() + 60_000;
  while (server.feed.connections > 0 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (server.feed.connections > 0) lane.fail('feed', `${server.feed.connections} connections are left`);
  if (effects.unsigned > 0) lane.fail('state', `${effects.unsigned} effects of no request`);
  complain(effects.contradictions());
  const [hash, sums] = await server.services.port.read(
    (exchange) => [exchange.hash(), checkSums(exchange)] as const,
  );
  complain(sums);
  complain(checkReplay(server.log.records, hash));
}

if (import.meta.main) {
  const ROUND = 200_000;
  const WIRE_ROUND = 50_000;
  const { values } = parseArgs({
    options: {
      inputs: { type: 'string', default: String(ROUND) },
      connections: { type: 'string' },
      seed: { type: 'string', default: '1' },
      plant: { type: 'string', default: '' },
      venue: { type: 'boolean', default: false },
    },
  });

  interface Outcome {
    readonly counts: Readonly<Record<string, number>>;
    readonly failures: readonly string[];
  }

  /** Runs rounds until all are done or one fails, and sums their counts. */
  async function rounds(
    wanted: number,
    size: number,
    run: (seed: number, count: number) => Promise<Outcome>,
  ): Promise<void> {
    const totals: Record<string, number> = {};
    let seed = Number(values.seed);
    for (let done = 0; done < wanted; done += size, seed++) {
      const startedAt = performance.now();
      const report = await run(seed, Math.min(size, wanted - done));
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.log(JSON.stringify({ ...report, seconds }));
      for (const [what, count] of Object.entries(report.counts)) totals[what] = (totals[what] ?? 0) + count;
      if (report.failures.length === 0) continue;
      process.exitCode = 1;
      break;
    }
    console.log(`all of it: ${JSON.stringify(totals)}`);
  }

  if (values.connections === undefined) await rounds(Number(values.inputs), ROUND, runFuzz);
  else {
    const { plant, venue } = values;
    await rounds(Number(values.connections), WIRE_ROUND, (seed, connections) =>
      runWire({ seed, connections, plant, venue }),
    );
  }
}
