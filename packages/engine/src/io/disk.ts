/**
 * The disk operations that the engine needs, and no others, so that a simulated disk can make each of them fail.
 * Paths are absolute or relative to the working directory, as given by the caller. Failures are Node's own errors,
 * with `code`.
 *
 * Writing and truncating are synchronous, into the page cache: a trip to the thread pool costs more than the call.
 * Only operations that may wait for the device are asynchronous.
 */

import * as fs from 'node:fs';
import { existsSync, promises, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories, syncDirectory } from './files.ts';

export interface Disk {
  /** Creates the directory and its parents, durably; succeeds if it exists. */
  makeDirectory(path: string): Promise<void>;
  /** Names in the directory, sorted; empty if the directory does not exist. */
  list(path: string): Promise<string[]>;
  /** 'read' for reading only; 'write' for both; 'create' for both, and creates the file, which must not exist. */
  open(path: string, mode: 'read' | 'write' | 'create'): Promise<DiskFile>;
  /** Replaces an existing file of the new name. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in the directory durable. */
  syncDirectory(path: string): Promise<void>;
}

export interface DiskFile {
  size(): Promise<number>;
  /** Reads up to `length` bytes at `position`; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Writes all of the bytes at `position`, or throws; then any prefix of them may have been written. */
  write(position: number, bytes: Uint8Array): void;
  truncate(size: number): void;
  /** Makes everything written before this call durable. After an error the state is unknown: never retry. */
  sync(): Promise<void>;
  /** The same, synchronously: for rare data that must not be visible before it is durable. */
  syncNow(): void;
  close(): Promise<void>;
}

/** Node reads at most 2 GiB at once. */
const READ_BYTES_MAX = 1 << 30;

/** Log, snapshots and history contain everybody's orders and money, so only the owner may read them. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

const FLAGS = { read: 'r', write: 'r+', create: 'wx+' } as const;

/** The machine's disk. */
export const nodeDisk: Disk = {
  async makeDirectory(path) {
    const first = makeDirectories(path, DIRECTORY_MODE);
    if (first === undefined) return;
    // Every created directory is an entry in its parent.
    const top = dirname(first);
    for (let above = dirname(path); ; above = dirname(above)) {
      await this.syncDirectory(above);
      if (above === top || above === dirname(above)) return;
    }
  },

  async list(path) {
    try {
      return (await promises.readdir(path)).toSorted();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  },

  async open(path, mode) {
    return new NodeFile(await call<number>((done) => fs.open(path, FLAGS[mode], FILE_MODE, done)));
  },

  rename: (from, to) => promises.rename(from, to),
  remove: (path) => promises.rm(path),

  syncDirectory,
};

/** Callbacks instead of file handles: somebody waits for each sync, and they have a third of the overhead. */
class NodeFile implements DiskFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  async size(): Promise<number> {
    return (await call<fs.Stats>((done) => fs.fstat(this.#fd, done))).size;
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(length);
    let at = 0;
    while (at < length) {
      const piece = Math.min(length - at, READ_BYTES_MAX);
      const count = await call<number>((done) => fs.read(this.#fd, bytes, at, piece, position + at, done));
      if (count === 0) break;
      at += count;
    }
    return bytes.subarray(0, at);
  }

  write(position: number, bytes: Uint8Array): void {
    let at = 0;
    // A short write is not an error; the next write fails with the reason.
    while (at < bytes.length) {
      const count = fs.writeSync(this.#fd, bytes, at, bytes.length - at, position + at);
      if (count === 0)
        throw new Error(`The system wrote 0 of ${bytes.length - at} bytes and named no error.`);
      at += count;
    }
  }

  truncate(size: number): void {
    fs.ftruncateSync(this.#fd, size);
  }

  sync(): Promise<void> {
    return call<void>((done) => fs.fdatasync(this.#fd, done));
  }

  syncNow(): void {
    fs.fdatasyncSync(this.#fd);
  }

  close(): Promise<void> {
    return call<void>((done) => fs.close(this.#fd, done));
  }
}

function call<T>(start: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}

/** The space of the directory's disk. NaN if the directory does not exist, as for an exchange in memory. */
export function diskRoom(dir: string): { readonly freeBytes: number; readonly allBytes: number } {
  if (!existsSync(dir)) return { freeBytes: Number.NaN, allBytes: Number.NaN };
  const { bsize, bavail, blocks } = statfsSync(dir);
  return { freeBytes: bavail * bsize, allBytes: blocks * bsize };
}
