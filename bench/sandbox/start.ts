/** `bourse start` as a user calls it: time until it is ready, and until the first trade. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Figure, median } from './measured.ts';

const BOURSE = fileURLToPath(new URL('../../packages/bourse/bin/bourse.mjs', import.meta.url));
const FIRST_TRADE_MS = 1000;
const START_RATIO = 1.5;
/** Frequent polling must not hit the rate limit. */
const QUOTAS = '{"public":1000000000}';
const LOOK_MS = 10;
const TRADE_MS_MAX = 60_000;
const LIVING = ['BTC-USDT', 'ETH-USDT', 'ETH-BTC', 'KCS-USDT'];

export async function measureStart(turns: number): Promise<Figure[]> {
  // The first start fills the compile cache, which all later starts of a user find.
  await startOnce('calm');
  const calm: Started[] = [];
  const quiet: Started[] = [];
  for (let turn = 0; turn < turns; turn++) {
    quiet.push(await startOnce('quiet'));
    calm.push(await startOnce('calm'));
  }
  const ratio = median(calm.map(({ readyMs }) => readyMs)) / median(quiet.map(({ readyMs }) => readyMs));
  return [
    {
      key: 'firstTradeMs',
      name: 'ready line to the first trade',
      value: median(calm.map(({ tradeMs }) => tradeMs)),
      unit: 'ms',
      bar: FIRST_TRADE_MS,
    },
    { key: 'startRatio', name: 'start against quiet', value: ratio, unit: '', bar: START_RATIO },
  ];
}

interface Started {
  readonly readyMs: number;
  readonly tradeMs: number;
}

async function startOnce(market: string): Promise<Started> {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      BOURSE,
      'start',
      '--json',
      '--port',
      '0',
      '--market',
      market,
      '--quotas',
      QUOTAS,
      '--data',
      join(dir, 'data'),
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    let text = '';
    for await (const line of createInterface({ input: child.stdout })) {
      text += line;
      if (line === '}' || (line.startsWith('{') && line.endsWith('}'))) break;
    }
    const readyAt = performance.now();
    const { compatUrl } = JSON.parse(text) as { compatUrl: string };
    const tradeMs = market === 'quiet' ? 0 : await untilTrade(compatUrl, readyAt);
    return { readyMs: readyAt - startedAt, tradeMs };
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A trade of this run, not of the generated history. */
async function untilTrade(url: string, readyAt: number): Promise<number> {
  while (performance.now() - readyAt < TRADE_MS_MAX) {
    for (const symbol of LIVING) {
      const reply = await fetch(`${url}/api/v1/market/histories?symbol=${symbol}`);
      const { data } = (await reply.json()) as { data: readonly unknown[] };
      if (data.length > 0) return performance.now() - readyAt;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error('nobody trades');
}
