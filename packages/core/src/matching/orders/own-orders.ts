/**
 * Lists of order rows, in chunks of a cache line: a leaving order clears its position and touches no other order, whereas
 * a linked list would touch two neighbours. Neither removal nor append reads a chunk, so that nothing waits for memory. A
 * chunk is freed when all of its positions were used and all orders have left, so an order costs at most 64 bytes, and 5
 * in a long list.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';

/**
 * Layout, of 16: 0 next and 1 previous chunk, 2-15 order rows, -1 if empty. Positions are numbered through all chunks.
 * Literal positions for the reason given in order-rows.ts.
 */
const NONE = -1;
const CHUNK_BYTES = 64;
const FIRST_CAPACITY = 1024;
const FIRST_PLACE = 2;
const PLACES = 14;

export class OwnOrders {
  readonly #memory = new GrowingMemory(FIRST_CAPACITY * CHUNK_BYTES);
  #chunks = new Int32Array(this.#memory.buffer);
  /** The number of orders that have left each chunk. */
  #left = new Uint8Array(FIRST_CAPACITY);
  #used = 0;
  /** Freed chunks are chained through `next`. */
  #firstFree = NONE;

  /** The first position of a new list. */
  begin(): number {
    return this.#addChunk(NONE);
  }

  /** Whether the list with this next position needs another chunk first. */
  isFull(place: number): boolean {
    return (place & 15) === 0;
  }

  /** Adds a chunk to such a list; returns its first position. */
  extend(place: number): number {
    return this.#addChunk((place >> 4) - 1);
  }

  put(place: number, row: number): void {
    this.#chunks[place] = row;
  }

  /** Clears a position. Returns true if its chunk is used up and empty. */
  remove(place: number): boolean {
    this.#chunks[place] = NONE;
    return ++this.#left[place >> 4] === PLACES;
  }

  /** Frees such a chunk. It must not be the last of its list. */
  drop(chunk: number): void {
    const chunks = this.#chunks;
    this.#link(chunks[(chunk << 4) | 1], chunks[chunk << 4]);
    chunks[chunk << 4] = this.#firstFree;
    this.#firstFree = chunk;
  }

  /** Reuses such a chunk; returns its first position. */
  reuse(chunk: number): number {
    this.#left[chunk] = 0;
    return (chunk << 4) | FIRST_PLACE;
  }

  /** -1 for the last chunk of a list. */
  next(chunk: number): number {
    return this.#chunks[chunk << 4];
  }

  /** The first order from a position on; -1 if there is none. */
  from(place: number): number {
    const chunks = this.#chunks;
    let at = place;
    while (true) {
      for (; (at & 15) !== 0; at++) if (chunks[at] !== NONE) return chunks[at];
      const next = chunks[at - 16];
      if (next === NONE) return NONE;
      at = (next << 4) | FIRST_PLACE;
    }
  }

  #addChunk(previous: number): number {
    let chunk = this.#firstFree;
    if (chunk !== NONE) this.#firstFree = this.#chunks[chunk << 4];
    else {
      if (this.#used === this.#left.length) this.#grow();
      chunk = this.#used++;
    }
    this.#chunks.fill(NONE, chunk << 4, (chunk + 1) << 4);
    this.#link(previous, chunk);
    return this.reuse(chunk);
  }

  #link(previous: number, next: number): void {
    if (previous !== NONE) this.#chunks[previous << 4] = next;
    this.#chunks[(next << 4) | 1] = previous;
  }

  #grow(): void {
    this.#memory.double();
    this.#chunks = new Int32Array(this.#memory.buffer);
    const left = new Uint8Array(this.#left.length * 2);
    left.set(this.#left);
    this.#left = left;
  }
}
