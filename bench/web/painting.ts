/**
 * How the terminal renders while its book changes constantly: frames, main thread and heap; and the frame rate of an
 * empty page in the same browser, which is the maximum.
 */

import type { Browser, CDPSession, Page } from 'playwright-core';
import { type BusyBook, SYMBOL } from './busy-book.ts';

export interface Painted {
  readonly updatesPerSecond: number;
  readonly frameP95Ms: number;
  readonly frameP99Ms: number;
  readonly framesPerSecond: number;
  readonly longTaskMaxMs: number;
  /** The share of time that the main thread was busy. */
  readonly mainThread: number;
  /** Ratio of the heap after garbage collection at the end to that at the beginning. */
  readonly heapMb: readonly [number, number];
}

export interface PaintOptions {
  readonly seconds: number;
  /** CPU throttling factor: 4 is a cheap phone. */
  readonly slowdown: number;
}

/** Selector of a price in the book. */
export const FILLED_BOOK = 'ul[aria-label="Bids"] button';

/** Time for the page to settle. */
const WARM_MS = 5000;

interface Watched {
  readonly frames: number[];
  readonly tasks: number[];
}

export async function paint(
  browser: Browser,
  book: BusyBook,
  { seconds, slowdown }: PaintOptions,
): Promise<Painted> {
  const page = await openFilled(browser, book.url);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  await page.waitForTimeout(WARM_MS);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const heapBefore = await heapMegabytes(devtools);
  await watch(page);
  const changesBefore = await book.changes();
  const busyBefore = await busySeconds(devtools);
  await page.waitForTimeout(seconds * 1000);
  const busy = (await busySeconds(devtools)) - busyBefore;
  const changes = (await book.changes()) - changesBefore;
  const { frames, tasks } = await watched(page);
  const heapAfter = await heapMegabytes(devtools);
  await page.close();
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return {
    updatesPerSecond: changes / seconds,
    frameP95Ms: at(0.95),
    frameP99Ms: at(0.99),
    framesPerSecond: frames.length / seconds,
    longTaskMaxMs: Math.max(0, ...tasks),
    mainThread: busy / seconds,
    heapMb: [heapBefore, heapAfter],
  };
}

/** Frame rate of an empty page, with the same busy exchange running. */
export async function blankFrames(browser: Browser, { seconds, slowdown }: PaintOptions): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await watch(page);
  await page.waitForTimeout(seconds * 1000);
  const { frames } = await watched(page);
  await page.close();
  return frames.length / seconds;
}

async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { frames: [] as number[], tasks: [] as number[] };
    Object.assign(window, { watched: seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.tasks.push(duration);
    }).observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    const frame = (now: number): void => {
      seen.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

const watched = (page: Page): Promise<Watched> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched);

/** CPU time of the main thread so far. */
async function busySeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

/** Heap in use after garbage collection. */
async function heapMegabytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** Opens the terminal and waits for prices in its book. */
async function openFilled(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  await page.goto(`${url}/trade/${SYMBOL}`);
  await page.locator(FILLED_BOOK).first().waitFor();
  return page;
}

// Heap of the terminal while its book changes for minutes. A minute ends when the book has changed as often
// as it should in a minute, so a slow machine takes longer and measures the same.

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
