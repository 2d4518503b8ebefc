/**
 * From the address being entered to a book with prices on both sides, in a browser that has nothing of it yet; and how
 * long the browser itself takes for a page without content, which is part of it.
 */

import type { Browser, Page } from 'playwright-core';
import { median } from './median.ts';
import { FILLED_BOOK } from './painting.ts';
import { SYMBOL } from './symbol.ts';

export interface FirstLoad {
  readonly filledBookMs: number;
  readonly blankPageMs: number;
  /** Compressed, as it was sent, until the candles are there: everything that is loaded without a click. */
  readonly scriptBytes: number;
}

const CANDLES = '[role=figure] canvas';

/** Medians over alternating loads of both. */
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
          // Looked for in every frame; a locator would look less and less often.
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

/** `look` happens after the time was taken. */
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
