/**
 * The heap of the terminal while its book changes for minutes. A minute ends when the book has changed as
 * often as it should in one, so that a slow machine takes longer and measures the same.
 */

import type { Browser } from 'playwright-core';
import type { BusyBook } from './busy-book.ts';
import { heapMegabytes, openFilled } from './painting.ts';

const MINUTE_SECONDS = 60;
const LOOK_MS = 1_000;
/** By then the page has loaded and compiled everything. */
const SETTLED_AFTER = 2;

export interface Soaked {
  /** After each minute, the first one first. */
  readonly heapMb: readonly number[];
  /** The last minute against the second. */
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
