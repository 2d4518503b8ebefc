/**
 * Small files, read and written as a whole: configuration, keys, tokens, and the built pages. Log, snapshots and history go
 * through `Disk`.
 */

import { randomBytes } from 'node:crypto';
import { constants, createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectories, moveDurably } from './files.ts';

/** Readable only for the owner, because such files may contain secrets. */
const PRIVATE_MODE = 0o600;
const NAME_BYTES = 12;

/** Such files are small; an endless one, like /dev/zero, must not fill the memory. */
const TEXT_BYTES_MAX = 1 << 24;

const LINE_LENGTH_MAX = 1 << 16;

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

/** Reads a file of any size in batches of lines. Each line has its line end, which only the last one may lack. */
export async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield lines.map((line) => `${line}\n`);
    if (rest.length > LINE_LENGTH_MAX) throw new Error(`a line is longer than ${LINE_LENGTH_MAX} characters`);
  }
  if (rest !== '') yield [rest];
}

/** Appends to an existing file; durable when it resolves. After an error it may contain a part. */
export async function appendDurableText(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** A process that waits for the file sees all of it or nothing. */
export function writePrivateText(path: string, text: string): Promise<void> {
  return writeWhole(path, (file) => file.writeFile(text), rename);
}

/** All or nothing, even after a power failure; durable when it resolves. */
export function writeDurableText(path: string, text: string): Promise<void> {
  const write = async (file: FileHandle): Promise<void> => {
    await file.writeFile(text);
    await file.datasync();
  };
  return writeWhole(path, write, moveDurably);
}

/**
 * Others may have write access to the directory, such as /tmp: under a predictable name they could place a link to
 * another file, or a file that they keep open. So the name is random and the file must be new.
 */
async function writeWhole(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  move: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const whole = resolve(path);
  makeDirectories(dirname(whole));
  const unfinished = `${whole}.${randomBytes(NAME_BYTES).toString('hex')}.tmp`;
  const file = await open(unfinished, 'wx', PRIVATE_MODE);
  try {
    await write(file).finally(() => file.close());
    await move(unfinished, whole);
  } catch (error) {
    // The first error says why writing failed; a failure to remove the temporary file is not reported.
    await removeFile(unfinished).catch(() => undefined);
    throw error;
  }
}

/** Succeeds even if the file does not exist. */
export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** Not a directory, pipe or device: opening one of those may block forever. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first names in the directory, without hidden ones; null if it cannot be read. */
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

/** The real path of the file: follows links. */
export async function isInside(path: string, directory: string): Promise<boolean> {
  return `${await realPath(path)}${sep}`.startsWith(`${await realPath(directory)}${sep}`);
}

/** A file that does not exist yet is resolved by its directory. */
async function realPath(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(await realPath(parent), basename(whole));
  }
}

// The folder with the built pages, read completely because their files refer to each other.

/** The published package contains the built pages; in the repository they may not be built yet. */
export const PAGE_FOLDER = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** Written last by the build. */
const FIRST_FILE = 'index.html';

const buildScript = join(PAGE_FOLDER, '../../../scripts/build-web.mjs');
/** Null outside the repository. */
export const PAGE_BUILD_SCRIPT = existsSync(buildScript) ? buildScript : null;

export function isPageFolder(folder: string): boolean {
  return existsSync(join(folder, FIRST_FILE));
}

/** By paths relative to the folder, with forward slashes; skips names that begin with a dot. */
export function readPageFiles(folder: string): Map<string, Buffer> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [posix.join(...path.slice(folder.length).split(/[\\/]/)), readFileSync(path)];
      }),
  );
}
