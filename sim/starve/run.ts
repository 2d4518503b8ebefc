/**
 * npm run sim -- starve [--turns N] [--seconds N] [--only a,b]: every attack on the list, with a bystander.
 *
 * No caller starves the others. A real process with its usual limits is exposed to every attack on the list, while a
 * bystander with its own address and key reads and trades. Quiet periods and attacks alternate, and the median
 * latencies count, so that a slow moment of the machine does not matter. The bystander may wait at most 50 ms, or
 * five times its quiet 99th percentile, whichever is more; no iteration of the exchange's event loop may take longer
 * than that; and the process may grow by the attack's limit. For attacks that happen only once, the longest latency
 * counts instead of the 99th percentile.
 */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { credentials, sign } from '@bourse/test-kit/server.ts';
import { ExchangeProcess } from '@bourse/test-kit/wire/exchange-process.ts';
import type { Attack } from './attack.ts';
import { AttackerProcess } from './attacker-process.ts';
import { ATTACKS } from './attacks.ts';
import { PROBE_FILE } from './loop-probe.ts';

export interface StarveOptions {
  readonly names: readonly string[];
  readonly turns: number;
  readonly seconds: number;
}

export interface AttackReport {
  readonly name: string;
  readonly isBurst: boolean;
  readonly quietMs: number;
  readonly attackedMs: number;
  readonly allowedMs: number;
  /** The longest event loop iteration of the exchange under attack, in CPU time. */
  readonly turnMs: number;
  readonly failed: number;
  readonly growthMiB: number;
  readonly growthMiBMax: number;
}

const LEAST_MS = 50;
const TIMES_QUIET = 5;
const MIB = 2 ** 20;

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;

export async function runStarve(dir: string, options: StarveOptions): Promise<AttackReport[]> {
  const reports: AttackReport[] = [];
  for (const attack of ATTACKS.filter(({ name }) => options.names.includes(name))) {
    reports.push(await measure(`${dir}/${attack.name}`, attack, options));
  }
  return reports;
}

/** Each attack has its own exchange, so that attacks do not affect each other. */
async function measure(dir: string, attack: Attack, options: StarveOptions): Promise<AttackReport> {
  const attacker = await AttackerProcess.start(attack.name);
  try {
    await attacker.seed(dir);
    const turns = await (attack.isBurst ? burst : alternate)(dir, attack, options, attacker);
    const quietMs = median(turns.map((turn) => turn.quietMs));
    return {
      name: attack.name,
      isBurst: attack.isBurst ?? false,
      quietMs,
      attackedMs: median(turns.map((turn) => turn.attackedMs)),
      allowedMs: Math.max(LEAST_MS, TIMES_QUIET * quietMs),
      // Not the median: an attacker who is cut off for some seconds attacks only in the first round.
      turnMs: Math.max(...turns.map((turn) => turn.turnMs)),
      failed: turns.reduce((sum, { failed }) => sum + failed, 0),
      growthMiB: Math.max(...turns.map((turn) => turn.grown)) / MIB,
      growthMiBMax: attack.growthMiBMax,
    };
  } finally {
    await attacker.end();
  }
}

interface Turn {
  readonly quietMs: number;
  readonly attackedMs: number;
  readonly turnMs: number;
  readonly failed: number;
  /** Bytes. */
  readonly grown: number;
}

/** Alternates quiet periods and attacks on one exchange. */
async function alternate(
  dir: string,
  attack: Attack,
  { turns, seconds }: StarveOptions,
  attacker: AttackerProcess,
): Promise<Turn[]> {
  const turnsSeen = new TurnsSeen(`${dir}.turns`);
  const exchange = await ExchangeProcess.start(dir, [], 'usual', turnsSeen.start);
  try {
    if (attack.prepare !== undefined) await attacker.prepare(exchange.url);
    const bystander = await Bystander.open(exchange.url);
    await bystander.watch(seconds);
    const before = await exchange.memory();
    const seen: Turn[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const quiet = await bystander.watch(seconds);
      const beganAt = Date.now();
      const over = attacker.run(exchange.url);
      const { p99Ms, failed } = await bystander.watch(seconds);
      const grown = (await exchange.memory()) - before;
      const turnMs = turnsSeen.longestSince(beganAt);
      seen.push({ quietMs: quiet.p99Ms, attackedMs: p99Ms, turnMs, failed, grown });
      attacker.stop(exchange.url);
      await over;
    }
    bystander.close();
    return seen;
  } finally {
    await exchange.kill();
  }
}

/** Each round uses an exchange that starts with the same directory; the longest latency counts. */
async function burst(
  dir: string,
  attack: Attack,
  { turns, seconds }: StarveOptions,
  attacker: AttackerProcess,
): Promise<Turn[]> {
  const seen: Turn[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const copy = `${dir}-${turn}`;
    cpSync(dir, copy, { recursive: true });
    const turnsSeen = new TurnsSeen(`${copy}.turns`);
    const exchange = await ExchangeProcess.start(copy, [], 'usual', turnsSeen.start);
    try {
      if (attack.prepare !== undefined) await attacker.prepare(exchange.url);
      const bystander = await Bystander.open(exchange.url);
      await bystander.watch(seconds);
      const before = await exchange.memory();
      const quiet = await bystander.watch(seconds);
      const beganAt = Date.now();
      const [attacked] = await Promise.all([bystander.watch(seconds), attacker.run(exchange.url)]);
      const grown = (await exchange.memory()) - before;
      seen.push({
        quietMs: quiet.worstMs,
        attackedMs: attacked.worstMs,
        turnMs: turnsSeen.longestSince(beganAt),
        failed: attacked.failed,
        grown,
      });
      bystander.close();
    } finally {
      await exchange.kill();
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return seen;
}

/**
 * A burst is judged by the exchange's event loop iterations: it ends before a bystander has enough samples for a
 * percentile, and its longest latency depends as much on the machine as on the exchange.
 */
export function faultsOf(reports: readonly AttackReport[]): string[] {
  return reports.flatMap((report) => {
    const { name, isBurst, attackedMs, allowedMs, turnMs, failed, growthMiB, growthMiBMax } = report;
    return [
      ...(!isBurst && attackedMs > allowedMs
        ? [`${name}: the bystander waits ${attackedMs.toFixed(1)} ms, ${allowedMs.toFixed(1)} are allowed`]
        : []),
      // Also relative to the quiet latency, because steal time counts as CPU time.
      ...(turnMs > allowedMs
        ? [
            `${name}: nobody is answered for ${turnMs.toFixed(1)} ms of processor time, ${allowedMs.toFixed(1)} are allowed`,
          ]
        : []),
      ...(failed > 0 ? [`${name}: ${failed} requests of the bystander were refused or lost`] : []),
      ...(growthMiB > growthMiBMax
        ? [`${name}: the process grew by ${growthMiB.toFixed(0)} MiB, ${growthMiBMax} are allowed`]
        : []),
    ];
  });
}

// An unrelated client: alternates a cheap read and an order, from its own address and with its own key.

export interface Seen {
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly failed: number;
}

/** A loopback address other than the attackers', if the system has one, so that they share no rate limit pool. */
const ADDRESS = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
/** Keeps its reads within the rate limit of an address, however long it runs. */
const PAUSE_MS = 25;
const ORDERS = '/api/v1/hf/orders';
const ORDER = JSON.stringify({
  symbol: 'BTC-USDT',
  type: 'limit',
  side: 'sell',
  price: '900000',
  size: '0.0001',
  timeInForce: 'IOC',
});

class Bystander {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: ADDRESS });

  private constructor(url: string) {
    this.#url = url;
  }

  static async open(url: string): Promise<Bystander> {
    const made = new Bystander(url);
    for (let i = 0; i < 20; i++) await made.#once(i);
    return made;
  }

  close(): void {
    this.#agent.destroy();
  }

  async watch(seconds: number): Promise<Seen> {
    const times: number[] = [];
    let failed = 0;
    const end = performance.now() + seconds * 1000;
    for (let serial = 0; performance.now() < end; serial++) {
      const start = performance.now();
      if (!(await this.#once(serial))) failed++;
      times.push(performance.now() - start);
      await pause(PAUSE_MS);
    }
    const sorted = times.toSorted((a, b) => a - b);
    return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0, worstMs: sorted.at(-1) ?? 0, failed };
  }

  #once(serial: number): Promise<boolean> {
    return serial % 2 === 0 ? this.#ask('GET', '/api/v1/status') : this.#ask('POST', ORDERS, ORDER);
  }

  #ask(method: string, path: string, body = ''): Promise<boolean> {
    const headers = {
      ...sign(credentials('carol'), method, path, body),
      ...(body !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve) => {
      const sent = request(this.#url + path, { method, headers, agent: this.#agent }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode === 200));
      });
      sent.on('error', () => resolve(false));
      sent.end(body);
    });
  }
}

// Reads the output of the probe in the exchange's process.

const PROBE = fileURLToPath(new URL('loop-probe.ts', import.meta.url));

class TurnsSeen {
  readonly #path: string;

  /** Name of the output file. */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
  }

  /** Flags and environment for the exchange's process. */
  get start(): { readonly nodeFlags: readonly string[]; readonly env: Readonly<Record<string, string>> } {
    return { nodeFlags: [`--import=${PROBE}`], env: { [PROBE_FILE]: this.#path } };
  }

  /** The longest iteration that ended since then, in milliseconds of CPU time. */
  longestSince(time: number): number {
    if (!existsSync(this.#path)) return 0;
    const turns = readFileSync(this.#path, 'utf8')
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    return Math.max(0, ...turns.flatMap(([at, ms]) => (at >= time && ms > 0 ? [ms] : [])));
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      turns: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      only: { type: 'string', default: ATTACKS.map(({ name }) => name).join(',') },
    },
  });
  const dir = mkdtempSync(join(tmpdir(), 'bourse-starve-'));
  try {
    const options = { turns: Number(values.turns), seconds: Number(values.seconds) };
    const reports = [];
    for (const name of values.only.split(',')) {
      const [report] = await runStarve(dir, { ...options, names: [name] });
      reports.push(report);
      const { quietMs, attackedMs, allowedMs, turnMs, failed, growthMiB, growthMiBMax } = report;
      console.log(
        `${name.padEnd(20)} quiet ${quietMs.toFixed(1)} ms, attacked ${attackedMs.toFixed(1)} ms (${allowedMs.toFixed(1)} ` +
          `allowed), longest turn ${turnMs.toFixed(1)} ms of processor time, ${failed} failed, grew by ${growthMiB.toFixed(0)} MiB (${growthMiBMax} allowed)`,
      );
    }
    const faults = faultsOf(reports);
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
