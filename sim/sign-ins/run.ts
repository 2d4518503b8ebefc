/**
 * npm run sim -- sign-ins [--turns N] [--orders N] [--waiting N] [--people N]
 *
 * Measures order latency over HTTP while that many sign-ins wait for their password hash, and without any, in
 * alternating rounds. Fails if p99 is more than 1.5 times as long. Then measures sign-ins, resets and sign-ups for
 * known and unknown addresses, whose times must not differ.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@bourse/test-kit/server.ts';
import { limitsEnv } from '@bourse/test-kit/limits.ts';

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '10' },
    orders: { type: 'string', default: '1000' },
    waiting: { type: 'string', default: '100' },
    people: { type: 'string', default: '60' },
  },
});
const MAIN = new URL('../../packages/bourse/bin/bourse.mjs', import.meta.url).pathname;
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '100', size: '0.01' };
const RATIO_MAX = 1.5;

interface Connection {
  readonly baseUrl: string;
  readonly identityUrl: string;
  readonly sandboxUrl: string;
  readonly operatorToken: string;
}

const PASSWORD = 'four unrelated words here';
/** Per address: more would be slowed down. */
const TRIES = 4;

/** People who sign in continuously, each again as soon as the response arrives. */
class Storm {
  readonly #connection: Connection;
  readonly #size: number;
  readonly #running: Promise<void>[] = [];
  #isOver = false;
  #answered = 0;

  constructor(connection: Connection, size: number) {
    this.#connection = connection;
    this.#size = size;
  }

  async begin(): Promise<void> {
    for (let at = 0; at < this.#size; at++) this.#running.push(this.#try(at));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }

  async end(): Promise<number> {
    this.#isOver = true;
    await Promise.all(this.#running);
    return this.#answered;
  }

  async #try(at: number): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      // Different people each time, because a single person would be slowed down.
      const email = `p${at}-${count}-${Date.now()}@example.test`;
      const address = `10.${count % 250}.${at % 250}.${1 + (Date.now() % 250)}`;
      const response = await fetch(`${this.#connection.identityUrl}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ email, password: 'not the right one' }),
      });
      await response.text();
      if (response.status === 401) this.#answered++;
    }
  }
}

/** Number of requests that `ask` has sent: each comes from another address. */
let asked = 0;

const dir = mkdtempSync(join(tmpdir(), 'bourse-sign-ins-'));
const child = start();
try {
  const connection = await connect();
  const client = new Client(connection.baseUrl, 'alice');
  await time(client, 500);
  const turns = Number(values.turns);
  const figures = { alone: [] as number[][], beside: [] as number[][] };
  let answered = 0;
  for (let turn = 0; turn < turns; turn++) {
    figures.alone.push(await time(client, Number(values.orders)));
    const storm = new Storm(connection, Number(values.waiting));
    await storm.begin();
    figures.beside.push(await time(client, Number(values.orders)));
    answered += await storm.end();
  }
  const alone = print('alone', figures.alone);
  const beside = print(`beside ${values.waiting} sign-ins`, figures.beside);
  const ratio = beside / alone;
  console.log(`p99 ${ratio.toFixed(2)} times as long; ${answered} sign-ins were answered meanwhile`);
  if (ratio > RATIO_MAX || answered === 0) process.exitCode = 1;
  await compareTimes(connection, Number(values.people));
} finally {
  child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}

/** Alternates calls for known and unknown addresses; returns their median times. */
async function compareTimes(connection: Connection, people: number): Promise<void> {
  const nameOf = (kind: string, at: number): string => `${kind}-${at}@example.test`;
  for (let at = 0; at < people; at++) await signUp(connection, nameOf('known', at));
  const calls: Record<string, (email: string) => Promise<number>> = {
    'sign-in': (email) =>
      ask(connection, '/sessions', { email, password: 'not the right one' }).then(({ ms }) => ms),
    reset: (email) => ask(connection, '/password/reset', { email }).then(({ ms }) => ms),
    'sign-up': (email) => ask(connection, '/sign-up', { email, password: PASSWORD }).then(({ ms }) => ms),
  };
  for (const [name, call] of Object.entries(calls)) {
    const times: Record<string, number[]> = { known: [], unknown: [] };
    for (let at = 0; at < people * TRIES; at++) {
      // A sign-up makes an address known, so each unknown one is used only once.
      for (const kind of at % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known'])
        times[kind]!.push(await call(nameOf(kind, kind === 'known' ? at % people : at)));
    }
    const [known, unknown] = [times['known']!, times['unknown']!];
    const noise = spread(known);
    const apart = median(known) - median(unknown);
    console.log(
      `${name}: known ${median(known).toFixed(2)} ms, unknown ${median(unknown).toFixed(2)} ms, ` +
        `${apart.toFixed(2)} ms apart; half of the times are within ${noise.toFixed(2)} ms; ${known.length} each`,
    );
  }
}

/** The interquartile range. */
function spread(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return at(0.75) - at(0.25);
}

async function ask(
  { identityUrl }: Connection,
  path: string,
  body: object,
): Promise<{ readonly ms: number; readonly status: number }> {
  // Another address each time, because a single one would be slowed down.
  const address = `10.${200 + (asked >> 16)}.${(asked >> 8) & 255}.${asked++ & 255}`;
  const begun = performance.now();
  const response = await fetch(identityUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  await response.text();
  return { ms: performance.now() - begun, status: response.status };
}

async function signUp(connection: Connection, email: string): Promise<void> {
  const { sandboxUrl, operatorToken } = connection;
  await ask(connection, '/sign-up', { email, password: PASSWORD });
  const response = await fetch(`${sandboxUrl}/mail?to=${email}`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  const [{ links }] = (await response.json()) as [{ links: string[] }];
  const token = new URL(links[0] ?? '').searchParams.get('token');
  const { status } = await ask(connection, '/verify', { token });
  if (status !== 201) throw new Error(`nobody signed up with ${email}: ${status}`);
}

/** Latency in milliseconds of orders sent one at a time; each is then cancelled, which is not measured. */
async function time(client: Client, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const begun = performance.now();
    const { json } = await client.post('/api/v1/orders', { ...ORDER, clientOid: `s-${Date.now()}-${at}` });
    times.push(performance.now() - begun);
    if (json.code !== '200000') throw new Error(`an order was refused: ${JSON.stringify(json)}`);
    await client.delete(`/api/v1/orders/${(json.data as { orderId: string }).orderId}`);
  }
  return times;
}

/** The median of the p99 of all rounds. */
function print(name: string, turns: readonly number[][]): number {
  const at = (share: number) =>
    median(turns.map((times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0));
  console.log(
    `${name}: p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms, medians of ${turns.length} turns`,
  );
  return at(0.99);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function start(): ChildProcess {
  const settings = ['--port', '0', '--market', 'quiet', '--trusted-proxies', '127.0.0.1'];
  const pools = ['--quotas', '{"spot":1000000}'];
  const place = ['--data', join(dir, 'data'), '--config-out', join(dir, 'connection.json')];
  return spawn(process.execPath, [MAIN, 'start', ...settings, ...pools, ...place], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...limitsEnv({ pages: false, servicePoolWeight: 1_000_000 }) },
  });
}

async function connect(): Promise<Connection> {
  const file = join(dir, 'connection.json');
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error('the sandbox did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Connection;
}
