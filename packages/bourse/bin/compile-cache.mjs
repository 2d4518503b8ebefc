// Compiled code is kept, so that the second start is faster than the first. Whoever could write there could run code as
// this user, and the system's temporary directory is everybody's: so it is a directory that this user owns alone, or none.

import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OTHERS = 0o022;

/** @returns {string | undefined} */
export function ownCacheDirectory(parent = tmpdir()) {
  const uid = process.getuid?.();
  const path = join(parent, `bourse-compile-cache-${uid ?? 'user'}`);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const found = lstatSync(path);
    const isOwn = uid === undefined || (found.uid === uid && (found.mode & OTHERS) === 0);
    return found.isDirectory() && isOwn ? path : undefined;
  } catch {
    return undefined;
  }
}
