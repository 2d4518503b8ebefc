/** What the terminal keeps in its heap while its book changes for minutes. */

import type { Browser, CDPSession } from 'playwright-core';
import type { BusyBook } from './busy-book.ts';
import { openFilled } from './painting.ts';

const MINUTE_MS = 60_000;
/** By then everything that a page loads and compiles is there. */
const SETTLED_AFTER = 2;

export interface Soaked {
  readonly updatesPerSecond: number;
  /** After each minute, the first one first. */
  readonly heapMb: readonly number[];
  /** The last minute against the second. */
  readonly growth: number;
}

export async function soak(browser: Browser, book: BusyBook, minutes: number): Promise<Soaked> {
  const page = await openFilled(browser, book.url);
  const devtools = await page.context().newCDPSession(page);
  const heapMb: number[] = [];
  const changesBefore = await book.changes();
  const begun = performance.now();
  for (let minute = 1; minute <= minutes; minute++) {
    await page.waitForTimeout(MINUTE_MS);
    heapMb.push(await heapMegabytes(devtools));
  }
  const changes = (await book.changes()) - changesBefore;
  const updatesPerSecond = (1000 * changes) / (performance.now() - begun);
  await page.close();
  return { updatesPerSecond, heapMb, growth: heapMb.at(-1)! / heapMb[SETTLED_AFTER - 1]! };
}

/** What is still in use after everything else was cleared away. */
async function heapMegabytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
