/** How the terminal paints while its book changes all the time: frames and long tasks. */

import type { Browser, Page } from 'playwright-core';
import type { BusyBook } from './busy-book.ts';
import { SYMBOL } from './symbol.ts';

export interface Painted {
  readonly updatesPerSecond: number;
  readonly frameP95Ms: number;
  readonly frameP99Ms: number;
  readonly framesPerSecond: number;
  readonly longTaskMaxMs: number;
}

/** A price of the book. */
export const FILLED_BOOK = 'ul[aria-label="Bids"] button';

/** The page has settled by then. */
const WARM_MS = 5000;

interface Watched {
  readonly frames: number[];
  readonly tasks: number[];
}

export async function paint(browser: Browser, book: BusyBook, seconds: number): Promise<Painted> {
  const page = await openFilled(browser, book.url);
  await page.waitForTimeout(WARM_MS);
  await page.evaluate(() => {
    const watched = { frames: [] as number[], tasks: [] as number[] };
    Object.assign(window, { watched });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.tasks.push(duration);
    }).observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    const frame = (now: number): void => {
      watched.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const changesBefore = await book.changes();
  await page.waitForTimeout(seconds * 1000);
  const changes = (await book.changes()) - changesBefore;
  const { frames, tasks } = await page.evaluate(() => (window as unknown as { watched: Watched }).watched);
  await page.close();
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return {
    updatesPerSecond: changes / seconds,
    frameP95Ms: at(0.95),
    frameP99Ms: at(0.99),
    framesPerSecond: frames.length / seconds,
    longTaskMaxMs: Math.max(0, ...tasks),
  };
}

/** The terminal with prices in its book. */
export async function openFilled(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  await page.goto(`${url}/trade/${SYMBOL}`);
  await page.locator(FILLED_BOOK).first().waitFor();
  return page;
}
