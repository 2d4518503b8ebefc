/** What axe finds wrong with a page for people who use it without a mouse, without colours or without seeing it. */

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One line for each finding, on the whole page or within what a selector names. */
export async function axeFindings(page: Page, within = 'html'): Promise<string[]> {
  // The page's policy lets no script in; `evaluate` is the debugger's.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (where) => (globalThis as unknown as { axe: { run(where: string): Promise<AxeResults> } }).axe.run(where),
    within,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${target.join(' ')}: ${failureSummary.split('\n').at(-1)!.trim()}`,
    ),
  );
}
