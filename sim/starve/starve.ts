/**
 * Nobody holds up the others. A real process with its usual limits is attacked in every way on the list, and a bystander
 * with an address and a key of his own reads and trades meanwhile. Quiet moments and attacks take turns, and the medians
 * of the turns count, so that a bad moment of the machine does not. The bystander may wait at most 50 ms, or five times
 * his quiet 99th percentile, whichever is more; and the process may grow by what the attack's row says.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ExchangeProcess } from '@bourse/test-tools/wire/exchange-process.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import type { Order } from './attacker.ts';
import { Bystander } from './bystander.ts';

export interface StarveOptions {
  readonly names: readonly string[];
  readonly turns: number;
  readonly seconds: number;
}

export interface AttackReport {
  readonly name: string;
  readonly quietMs: number;
  readonly attackedMs: number;
  readonly allowedMs: number;
  readonly failed: number;
  readonly growthMiB: number;
  readonly growthMiBMax: number;
}

const LEAST_MS = 50;
const TIMES_QUIET = 5;
const MIB = 2 ** 20;
const ATTACKER = fileURLToPath(new URL('attacker.ts', import.meta.url));

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;

export async function runStarve(dir: string, options: StarveOptions): Promise<AttackReport[]> {
  const reports: AttackReport[] = [];
  for (const attack of ATTACKS.filter(({ name }) => options.names.includes(name))) {
    reports.push(await measure(`${dir}/${attack.name}`, attack, options));
  }
  return reports;
}

/** Each on an exchange of its own: what one leaves behind is not the next one's. */
async function measure(
  dir: string,
  attack: Attack,
  { turns, seconds }: StarveOptions,
): Promise<AttackReport> {
  const exchange = await ExchangeProcess.start(dir, [], 'usual');
  const attacker = fork(ATTACKER);
  try {
    await once(attacker, 'message');
    const order = (step: Order['step']): void => {
      attacker.send({ name: attack.name, url: exchange.url, step } satisfies Order);
    };
    if (attack.prepare !== undefined) {
      order('prepare');
      await once(attacker, 'message');
    }
    const bystander = await Bystander.open(exchange.url);
    await bystander.watch(seconds);
    const before = await exchange.memory();
    const [quiet, attacked]: [number[], number[]] = [[], []];
    let [most, failed] = [before, 0];
    for (let turn = 0; turn < turns; turn++) {
      quiet.push((await bystander.watch(seconds)).p99Ms);
      order('run');
      const seen = await bystander.watch(seconds);
      attacked.push(seen.p99Ms);
      failed += seen.failed;
      most = Math.max(most, await exchange.memory());
      const stopped = once(attacker, 'message');
      order('stop');
      await stopped;
    }
    bystander.close();
    const quietMs = median(quiet);
    return {
      name: attack.name,
      quietMs,
      attackedMs: median(attacked),
      allowedMs: Math.max(LEAST_MS, TIMES_QUIET * quietMs),
      failed,
      growthMiB: (most - before) / MIB,
      growthMiBMax: attack.growthMiBMax,
    };
  } finally {
    await end(attacker);
    await exchange.kill();
  }
}

async function end(attacker: ChildProcess): Promise<void> {
  const gone = once(attacker, 'close');
  attacker.kill();
  await gone;
}

export function faultsOf(reports: readonly AttackReport[]): string[] {
  return reports.flatMap(({ name, attackedMs, allowedMs, failed, growthMiB, growthMiBMax }) => [
    ...(attackedMs > allowedMs
      ? [`${name}: the bystander waits ${attackedMs.toFixed(1)} ms, ${allowedMs.toFixed(1)} are allowed`]
      : []),
    ...(failed > 0 ? [`${name}: ${failed} requests of the bystander were refused or lost`] : []),
    ...(growthMiB > growthMiBMax
      ? [`${name}: the process grew by ${growthMiB.toFixed(0)} MiB, ${growthMiBMax} are allowed`]
      : []),
  ]);
}
