/** Small texts on the disk: configuration, keys and tokens. Log, snapshots and history go through `Disk`. */

import { createReadStream } from 'node:fs';
import { open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { moveDurably } from './file-copy.ts';
import { makeDirectories } from './make-directories.ts';

/** Only the owner: such files may hold secrets. */
const PRIVATE_MODE = 0o600;

/** Such files are small: one that does not end, like /dev/zero, must not fill the memory. */
const TEXT_BYTES_MAX = 1 << 24;

/** A message that lists files is for people to read. */
const LISTED_MAX = 20;

export async function readText(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > TEXT_BYTES_MAX) throw new Error(`it is larger than ${TEXT_BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Whoever waits for the file sees all of it or none. */
export async function writePrivateText(path: string, text: string): Promise<void> {
  makeDirectories(dirname(resolve(path)));
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
  makeDirectories(dirname(whole));
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

/** Not a directory, nor a pipe or a device: to open one of those may take for ever. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first names in the directory, hidden ones left out; null when it cannot be read. */
export async function filesIn(directory: string): Promise<readonly string[] | null> {
  const names = await readdir(directory).catch(() => null);
  return (
    names &&
    names
      .filter((name) => !name.startsWith('.'))
      .toSorted()
      .slice(0, LISTED_MAX)
  );
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
