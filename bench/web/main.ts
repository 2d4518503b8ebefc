/**
 * npm run bench:web [-- --json] [-- --seconds N] [-- --updates N] [-- --loads N] [-- --starts N] [-- --soak]
 *
 * The terminal in a browser, with bounds: the time until a filled book is visible, the size of its scripts, frames, main
 * thread and heap while the book changes a thousand times per second, the same with a CPU that is four times slower, and
 * whether `npm start` is slower with pages than without. The headline `ratio` is the terminal's frame rate in the busy
 * market divided by that of an empty page in the same browser: 1 if no frame is lost. `--soak` instead measures how the
 * heap grows from the second minute to the tenth.
 */

import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { buildPages, launchChromium, whySkipped } from '@bourse/test-kit/browser/chromium.ts';
import { type BusyBook, startBusyBook } from './busy-book.ts';
import { firstLoad, startTimes } from './first-load.ts';
import { blankFrames, paint, type Painted, soak } from './painting.ts';

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
const BARS = { frameMs: 20, longTaskMs: 100, heapGrowth: 1.1, loadMs: 1000, scriptKb: 260, startRatio: 1.1 };

/** CPU throttling factor that developer tools use for a cheap phone. */
const SLOWDOWN = 4;
const BLANK_SECONDS = 5;

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
  const { filledBookMs, blankPageMs, scriptBytes } = await firstLoad(browser, book.url, Number(values.loads));
  const scriptKb = scriptBytes / 1000;
  show('script with the chart, compressed', `${scriptKb.toFixed(0)} kB`, `at most ${BARS.scriptKb} kB`);
  show('first load to a filled book', `${filledBookMs.toFixed(0)} ms`, `at most ${BARS.loadMs} ms`);
  show('  of that a page without content', `${blankPageMs.toFixed(0)} ms`, '');
  const { painted, ratio } = await measurePainting(browser, book, 1);
  show('book updates taken', `${painted.updatesPerSecond.toFixed(0)}/s`, `${values.updates} sent`);
  show('frames, p95', `${painted.frameP95Ms.toFixed(1)} ms`, `at most ${BARS.frameMs} ms`);
  show('longest task', `${painted.longTaskMaxMs.toFixed(0)} ms`, `at most ${BARS.longTaskMs} ms`);
  const slow = await measurePainting(browser, book, SLOWDOWN);
  return {
    script_kb: scriptKb,
    first_load_ms: filledBookMs,
    blank_page_ms: blankPageMs,
    book_updates_per_second: painted.updatesPerSecond,
    frame_p95_ms: painted.frameP95Ms,
    frame_p99_ms: painted.frameP99Ms,
    frames_per_second: painted.framesPerSecond,
    long_task_max_ms: painted.longTaskMaxMs,
    main_thread: painted.mainThread,
    heap_mb: painted.heapMb[1],
    heap_growth: painted.heapMb[1] / painted.heapMb[0],
    slow_frames_per_second: slow.painted.framesPerSecond,
    slow_main_thread: slow.painted.mainThread,
    slow_ratio: slow.ratio,
    ratio,
  };
};

/** The terminal in a busy market, between two measurements of an empty page. */
async function measurePainting(
  browser: Browser,
  book: BusyBook,
  slowdown: number,
): Promise<{ readonly painted: Painted; readonly ratio: number }> {
  const blank = { seconds: BLANK_SECONDS, slowdown };
  const before = await blankFrames(browser, blank);
  const painted = await paint(browser, book, { seconds: Number(values.seconds), slowdown });
  const reference = Math.max(before, await blankFrames(browser, blank));
  const ratio = painted.framesPerSecond / reference;
  const name = slowdown === 1 ? '' : `, processor ${slowdown} times slower`;
  const frames = `${painted.framesPerSecond.toFixed(1)}/s`;
  show(`frames a second${name}`, frames, `${reference.toFixed(1)} of a page without content`);
  show(`  as a part of those`, ratio.toFixed(2), '');
  show(`main thread${name}`, `${(painted.mainThread * 100).toFixed(0)} %`, '');
  const [first, last] = painted.heapMb;
  show(`heap${name}`, `${last.toFixed(1)} MB`, `${first.toFixed(1)} at the beginning`);
  return { painted, ratio };
}

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
