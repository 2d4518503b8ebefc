/** A directory for the time of one action. */

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { removeDirectory } from './file-copy.ts';

export async function inTemporaryDirectory<T>(
  prefix: string,
  action: (dir: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(`${tmpdir()}/${prefix}`);
  try {
    return await action(dir);
  } finally {
    await removeDirectory(dir);
  }
}
