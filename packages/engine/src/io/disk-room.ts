/** How much room the disk has that a directory is on. */

import { existsSync, statfsSync } from 'node:fs';

/** Not a number where the directory is not there, as for an exchange that keeps everything in memory. */
export function diskRoom(dir: string): { readonly freeBytes: number; readonly allBytes: number } {
  if (!existsSync(dir)) return { freeBytes: Number.NaN, allBytes: Number.NaN };
  const { bsize, bavail, blocks } = statfsSync(dir);
  return { freeBytes: bavail * bsize, allBytes: blocks * bsize };
}
