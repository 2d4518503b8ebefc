import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { openSandbox, sandboxOf, type TestSandbox } from './exchange.ts';
import { makeScript, play, type Step } from './script.ts';

const DAY_MS = 86_400_000;
const SEED = 20_260_101;
const STEPS = ofSize(200, 1000);
const AGENT_STEPS = ofSize(12, 60);
const FORKS = ofSize(3, 25);

/** All segments in order, byte by byte. */
function logOf(dir: string): Buffer {
  const names = readdirSync(`${dir}/log`).toSorted();
  return Buffer.concat(names.map((name) => readFileSync(`${dir}/log/${name}`)));
}

/** Plays the script with restarts after some of its steps, and returns the responses. */
async function run(
  dir: string,
  steps: readonly Step[],
  restarts: readonly number[],
  flags = {},
): Promise<string[]> {
  const replies: string[] = [];
  let from = 0;
  for (const until of [...restarts, steps.length]) {
    const sandbox = await openSandbox(dir, flags);
    await play(sandbox, steps.slice(from, until), (text) => replies.push(text));
    await sandbox.close();
    from = until;
  }
  return replies;
}

test('promise 21: the same script gives the same log byte by byte, even with two restarts in one of the runs', async (context) => {
  const steps = makeScript(SEED, STEPS, DAY_MS);
  const [first, second] = [makeDirectory(context), makeDirectory(context)];
  const replies = await run(first, steps, []);
  assert.deepEqual(await run(second, steps, [0.3 * STEPS + 1, 0.7 * STEPS + 2]), replies, 'the same answers');
  const [one, other] = [logOf(first), logOf(second)];
  assert.ok(one.equals(other), `${one.length} and ${other.length} bytes`);
});

test('with agents as well', async (context) => {
  const steps = makeScript(SEED + 1, AGENT_STEPS, AGENT_STEPS * 10_000);
  const [first, second] = [makeDirectory(context), makeDirectory(context)];
  await run(first, steps, [], { market: 'calm' });
  await run(second, steps, [AGENT_STEPS / 3, (AGENT_STEPS * 3) / 4], { market: 'calm' });
  assert.ok(logOf(first).equals(logOf(second)));
});

test('one advance of a minute gives the same log as sixty advances of a second', async (context) => {
  const [first, second] = [makeDirectory(context), makeDirectory(context)];
  const orders = makeScript(SEED + 2, 30, 0).filter(({ kind }) => kind !== 'advance');
  const whole: Step[] = [...orders, { kind: 'advance', ms: 60_000 }];
  const parts: Step[] = [
    ...orders,
    ...Array.from({ length: 60 }, (): Step => ({ kind: 'advance', ms: 1000 })),
  ];
  await run(first, whole, [], { market: 'calm' });
  await run(second, parts, [], { market: 'calm' });
  assert.ok(logOf(first).equals(logOf(second)));
});

/** The time of the clock after each record, at which a fork of it starts. */
async function playNoting(sandbox: TestSandbox, steps: readonly Step[]): Promise<number[]> {
  const seqs: number[] = [];
  for (const step of steps) {
    await play(sandbox, [step]);
    seqs.push(sandbox.running.engine.health.seq);
  }
  return seqs;
}

async function forkOf(
  context: TestContext,
  { call }: TestSandbox,
  from: number | undefined,
): Promise<TestSandbox> {
  const fork = await call<{ id: string } & TestSandbox['running']['connection']>('POST', '/forks', {
    ...(from !== undefined && { from }),
  });
  const running = { connection: fork } as unknown as TestSandbox['running'];
  context.after(() => call('DELETE', `/forks/${fork.id}`).catch(() => undefined));
  return sandboxOf(running, '');
}

test('a fork continues like its origin, from now and from earlier sequences of its log', async (context) => {
  const dir = makeDirectory(context);
  const origin = await openSandbox(dir);
  context.after(() => origin.close());
  // Only requests: a fork of a sequence starts at the time of its record.
  const steps = makeScript(SEED + 3, 240, 0).filter(({ kind }) => kind !== 'advance');
  const seqs = await playNoting(origin, steps);
  const random = new Random(SEED);
  const whole = logOf(dir);
  for (let round = 0; round < FORKS; round++) {
    const at = random.below(steps.length - 20);
    const fork = await forkOf(context, origin, seqs[at]!);
    // Those that brought no record have the sequence of the one before.
    const next = seqs.lastIndexOf(seqs[at]!) + 1;
    await play(fork, steps.slice(next, next + 15));
    const forkDir = `${dir}/sandbox/forks/${(fork.running.connection as unknown as { id: string }).id}`;
    const bytes = recordsOf(logOf(forkDir));
    assert.ok(
      bytes.length > 0 && whole.subarray(0, bytes.length).equals(bytes),
      `round ${round}, from ${seqs[at]}`,
    );
    await origin.call('DELETE', `/forks/${(fork.running.connection as unknown as { id: string }).id}`);
  }
  const now = await forkOf(context, origin, undefined);
  const more = makeScript(SEED + 4, 40, 3_600_000);
  const replies: string[] = [];
  await play(origin, more, (text) => replies.push(text));
  const forked: string[] = [];
  await play(now, more, (text) => forked.push(text));
  assert.deepEqual(forked, replies);
  const forkDir = `${dir}/sandbox/forks/${(now.running.connection as unknown as { id: string }).id}`;
  assert.ok(recordsOf(logOf(forkDir)).equals(recordsOf(logOf(dir))));
});

/** Without the preallocated space of a running log. */
function recordsOf(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
