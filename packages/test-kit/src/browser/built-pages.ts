/** The built pages, rebuilt only if their sources have changed. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../../../../scripts/build-web.mjs', import.meta.url));

export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [SCRIPT]);
}
