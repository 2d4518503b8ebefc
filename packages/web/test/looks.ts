/**
 * Checks a page in both themes, on a wide screen and on a phone, with axe and for sideways scrolling. With
 * BOURSE_PICTURES it takes all four pictures.
 */

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { areAllWanted, axeFindings, takePicture } from '@bourse/test-kit/browser/page-suite.ts';
import { settled } from './console-page.ts';

const PHONE = { theme: 'light', width: 390, height: 844, suffix: '-phone' } as const;
const DARK = { theme: 'dark', width: 1440, height: 900, suffix: '' } as const;
/** Together they cover both themes and both widths. */
const FEW = [PHONE, DARK];
const ALL = [
  PHONE,
  { ...PHONE, theme: 'dark', suffix: '-phone-dark' } as const,
  { ...DARK, theme: 'light', suffix: '-light' } as const,
  DARK,
];

/** The page stays dark and wide afterwards. */
export async function looks(page: Page, name: string): Promise<void> {
  for (const { theme, width, height, suffix } of areAllWanted ? ALL : FEW) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height });
    await settled(page);
    await takePicture(page, name + suffix);
    assert.deepEqual(await axeFindings(page), [], `${name}, ${theme}, ${width} wide`);
    const isNarrow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(isNarrow, `${name} scrolls sideways, ${width} wide`);
  }
}
