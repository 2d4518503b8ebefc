/** A directory that a start is about to make, so that it can be removed where the start fails. */

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The highest part of a path that is not there; null when all of it is. */
export function firstMissing(path: string): string | null {
  let missing: string | null = null;
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing = at;
  return missing;
}
