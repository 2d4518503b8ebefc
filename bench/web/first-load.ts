/**
 * Time from entering the address to a book with prices on both sides, in a browser with an empty cache; and the
 * browser's own time for an empty page, which is included in it.
 */

import type { Browser, Page } from 'playwright-core';
import { median } from './median.ts';
import { FILLED_BOOK } from './painting.ts';
import { SYMBOL } from './symbol.ts';

export interface FirstLoad {
  readonly filledBookMs: number;
  readonly blankPageMs: number;
  /** Compressed bytes on the wire until the candles are shown: everything that loads without a click. */
  readonly scriptBytes: number;
}

const CANDLES = '[role=figure] canvas';

/** Medians over alternating loads of both pages. */
export async function firstLoad(browser: Browser, url: string, loads: number): Promise<FirstLoad> {
  const blank: number[] = [];
  const filled: number[] = [];
  let scriptBytes = 0;
  for (let at = 0; at < loads; at++) {
    blank.push(await openedMs(browser, async (page) => void (await page.goto('about:blank'))));
    filled.push(
      await openedMs(
        browser,
        async (page) => {
          await page.goto(`${url}/trade/${SYMBOL}`, { waitUntil: 'commit' });
          // Checks every frame; a locator would poll less and less often.
          await page.waitForFunction((book) => document.querySelector(book) !== null, FILLED_BOOK, {
            polling: 'raf',
          });
        },
        async (page) => {
          await page.locator(CANDLES).first().waitFor();
          scriptBytes = await sentScript(page);
        },
      ),
    );
  }
  return { filledBookMs: median(filled), blankPageMs: median(blank), scriptBytes };
}

function sentScript(page: Page): Promise<number> {
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
}

type Use = (page: Page) => Promise<void>;

/** `look` runs after the time is taken. */
async function openedMs(browser: Browser, open: Use, look?: Use): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  const begun = performance.now();
  await open(page);
  const ms = performance.now() - begun;
  await look?.(page);
  await context.close();
  return ms;
}
