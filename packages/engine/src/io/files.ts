/**
 * Directories and files: creating and removing them, private where they hold data, and copying them durably, for exchanges
 * that begin where another one stands. Files too large for memory are streams of bytes.
 */

import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  promises,
  statSync,
  write,
} from 'node:fs';
import { lstat, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * Creates the directory and its parents; returns the first created one, undefined if all existed. Node's recursive
 * mkdir does not return if the system reports a missing directory although its parent exists, as in /proc, and hides
 * that a file system is read-only.
 */
export function makeDirectories(path: string, mode?: number): string | undefined {
  try {
    mkdirSync(path, { ...(mode !== undefined && { mode }) });
    return path;
  } catch (error) {
    if (isDirectory(path)) return undefined;
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    const first = makeDirectories(above, mode);
    // If all parents existed, the system creates nothing here.
    if (first === undefined) throw error;
    return makeDirectories(path, mode) === undefined ? undefined : first;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The topmost missing directory of a path; null if it exists. A failed start removes the directories it created. */
export function firstMissing(path: string): string | null {
  let missing: string | null = null;
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing = at;
  return missing;
}

/** Recursive. Resolves even if it does not exist. */
export function removeDirectory(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

/** A directory for the duration of one action. */
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

// Files that only their owner may read, and finding those with wider permissions.

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** Permission bits of group and others. */
const OTHERS = 0o077;
/** Permission bits of others. */
const EVERYBODY = 0o007;

export function makePrivateDirectory(path: string): void {
  makeDirectories(path, DIRECTORY_MODE);
}

/**
 * Creates an empty file unless it exists: a database would create it readable for everybody. The files that SQLite
 * puts beside it get the same mode.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE));
}

/** The identity and modification time of the file; null if there is none. */
export async function stampOf(
  path: string,
): Promise<{ readonly bytes: number; readonly text: string } | null> {
  try {
    const { dev, ino, size, mtimeNs } = await lstat(path, { bigint: true });
    return { bytes: Number(size), text: `${dev} ${ino} ${size} ${mtimeNs}` };
  } catch {
    return null;
  }
}

/** Whether every user of this machine may read or write it; group access may be intended. Always false on Windows. */
export async function isOpenToAll(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  return ((await stat(path)).mode & EVERYBODY) !== 0;
}

/** Every path at or below the directory that users other than the owner may read or write; none on Windows. */
export async function findShared(dir: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const { mode } = await lstat(dir);
  const shared = mode & OTHERS ? [dir] : [];
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const found = await lstat(path).catch(() => null);
    if (found && found.mode & OTHERS) shared.push(path);
  }
  return shared;
}

// Durable copies and streams.

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

/** Makes creations, renames and removals in the directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await promises.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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

/** The name of a large file while it is written ends with this, so a file without it is complete. */
export const UNFINISHED = '.tmp';

/**
 * Writes the chunks that `fetch` returns, in order. All or nothing; durable when it resolves. The unfinished file always
 * has the same name: what a killed process leaves is overwritten by the next attempt.
 */
export async function writeFilePieces(
  path: string,
  names: readonly string[],
  fetch: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (const name of names) yield await fetch(name);
  };
  const unfinished = path + UNFINISHED;
  try {
    await writeFileFrom(unfinished, pieces());
    await moveDurably(unfinished, path);
  } catch (error) {
    // The first error says why it failed.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
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
  return new Promise((written, reject) => {
    write(1, text, (error) => (error ? reject(error) : written()));
  });
}
