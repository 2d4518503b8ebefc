/** What axe finds wrong with a page for people who use it without a mouse, without colours or without seeing it. */

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(where: string, options: RunOptions): Promise<AxeResults>;
}

/** One line for each finding, on the whole page or within what a selector names. */
export async function axeFindings(page: Page, within = 'html'): Promise<string[]> {
  // The page's policy lets no script in; `evaluate` is the debugger's. It stays until the page is loaded anew.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    // Of what is right only a count is kept: to describe every element of it takes longer than to look at it.
    (where) => (globalThis as unknown as { axe: Axe }).axe.run(where, { resultTypes: ['violations'] }),
    within,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${target.join(' ')}: ${failureSummary.split('\n').at(-1)!.trim()}`,
    ),
  );
}
