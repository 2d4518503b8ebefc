/**
 * Copies of files and directories, made durable: for exchanges that begin where another one stands. Files too large for
 * memory as streams of bytes, and standard output.
 */

import { type BigIntStats, constants, promises, write } from 'node:fs';
import { dirname } from 'node:path';
import { open } from 'node:fs/promises';
import { makeDirectories } from './directories.ts';
import { DIRECTORY_MODE } from './private-files.ts';

/** Shares blocks where the file system can copy on write; never the file itself. */
const MODE = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/** The first `bytes` of the file, or all of it; durable when it resolves. The new file must not be there. */
export async function copyFile(from: string, to: string, bytes?: number): Promise<void> {
  makeDirectories(dirname(to), DIRECTORY_MODE);
  await promises.copyFile(from, to, MODE);
  const file = await promises.open(to, 'r+');
  try {
    if (bytes !== undefined) await file.truncate(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Recursive. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  makeDirectories(to, DIRECTORY_MODE);
  const entries = await promises.readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
      return entry.isDirectory() ? copyDirectory(source, target) : copyFile(source, target);
    }),
  );
  await syncDirectory(to);
}

/** Whether two paths lead to the same file, through links or mounts; false if either does not exist. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([statOf(one), statOf(other)]);
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
}

async function statOf(path: string): Promise<BigIntStats | null> {
  try {
    return await promises.stat(path, { bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function moveDurably(from: string, to: string): Promise<void> {
  await promises.rename(from, to);
  await syncDirectory(dirname(to));
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await promises.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const FILE_MODE = 0o600;

/** Chunks of this many bytes, and the rest. */
export async function* readFilePieces(path: string, bytesMax: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Writes the chunks that `fetch` returns, in order. Durable when it resolves. */
export function writeFilePieces(
  path: string,
  names: readonly string[],
  fetch: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (const name of names) yield await fetch(name);
  };
  return writeFileFrom(path, pieces());
}

/** Durable when it resolves. */
export async function writeFileFrom(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  makeDirectories(dirname(path), DIRECTORY_MODE);
  const file = await open(path, 'w', FILE_MODE);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** In its own thread: writing to a stopped terminal (Ctrl-S) blocks. */
export function writeToStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    write(1, text, (error) => (error ? reject(error) : resolve()));
  });
}
