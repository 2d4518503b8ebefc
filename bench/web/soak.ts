/**
 * Heap of the terminal while its book changes for minutes. A minute ends when the book has changed as often as it
 * should in a minute, so a slow machine takes longer and measures the same.
 */

import type { Browser } from 'playwright-core';
import type { BusyBook } from './busy-book.ts';
import { heapMegabytes, openFilled } from './painting.ts';

const MINUTE_SECONDS = 60;
const LOOK_MS = 1_000;
/** The page has loaded and compiled everything by then. */
const SETTLED_AFTER = 2;

export interface Soaked {
  /** Heap after each minute, from the first. */
  readonly heapMb: readonly number[];
  /** Ratio of the last minute to the second. */
  readonly growth: number;
}

export async function soak(
  browser: Browser,
  book: BusyBook,
  updatesPerSecond: number,
  minutes: number,
): Promise<Soaked> {
  const page = await openFilled(browser, book.url);
  const devtools = await page.context().newCDPSession(page);
  const heapMb: number[] = [];
  const changesBefore = await book.changes();
  for (let minute = 1; minute <= minutes; minute++) {
    const target = changesBefore + minute * MINUTE_SECONDS * updatesPerSecond;
    while ((await book.changes()) < target) await page.waitForTimeout(LOOK_MS);
    heapMb.push(await heapMegabytes(devtools));
  }
  await page.close();
  return { heapMb, growth: heapMb.at(-1)! / heapMb[SETTLED_AFTER - 1]! };
}
