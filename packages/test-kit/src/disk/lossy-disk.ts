/**
 * A disk that guarantees no more than it must. A crash may lose unsynced data: any subset of the writes, any sectors of
 * one, the last one torn at any byte; entries of an unsynced directory may vanish or reappear. It can be full, and fails at
 * a chosen write or sync.
 */

import type { Disk, DiskFile } from '../../../engine/src/io/disk.ts';
import type { Random } from '../random.ts';

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
  /** Waits for the device; nothing is durable before. */
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

// One file of the lossy disk: its visible content, its durable content, and the changes in between.

type FileChange =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number };

const SECTOR_BYTES = 512;

class LossyFile {
  #live = new Content();
  #durable = new Content();
  #changes: FileChange[] = [];

  get size(): number {
    return this.#live.size;
  }

  /** Changes that a sync started now makes durable. */
  get unsynced(): number {
    return this.#changes.length;
  }

  read(position: number, length: number): Uint8Array {
    return this.#live.read(position, length);
  }

  write(position: number, bytes: Uint8Array): void {
    if (bytes.length > 0) this.#change({ kind: 'write', position, bytes: new Uint8Array(bytes) });
  }

  truncate(size: number): void {
    this.#change({ kind: 'truncate', size });
  }

  settle(count: number): void {
    for (const change of this.#changes.splice(0, count)) this.#durable.apply(change);
  }

  /**
   * A sync failed: some of the unsynced data reaches the disk, in whole sectors, and the rest never will, although it stays
   * visible. Returns the number of damaged changes.
   */
  forget(random: Random): number {
    return this.#lose(random, false);
  }

  /** Power failure: the same, but the last write may also be torn at any byte, and the loss becomes visible. */
  crash(random: Random): number {
    const harmed = this.#lose(random, true);
    this.#live = this.#durable.copy();
    return harmed;
  }

  #lose(random: Random, mayTear: boolean): number {
    let harmed = 0;
    const changes = this.#changes;
    const kept = changes.map((change, index) =>
      surviving(random, change, mayTear && index === changes.length - 1),
    );
    kept.forEach((parts, index) => {
      if (parts.length !== 1 || parts[0] !== changes[index]) harmed += 1;
      for (const part of [...earlierParts(changes[index], kept.slice(index + 1)), ...parts])
        this.#durable.apply(part);
    });
    this.#changes = [];
    return harmed;
  }

  #change(change: FileChange): void {
    this.#live.apply(change);
    this.#changes.push(change);
  }
}

/** The earlier content of a sector reached the disk together with a later write to it. */
function earlierParts(change: FileChange, later: readonly (readonly FileChange[])[]): FileChange[] {
  if (change.kind === 'truncate') return [];
  const shared = new Set<number>();
  for (const { sector } of later.flat().flatMap(sectorsOf)) shared.add(sector);
  return sectorsOf(change).flatMap(({ sector, part }) => (shared.has(sector) ? [part] : []));
}

function sectorsOf(change: FileChange): { readonly sector: number; readonly part: FileChange }[] {
  if (change.kind === 'truncate') return [];
  const { position, bytes } = change;
  const parts = [];
  for (let at = 0; at < bytes.length; ) {
    const sector = Math.floor((position + at) / SECTOR_BYTES);
    const end = Math.min(bytes.length, (sector + 1) * SECTOR_BYTES - position);
    parts.push({
      sector,
      part: { kind: 'write', position: position + at, bytes: bytes.subarray(at, end) } as const,
    });
    at = end;
  }
  return parts;
}

/** The part of a change that survives a crash. */
function surviving(random: Random, change: FileChange, mayTear: boolean): FileChange[] {
  const luck = random.fraction();
  if (luck < 0.25) return [change];
  if (luck < 0.5 || change.kind === 'truncate') return [];
  if (luck < 0.75 && mayTear) return torn(random, change);
  return sectors(random, change);
}

/** The beginning of a write; the file may still have been extended, and then the rest is zeros. */
function torn(random: Random, { position, bytes }: Extract<FileChange, { kind: 'write' }>): FileChange[] {
  const kept = random.below(bytes.length + 1);
  const parts: FileChange[] = [{ kind: 'write', position, bytes: bytes.subarray(0, kept) }];
  if (random.chance(0.3))
    parts.push({ kind: 'write', position: position + bytes.length, bytes: new Uint8Array(0) });
  return parts;
}

/** Some sectors of a write, as they are aligned in the file. */
function sectors(random: Random, { position, bytes }: Extract<FileChange, { kind: 'write' }>): FileChange[] {
  const parts: FileChange[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = Math.min(bytes.length, at + SECTOR_BYTES - ((position + at) % SECTOR_BYTES));
    if (random.chance(0.5))
      parts.push({ kind: 'write', position: position + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return parts;
}

/** A growable buffer; gaps are filled with zeros. */
class Content {
  size = 0;
  #bytes = Buffer.alloc(256);

  read(position: number, length: number): Uint8Array {
    const end = Math.max(position, Math.min(position + length, this.size));
    return new Uint8Array(this.#bytes.subarray(position, end));
  }

  apply(change: FileChange): void {
    if (change.kind === 'truncate') {
      this.#grow(change.size);
      if (change.size < this.size) this.#bytes.fill(0, change.size, this.size);
      this.size = change.size;
      return;
    }
    const end = change.position + change.bytes.length;
    this.#grow(end);
    this.#bytes.set(change.bytes, change.position);
    this.size = Math.max(this.size, end);
  }

  copy(): Content {
    const copy = new Content();
    copy.#bytes = Buffer.from(this.#bytes);
    copy.size = this.size;
    return copy;
  }

  #grow(size: number): void {
    if (size <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(size, this.#bytes.length * 2));
    this.#bytes.copy(grown);
    this.#bytes = grown;
  }
}
