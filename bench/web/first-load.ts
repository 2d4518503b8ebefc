/** From the address being entered to a book with prices on both sides, in a browser that has nothing of it yet. */

import type { Browser } from 'playwright-core';
import { SYMBOL } from './symbol.ts';
import { FILLED_BOOK } from './painting.ts';

/** The median of so many loads. */
export async function firstLoadMs(browser: Browser, url: string, loads: number): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < loads; at++) {
    const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(`${url}/trade/${SYMBOL}`, { waitUntil: 'commit' });
    await page.locator(FILLED_BOOK).first().waitFor();
    times.push(performance.now() - begun);
    await context.close();
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
