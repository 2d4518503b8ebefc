/**
 * A segment of a hash table: rows by their hash, with the hash beside the row, so that a miss reads only adjacent slots.
 * Open addressing, linear probing, backward-shift deletion. Several rows may have the same hash; the caller compares the
 * rest.
 */

import { assert } from '../assert.ts';
import { NO_ROW } from './text-rows.ts';

const CAPACITY_MIN = 16;

const NO_SLOTS = new Int32Array(0);
/** The slots left over by the latest split, reused by the next one to avoid garbage. */
let spare = NO_SLOTS;

export class SlotSegment {
  /** Pairs of hash and row. */
  #slots: Int32Array<ArrayBuffer>;
  #mask: number;
  #shift: number;
  #used = 0;

  constructor(capacity: number = CAPACITY_MIN) {
    this.#slots = emptySlots(capacity);
    this.#mask = capacity - 1;
    this.#shift = Math.clz32(this.#mask);
  }

  get count(): number {
    return this.#used;
  }

  get capacity(): number {
    return this.#mask + 1;
  }

  /** The first position to probe. The hash's highest bits choose it; the lowest have chosen the segment. */
  home(hash: number): number {
    return hash >>> this.#shift;
  }

  /** The next position from here on that has this hash or is empty. */
  seek(hash: number, from: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let at = from;
    while (slots[at << 1] !== hash && slots[(at << 1) | 1] !== NO_ROW) at = (at + 1) & mask;
    return at;
  }

  after(place: number): number {
    return (place + 1) & this.#mask;
  }

  /** NO_ROW if the position is empty. */
  row(place: number): number {
    return this.#slots[(place << 1) | 1];
  }

  /** Fills an empty position that was found with this hash. */
  put(place: number, hash: number, row: number): void {
    this.#slots[place << 1] = hash;
    this.#slots[(place << 1) | 1] = row;
    this.#used++;
    if (this.#used * 4 > this.capacity * 3) this.#resize(this.capacity * 2);
  }

  /** The row must exist. */
  remove(hash: number, row: number): void {
    const slots = this.#slots;
    const mask = this.#mask;
    let hole = this.home(hash);
    while (slots[(hole << 1) | 1] !== row) {
      assert(slots[(hole << 1) | 1] !== NO_ROW, 'a row that is removed is in its table');
      hole = (hole + 1) & mask;
    }
    this.#used--;
    // Move every later entry of the run that can move closer to its home into the hole.
    for (let at = (hole + 1) & mask; slots[(at << 1) | 1] !== NO_ROW; at = (at + 1) & mask) {
      const home = this.home(slots[at << 1]);
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        slots[hole << 1] = slots[at << 1];
        slots[(hole << 1) | 1] = slots[(at << 1) | 1];
        hole = at;
      }
    }
    slots[hole << 1] = 0;
    slots[(hole << 1) | 1] = NO_ROW;
    if (this.#used * 8 < this.capacity && this.capacity > CAPACITY_MIN) this.#resize(this.capacity / 2);
  }

  /** Moves the rows whose hash has this bit to a new segment of the same capacity. */
  split(bit: number): SlotSegment {
    const slots = this.#slots;
    const other = new SlotSegment(this.capacity);
    this.#clear(this.capacity);
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i + 1] !== NO_ROW) ((slots[i] & bit) === 0 ? this : other).#add(slots[i], slots[i + 1]);
    }
    spare = slots;
    return other;
  }

  /** Takes over all rows of the other segment. */
  merge(other: SlotSegment): void {
    const slots = other.#slots;
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i + 1] !== NO_ROW) this.#add(slots[i], slots[i + 1]);
    }
  }

  #add(hash: number, row: number): void {
    const slots = this.#slots;
    const mask = this.#mask;
    let at = this.home(hash);
    while (slots[(at << 1) | 1] !== NO_ROW) at = (at + 1) & mask;
    this.put(at, hash, row);
  }

  #resize(capacity: number): void {
    const slots = this.#slots;
    this.#clear(capacity);
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i + 1] !== NO_ROW) this.#add(slots[i], slots[i + 1]);
    }
  }

  #clear(capacity: number): void {
    this.#slots = emptySlots(capacity);
    this.#mask = capacity - 1;
    this.#shift = Math.clz32(this.#mask);
    this.#used = 0;
  }
}

function emptySlots(capacity: number): Int32Array<ArrayBuffer> {
  if (spare.length !== capacity * 2) return new Int32Array(capacity * 2);
  const slots = spare;
  spare = NO_SLOTS;
  return slots.fill(0);
}
