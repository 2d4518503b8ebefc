/** Helpers for tests with the keyboard only. */

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

const TABS_MAX = 120;

/** Presses Tab until the focused element has that name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let press = 0; press < TABS_MAX; press++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return element?.ariaLabel ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
    });
    if (name.test(focused.trim())) return;
  }
  assert.fail(`the tab key does not lead to ${name}`);
}

/** The same, then presses Enter. */
export async function tabAndPress(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}
