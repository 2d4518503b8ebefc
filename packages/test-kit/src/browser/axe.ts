/** Accessibility violations of a page, as found by axe. */

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(where: string, options: RunOptions): Promise<AxeResults>;
}

/** One line per violation, on the whole page or within a selector. */
export async function axeFindings(page: Page, within = 'html'): Promise<string[]> {
  // The page's CSP blocks injected scripts; `evaluate` goes through the debugger. axe stays until the page reloads.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    // Report only violations: describing every passing element takes longer than checking it.
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
