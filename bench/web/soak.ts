/** What the terminal keeps in its heap while its book changes for minutes. */

import type { Browser, CDPSession } from 'playwright-core';
import { openFilled } from './painting.ts';

const MINUTE_MS = 60_000;
/** By then everything that a page loads and compiles is there. */
const SETTLED_AFTER = 2;

export interface Soaked {
  /** After each minute, the first one first. */
  readonly heapMb: readonly number[];
  /** The last minute against the second. */
  readonly growth: number;
}

export async function soak(browser: Browser, url: string, minutes: number): Promise<Soaked> {
  const page = await openFilled(browser, url);
  const devtools = await page.context().newCDPSession(page);
  const heapMb: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await page.waitForTimeout(MINUTE_MS);
    heapMb.push(await heapMegabytes(devtools));
  }
  await page.close();
  return { heapMb, growth: heapMb.at(-1)! / heapMb[SETTLED_AFTER - 1]! };
}

/** What is still in use after everything else was cleared away. */
async function heapMegabytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
