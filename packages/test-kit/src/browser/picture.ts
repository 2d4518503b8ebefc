/**
 * Screenshots. Every run takes them, so that a page that cannot be rendered is noticed. BOURSE_PICTURES=1 updates those in
 * docs/images; the name of a directory writes all of them there, to look at.
 */

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const wanted = process.env['BOURSE_PICTURES'] ?? '';
const DOCS = fileURLToPath(new URL('../../../../docs/images', import.meta.url));

/** Whether somebody will look at all of them. */
export const areAllWanted = wanted.length > 1;

/** `name` is without its ending. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (wanted === '') return;
  const path = resolve(areAllWanted ? wanted : DOCS, `${name}.png`);
  if (!areAllWanted && !existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
