/** One file of the lossy disk: its visible content, its durable content, and the changes in between. */

import type { Random } from '../random.ts';

type Change =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number };

const SECTOR_BYTES = 512;

export class LossyFile {
  #live = new Content();
  #durable = new Content();
  #changes: Change[] = [];

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

  #change(change: Change): void {
    this.#live.apply(change);
    this.#changes.push(change);
  }
}

/** The earlier content of a sector reached the disk together with a later write to it. */
function earlierParts(change: Change, later: readonly (readonly Change[])[]): Change[] {
  if (change.kind === 'truncate') return [];
  const shared = new Set<number>();
  for (const { sector } of later.flat().flatMap(sectorsOf)) shared.add(sector);
  return sectorsOf(change).flatMap(({ sector, part }) => (shared.has(sector) ? [part] : []));
}

function sectorsOf(change: Change): { readonly sector: number; readonly part: Change }[] {
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
function surviving(random: Random, change: Change, mayTear: boolean): Change[] {
  const luck = random.fraction();
  if (luck < 0.25) return [change];
  if (luck < 0.5 || change.kind === 'truncate') return [];
  if (luck < 0.75 && mayTear) return torn(random, change);
  return sectors(random, change);
}

/** A beginning; the file may have been made longer all the same, and then the rest is zeros. */
function torn(random: Random, { position, bytes }: Extract<Change, { kind: 'write' }>): Change[] {
  const kept = random.below(bytes.length + 1);
  const parts: Change[] = [{ kind: 'write', position, bytes: bytes.subarray(0, kept) }];
  if (random.chance(0.3))
    parts.push({ kind: 'write', position: position + bytes.length, bytes: new Uint8Array(0) });
  return parts;
}

/** Some of its sectors, as they lie in the file. */
function sectors(random: Random, { position, bytes }: Extract<Change, { kind: 'write' }>): Change[] {
  const parts: Change[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = Math.min(bytes.length, at + SECTOR_BYTES - ((position + at) % SECTOR_BYTES));
    if (random.chance(0.5))
      parts.push({ kind: 'write', position: position + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return parts;
}

/** Bytes that grow; what lies between is zeros. */
class Content {
  size = 0;
  #bytes = Buffer.alloc(256);

  read(position: number, length: number): Uint8Array {
    const end = Math.max(position, Math.min(position + length, this.size));
    return new Uint8Array(this.#bytes.subarray(position, end));
  }

  apply(change: Change): void {
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
