/**
 * Time from entering the address to a book with prices on both sides, in a browser with an empty cache; and the
 * browser's own time for an empty page, which is included in it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitsEnv } from '@bourse/test-kit/limits.ts';
import type { Browser, Page } from 'playwright-core';
import { FILLED_BOOK } from './painting.ts';
import { SYMBOL } from './busy-book.ts';

/** The middle value; of two middle values the upper one. */
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;

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

// Time of a start until it is ready, with and without pages, alternating so that both see the same load.

export interface StartTimes {
  readonly withPagesMs: number;
  readonly withoutPagesMs: number;
}

const PROGRAM = fileURLToPath(new URL('../../packages/bourse/bin/bourse.mjs', import.meta.url));

/** The median over several starts of each kind. */
export async function startTimes(starts: number): Promise<StartTimes> {
  const times = { true: [] as number[], false: [] as number[] };
  // The first start fills the compile cache for the others.
  await startMs('true');
  for (let at = 0; at < starts; at++) {
    const order = at % 2 === 0 ? (['true', 'false'] as const) : (['false', 'true'] as const);
    for (const pages of order) times[pages].push(await startMs(pages));
  }
  return { withPagesMs: median(times.true), withoutPagesMs: median(times.false) };
}

async function startMs(pages: string): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-bench-start-'));
  const args = [PROGRAM, 'start', '--json', '--port', '0', '--data', data];
  const begun = performance.now();
  const env = limitsEnv({ pages: pages === 'true' }, { ...process.env } as Record<string, string>);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
  await once(child.stdout, 'data');
  const ms = performance.now() - begun;
  child.kill();
  await once(child, 'exit');
  rmSync(data, { recursive: true, force: true });
  return ms;
}
