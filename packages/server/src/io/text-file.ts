/** Small texts on the disk: configuration, keys and tokens. The log and its kin go through `Disk`. */

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';

/** Only the owner: such files may hold secrets. */
const PRIVATE_MODE = 0o600;

export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

/** Whoever waits for the file sees all of it or none. */
export async function writePrivateText(path: string, text: string): Promise<void> {
  await mkdir(dirname(resolve(path)), { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, text, { mode: PRIVATE_MODE });
  await rename(unfinished, path);
}

/** Content if it is not there. */
export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

export function isInside(path: string, directory: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(directory)}${sep}`);
}
