/**
 * npm run bench:web [-- --json] [-- --seconds N] [-- --updates N] [-- --loads N] [-- --starts N] [-- --soak]
 *
 * The terminal in a browser, with bounds: the time until a filled book is visible, the size of its
 * scripts, frame times while the book changes a thousand times per second, and whether `npm start` is slower with
 * pages than without. `--soak` instead measures how the heap grows from the second minute to the tenth.
 */

import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { buildPages } from '@bourse/test-kit/browser/built-pages.ts';
import { launchChromium, whySkipped } from '@bourse/test-kit/browser/chromium.ts';
import { type BusyBook, startBusyBook } from './busy-book.ts';
import { firstLoad } from './first-load.ts';
import { paint } from './painting.ts';
import { scriptBytes } from './script-size.ts';
import { soak } from './soak.ts';
import { startTimes } from './start-times.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    updates: { type: 'string', default: '1000' },
    soak: { type: 'boolean', default: false },
    loads: { type: 'string', default: '5' },
    starts: { type: 'string', default: '5' },
  },
});

/** Bounds for the pages. */
const BARS = { frameMs: 20, longTaskMs: 100, heapGrowth: 1.1, loadMs: 1000, scriptKb: 200, startRatio: 1.1 };

const SOAK_MINUTES = 10;

const show = (name: string, text: string, bar: string) =>
  console.log(`${name.padEnd(42)} ${text.padStart(12)}   ${bar}`);

/** Prints one line for each figure; returns them for `--json`. */
type Measure = (browser: Browser, book: BusyBook) => Promise<Readonly<Record<string, number>>>;

const measureSoak: Measure = async (browser, book) => {
  const { heapMb, growth } = await soak(browser, book, Number(values.updates), SOAK_MINUTES);
  for (const [at, megabytes] of heapMb.entries()) {
    show(`heap after ${at + 1} min`, `${megabytes.toFixed(2)} MB`, '');
  }
  show(`heap, minute ${SOAK_MINUTES} against 2`, growth.toFixed(3), `at most ${BARS.heapGrowth}`);
  return { heap_growth: growth, ratio: growth / BARS.heapGrowth };
};

const measureBars: Measure = async (browser, book) => {
  const script = scriptBytes();
  const terminalKb = script.terminal / 1000;
  show('script of the terminal, compressed', `${terminalKb.toFixed(0)} kB`, `at most ${BARS.scriptKb} kB`);
  const { filledBookMs, blankPageMs } = await firstLoad(browser, book.url, Number(values.loads));
  show('first load to a filled book', `${filledBookMs.toFixed(0)} ms`, `at most ${BARS.loadMs} ms`);
  show('  of that a page without content', `${blankPageMs.toFixed(0)} ms`, '');
  const painted = await paint(browser, book, Number(values.seconds));
  show('book updates taken', `${painted.updatesPerSecond.toFixed(0)}/s`, `${values.updates} sent`);
  show('frames, p95', `${painted.frameP95Ms.toFixed(1)} ms`, `at most ${BARS.frameMs} ms`);
  show('longest task', `${painted.longTaskMaxMs.toFixed(0)} ms`, `at most ${BARS.longTaskMs} ms`);
  return {
    script_kb: terminalKb,
    chart_kb: script.chart / 1000,
    first_load_ms: filledBookMs,
    blank_page_ms: blankPageMs,
    book_updates_per_second: painted.updatesPerSecond,
    frame_p95_ms: painted.frameP95Ms,
    frame_p99_ms: painted.frameP99Ms,
    frames_per_second: painted.framesPerSecond,
    long_task_max_ms: painted.longTaskMaxMs,
    /** The headline: how much of a frame's bar is used. */
    ratio: painted.frameP95Ms / BARS.frameMs,
  };
};

async function measureStarts(): Promise<Readonly<Record<string, number>>> {
  const { withPagesMs, withoutPagesMs } = await startTimes(Number(values.starts));
  const ratio = withPagesMs / withoutPagesMs;
  show('npm start, with pages against without', ratio.toFixed(2), `at most ${BARS.startRatio}`);
  return { start_ms: withPagesMs, start_without_pages_ms: withoutPagesMs };
}

const skipped = whySkipped();
if (skipped) throw new Error(skipped);
await buildPages();

const starts = values.soak ? {} : await measureStarts();
const book = await startBusyBook(Number(values.updates));
const browser = await launchChromium();
try {
  const figures = await (values.soak ? measureSoak : measureBars)(browser, book);
  if (values.json) console.log(JSON.stringify({ ...starts, ...figures }));
} finally {
  await browser.close();
  await book.close();
}
