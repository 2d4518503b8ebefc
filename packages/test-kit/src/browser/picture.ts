/**
 * Screenshots for the documentation. Every run takes them, so that a page that cannot be rendered is noticed; with
 * BOURSE_PICTURES=1 they are written to docs/images.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const isWanted = process.env['BOURSE_PICTURES'] === '1';

/** `name` is below docs/images and without its ending. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (!isWanted) return;
  const path = fileURLToPath(new URL(`../../../../docs/images/${name}.png`, import.meta.url));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
