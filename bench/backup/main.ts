/**
 * npm run bench:backup [-- --orders N] [-- --turns N] [-- --json] [-- --dir DIR]
 *
 * Backs up an exchange with many orders in its log while further orders are placed. Measures size and duration of the
 * complete backup, and order latency during it compared with rounds of the same length without a backup. The backup
 * runs in its own process, as in production. Files are created in DIR and removed again; default: the system's
 * temporary directory.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Command } from '@bourse/core';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    turns: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    dir: { type: 'string', default: tmpdir() },
  },
});
const ordersMin = Number(values.orders);
const turns = Number(values.turns);
const CALLERS = 64;
/** Pipelined while the log is filled; nobody waits for individual orders. */
const TOGETHER = 2000;
const BIN = fileURLToPath(new URL('../../packages/bourse/bin/bourse.mjs', import.meta.url));

interface BackedUp {
  readonly bytes: number;
  readonly seq: number;
}

const dir = mkdtempSync(join(values.dir, 'bourse-bench-'));
const engine = await openDirectoryEngine(`${dir}/data`);
try {
  for (const command of openMarket()) await submit(engine, command);
  let seed = 0;
  let orders = 0;
  while (orders < ordersMin) {
    const commands = [...orderFlow(seed++, TOGETHER)];
    await Promise.all(commands.map((command) => submit(engine, command)));
    orders += commands.filter(({ kind }) => kind === 'place-order').length;
  }
  await engine.historyCaughtUp();

  const during: number[][] = [];
  const without: number[][] = [];
  const ratios: number[] = [];
  const seconds: number[] = [];
  let last: BackedUp = { bytes: 0, seq: 0 };
  for (let turn = 0; turn < turns; turn++) {
    const begun = performance.now();
    const copying = backUp(`${dir}/backup-${turn}`);
    const waits = await placeUntil(copying, seed++);
    last = await copying;
    const ms = performance.now() - begun;
    const alone = await placeUntil(pause(ms), seed++);
    during.push(waits);
    without.push(alone);
    seconds.push(ms / 1000);
    ratios.push(shareOf(waits, 0.99) / shareOf(alone, 0.99));
    rmSync(`${dir}/backup-${turn}`, { recursive: true });
  }
  const report = {
    orders,
    records: last.seq,
    bytes: last.bytes,
    seconds: median(seconds),
    p50: shareOf(during.flat(), 0.5),
    p99: shareOf(during.flat(), 0.99),
    p50Without: shareOf(without.flat(), 0.5),
    p99Without: shareOf(without.flat(), 0.99),
    ratio: median(ratios),
  };
  const show = (ms: number): string => `${ms.toFixed(2)} ms`;
  console.log(
    `${orders} orders in ${last.seq} records: ${(last.bytes / 2 ** 20).toFixed(1)} MiB in ${report.seconds.toFixed(2)} s`,
  );
  console.log(
    `an order waits p50 ${show(report.p50)}, p99 ${show(report.p99)} during a backup; ` +
      `p50 ${show(report.p50Without)}, p99 ${show(report.p99Without)} without; ` +
      `p99 ratio ${report.ratio.toFixed(2)}, the median of ${turns} turns`,
  );
  if (values.json) console.log(JSON.stringify(report));
} finally {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
}

/** Order latencies in milliseconds, until `end` settles. */
async function placeUntil(end: Promise<unknown>, series: number): Promise<number[]> {
  const waits: number[] = [];
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  const place = async (flow: Iterator<Command>): Promise<void> => {
    for (;;) {
      const { value: command, done } = flow.next();
      if (isOver || done === true) return;
      const begun = performance.now();
      await submit(engine, command);
      waits.push(performance.now() - begun);
    }
  };
  const flow = orderFlow(1_000_000 + series, Number.MAX_SAFE_INTEGER);
  await Promise.all(Array.from({ length: CALLERS }, () => place(flow)));
  await over;
  return waits;
}

async function backUp(to: string): Promise<BackedUp> {
  const args = [BIN, 'backup', to, '--data', `${dir}/data`, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`the backup ended with ${code}`);
  return JSON.parse(out) as BackedUp;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function shareOf(samples: readonly number[], share: number): number {
  return Float64Array.from(samples).toSorted()[Math.floor(samples.length * share)]!;
}

function median(samples: readonly number[]): number {
  return shareOf(samples, 0.5);
}
