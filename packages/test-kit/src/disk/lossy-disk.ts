/**
 * A disk that guarantees no more than it must. A crash may lose unsynced data: any subset of the writes, any sectors of
 * one, the last one torn at any byte; entries of an unsynced directory may vanish or reappear. It can be full, and fails at
 * a chosen write or sync.
 */

import type { Disk, DiskFile } from '../../../engine/src/io/disk.ts';
import type { Random } from '../random.ts';
import { LossyFile } from './lossy-file.ts';

type Change =
  | { readonly kind: 'link'; readonly path: string; readonly file: LossyFile }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly file: LossyFile };

export class LossyDisk implements Disk {
  /** Capacity for all files together. */
  roomBytes = Number.POSITIVE_INFINITY;
  /** Counts of operations, to show that a run was not idle. */
  readonly counts = { writes: 0, syncs: 0, full: 0, errors: 0, crashes: 0, lost: 0 };
  readonly #random: Random;
  /** Waits as long as the device takes; nothing is durable before. */
  readonly #wait: () => Promise<void>;
  readonly #directories = new Set<string>();
  #live = new Map<string, LossyFile>();
  #durable = new Map<string, LossyFile>();
  /** Changes of entries that are not durable yet, in order. */
  #changes: Change[] = [];
  #life = 0;
  #writesUntilError = Number.POSITIVE_INFINITY;
  #syncsUntilError = Number.POSITIVE_INFINITY;

  constructor(random: Random, wait: () => Promise<void> = () => Promise.resolve()) {
    this.#random = random;
    this.#wait = wait;
  }

  /** The k-th write from now fails, after a part of it; 1 is the next. */
  failWrite(k: number): void {
    this.#writesUntilError = k;
  }

  /** The k-th sync from now fails, of a file or a directory. */
  failSync(k: number): void {
    this.#syncsUntilError = k;
  }

  /** Power failure: open files are lost, and the next start finds the current content of the disk. */
  crash(): void {
    this.#life += 1;
    this.counts.crashes += 1;
    const kept = this.#changes.filter(() => this.#random.chance(0.5));
    this.counts.lost += this.#changes.length - kept.length;
    for (const change of kept) apply(this.#durable, change);
    this.#changes = [];
    this.#live = new Map(this.#durable);
    for (const file of new Set(this.#live.values())) this.counts.lost += file.crash(this.#random);
    this.failWrite(Number.POSITIVE_INFINITY);
    this.failSync(Number.POSITIVE_INFINITY);
  }

  async makeDirectory(path: string): Promise<void> {
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count++)
      this.#directories.add(parts.slice(0, count).join('/'));
  }

  async list(path: string): Promise<string[]> {
    return [...this.#live.keys()]
      .filter((each) => parentOf(each) === path)
      .map((each) => each.slice(path.length + 1))
      .toSorted();
  }

  async open(path: string, mode: 'read' | 'write' | 'create'): Promise<DiskFile> {
    const found = this.#live.get(path);
    if (mode !== 'create') {
      if (found === undefined) throw fault('ENOENT', `no such file: ${path}`);
      return this.#handle(found, mode === 'write');
    }
    if (found !== undefined) throw fault('EEXIST', `file exists: ${path}`);
    if (!this.#directories.has(parentOf(path))) throw fault('ENOENT', `no such directory: ${parentOf(path)}`);
    const file = new LossyFile();
    this.#change({ kind: 'link', path, file });
    return this.#handle(file, true);
  }

  async rename(from: string, to: string): Promise<void> {
    const file = this.#live.get(from);
    if (file === undefined) throw fault('ENOENT', `no such file: ${from}`);
    this.#change({ kind: 'rename', from, to, file });
  }

  async remove(path: string): Promise<void> {
    if (!this.#live.has(path)) throw fault('ENOENT', `no such file: ${path}`);
    this.#change({ kind: 'unlink', path });
  }

  async syncDirectory(path: string): Promise<void> {
    const life = this.#life;
    const covered = new Set(this.#changes.filter((change) => isIn(path, change)));
    this.#countSync();
    await this.#wait();
    this.#checkAlive(life);
    for (const change of this.#changes) if (covered.has(change)) apply(this.#durable, change);
    this.#changes = this.#changes.filter((change) => !covered.has(change));
  }

  #change(change: Change): void {
    apply(this.#live, change);
    this.#changes.push(change);
  }

  #handle(file: LossyFile, isWritable: boolean): DiskFile {
    const life = this.#life;
    const check = (isWriting: boolean): void => {
      this.#checkAlive(life);
      if (isWriting && !isWritable) throw fault('EBADF', 'opened for reading only');
    };
    return {
      size: async () => {
        check(false);
        return file.size;
      },
      read: async (position, length) => {
        check(false);
        return file.read(position, length);
      },
      write: (position, bytes) => {
        check(true);
        this.#write(file, position, bytes);
      },
      truncate: (size) => {
        check(true);
        file.truncate(size);
      },
      sync: async () => {
        check(false);
        const covered = file.unsynced;
        this.#syncOrForget(file);
        await this.#wait();
        check(false);
        file.settle(covered);
      },
      syncNow: () => {
        check(false);
        this.#syncOrForget(file);
        file.settle(file.unsynced);
      },
      close: async () => {},
    };
  }

  #write(file: LossyFile, position: number, bytes: Uint8Array): void {
    this.counts.writes += 1;
    this.#writesUntilError -= 1;
    if (this.#writesUntilError === 0) {
      this.counts.errors += 1;
      file.write(position, bytes.subarray(0, this.#random.below(bytes.length + 1)));
      throw fault('EIO', 'the write failed');
    }
    // Overwriting takes no space.
    const room = Math.max(0, this.roomBytes - this.#usedBytes()) + Math.max(0, file.size - position);
    if (bytes.length > room) {
      this.counts.full += 1;
      if (room > 0) file.write(position, bytes.subarray(0, room));
      throw fault('ENOSPC', 'no space left on the disk');
    }
    file.write(position, bytes);
  }

  #usedBytes(): number {
    if (this.roomBytes === Number.POSITIVE_INFINITY) return 0;
    return [...this.#live.values()].reduce((sum, file) => sum + file.size, 0);
  }

  #syncOrForget(file: LossyFile): void {
    try {
      this.#countSync();
    } catch (error) {
      // The page cache now considers the pages clean: a later sync does not write them.
      file.forget(this.#random);
      throw error;
    }
  }

  #countSync(): void {
    this.counts.syncs += 1;
    this.#syncsUntilError -= 1;
    if (this.#syncsUntilError !== 0) return;
    this.counts.errors += 1;
    throw fault('EIO', 'the sync failed');
  }

  #checkAlive(life: number): void {
    if (life !== this.#life) throw fault('EIO', 'the power is gone');
  }
}

function apply(entries: Map<string, LossyFile>, change: Change): void {
  if (change.kind === 'link') entries.set(change.path, change.file);
  else if (change.kind === 'unlink') entries.delete(change.path);
  else {
    entries.delete(change.from);
    entries.set(change.to, change.file);
  }
}

function isIn(directory: string, change: Change): boolean {
  const paths = change.kind === 'rename' ? [change.from, change.to] : [change.path];
  return paths.some((path) => parentOf(path) === directory);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function fault(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
