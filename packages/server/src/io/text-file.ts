/** Small texts on the disk: configuration, keys and tokens. Log, snapshots and history go through `Disk`. */

import { mkdir, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { moveDurably } from './file-copy.ts';

/** Only the owner: such files may hold secrets. */
const PRIVATE_MODE = 0o600;

export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

/** Whoever waits for the file sees all of it or none. */
export async function writePrivateText(path: string, text: string): Promise<void> {
  await mkdir(dirname(resolve(path)), { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, text, { mode: PRIVATE_MODE });
    await rename(unfinished, path);
  } catch (error) {
    // The first error says why writing failed; that the temporary file could not be removed is not reported.
    await removeFile(unfinished).catch(() => undefined);
    throw error;
  }
}

/** All of it or none, also after the power fails; durable when it resolves. */
export async function writeDurableText(path: string, text: string): Promise<void> {
  const whole = resolve(path);
  await mkdir(dirname(whole), { recursive: true });
  const unfinished = `${whole}.${process.pid}.tmp`;
  const file = await open(unfinished, 'w', PRIVATE_MODE);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await moveDurably(unfinished, whole);
}

/** Does nothing if it is not there. */
export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** Where the file really is: links are followed. */
export async function isInside(path: string, directory: string): Promise<boolean> {
  return `${await realPath(path)}${sep}`.startsWith(`${await realPath(directory)}${sep}`);
}

/** What is not there yet will be where its directory is. */
async function realPath(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(await realPath(parent), basename(whole));
  }
}
