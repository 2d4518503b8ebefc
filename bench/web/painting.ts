/** How the terminal paints while its book changes all the time: frames, long tasks, and what stays in the heap. */

import type { Browser, CDPSession } from 'playwright-core';
import type { BusyBook } from './busy-book.ts';
import { SYMBOL } from './symbol.ts';

export interface Painted {
  readonly updatesPerSecond: number;
  readonly frameP95Ms: number;
  readonly frameP99Ms: number;
  readonly framesPerSecond: number;
  readonly longTaskMaxMs: number;
  /** The heap at the end against that after the first part. */
  readonly heapGrowth: number;
}

/** A price of the book. */
export const FILLED_BOOK = 'ul[aria-label="Bids"] button';

/** The page has settled by then. */
const WARM_MS = 5000;
const MINUTE_MS = 60_000;

interface Watched {
  readonly frames: number[];
  readonly tasks: number[];
}

export async function paint(
  browser: Browser,
  book: BusyBook,
  seconds: number,
  soakMinutes: number,
): Promise<Painted> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const devtools = await page.context().newCDPSession(page);
  await page.goto(`${book.url}/trade/${SYMBOL}`);
  await page.locator(FILLED_BOOK).first().waitFor();
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
  const heapBefore = await heapBytes(devtools);
  await page.waitForTimeout(seconds * 1000);
  const changes = (await book.changes()) - changesBefore;
  const { frames, tasks } = await page.evaluate(() => (window as unknown as { watched: Watched }).watched);
  const heapGrowth = await growth(devtools, heapBefore, soakMinutes, (ms) => page.waitForTimeout(ms));
  await page.close();
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return {
    updatesPerSecond: changes / seconds,
    frameP95Ms: at(0.95),
    frameP99Ms: at(0.99),
    framesPerSecond: frames.length / seconds,
    longTaskMaxMs: Math.max(0, ...tasks),
    heapGrowth,
  };
}

/** Over the run itself; with a soak from its second minute to its last. */
async function growth(
  devtools: CDPSession,
  before: number,
  soakMinutes: number,
  wait: (ms: number) => Promise<void>,
): Promise<number> {
  if (soakMinutes === 0) return (await heapBytes(devtools)) / before;
  await wait(2 * MINUTE_MS);
  const early = await heapBytes(devtools);
  await wait((soakMinutes - 2) * MINUTE_MS);
  return (await heapBytes(devtools)) / early;
}

async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize;
}
