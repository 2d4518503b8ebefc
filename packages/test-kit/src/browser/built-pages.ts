/** The pages as users get them: built, unless they were built from the same sources before. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../../../../scripts/build-web.mjs', import.meta.url));

export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [SCRIPT]);
}
