/**
 * npm run bench:web [-- --json] [-- --seconds N] [-- --updates N] [-- --soak-minutes N] [-- --starts N]
 *
 * The terminal in a browser, against the bars that it is held to: how long until a filled book is seen, how large its
 * scripts are, how it paints and what it keeps while the book changes a thousand times a second, and whether `npm start`
 * is slower with pages than without. `--soak-minutes 10` compares the heap of minute 2 with that of the last one.
 */

import { parseArgs } from 'node:util';
import { buildPages } from '../../packages/test-tools/src/browser/built-pages.ts';
import { launchChromium, whySkipped } from '../../packages/test-tools/src/browser/chromium.ts';
import { startBusyBook } from './busy-book.ts';
import { firstLoadMs } from './first-load.ts';
import { paint } from './painting.ts';
import { scriptBytes } from './script-size.ts';
import { startTimes } from './start-times.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    updates: { type: 'string', default: '1000' },
    'soak-minutes': { type: 'string', default: '0' },
    loads: { type: 'string', default: '5' },
    starts: { type: 'string', default: '5' },
  },
});

/** What the pages are held to. */
const BARS = { frameMs: 20, longTaskMs: 100, heapGrowth: 1.1, loadMs: 1000, scriptKb: 200, startRatio: 1.1 };

const show = (name: string, text: string, bar: string) =>
  console.log(`${name.padEnd(42)} ${text.padStart(12)}   ${bar}`);

const skipped = whySkipped();
if (skipped) throw new Error(skipped);
await buildPages();

const script = scriptBytes();
const starts = await startTimes(Number(values.starts));
const book = await startBusyBook(Number(values.updates));
const browser = await launchChromium();
try {
  const loadMs = await firstLoadMs(browser, book.url, Number(values.loads));
  const painted = await paint(browser, book, Number(values.seconds), Number(values['soak-minutes']));
  const figures = {
    script_kb: script.terminal / 1000,
    chart_kb: script.chart / 1000,
    first_load_ms: loadMs,
    book_updates_per_second: painted.updatesPerSecond,
    frame_p95_ms: painted.frameP95Ms,
    frame_p99_ms: painted.frameP99Ms,
    frames_per_second: painted.framesPerSecond,
    long_task_max_ms: painted.longTaskMaxMs,
    heap_growth: painted.heapGrowth,
    start_ms: starts.withPagesMs,
    start_without_pages_ms: starts.withoutPagesMs,
    /** The headline: how much of a frame's bar is used. */
    ratio: painted.frameP95Ms / BARS.frameMs,
  };
  show(
    'script of the terminal, compressed',
    `${figures.script_kb.toFixed(0)} kB`,
    `at most ${BARS.scriptKb} kB`,
  );
  show('first load to a filled book', `${loadMs.toFixed(0)} ms`, `at most ${BARS.loadMs} ms`);
  show('book updates taken', `${painted.updatesPerSecond.toFixed(0)}/s`, `${values.updates} sent`);
  show('frames, p95', `${painted.frameP95Ms.toFixed(1)} ms`, `at most ${BARS.frameMs} ms`);
  show('longest task', `${painted.longTaskMaxMs.toFixed(0)} ms`, `at most ${BARS.longTaskMs} ms`);
  show('heap, last against first', painted.heapGrowth.toFixed(2), `at most ${BARS.heapGrowth}`);
  const ratio = starts.withPagesMs / starts.withoutPagesMs;
  show('npm start, with pages against without', ratio.toFixed(2), `at most ${BARS.startRatio}`);
  if (values.json) console.log(JSON.stringify(figures));
} finally {
  await browser.close();
  await book.close();
}
