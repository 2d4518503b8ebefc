/**
 * Price levels of all books, one row each. A level has two queues in order of arrival, linked through the orders'
 * rows: the visible one (ordinary orders, slices of icebergs) and the hidden one.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';

/**
 * Layout: a row is one cache line, read as doubles and as integers (`links`). Doubles of 8: 0 price, 1 visible, 2 total;
 * integers of 16: 8 first and 9 last of the visible queue, 10 and 11 of the hidden one, 12 the ladder's block, 13 the number
 * of ordinary orders, 14 of icebergs. Literal positions for the reason given in order-rows.ts.
 *
 * A block's sums are kept here, because they change with those of its levels.
 */
export const VISIBLE_QUEUE = 0;
export const HIDDEN_QUEUE = 2;

const ROW_BYTES = 64;
const FIRST_CAPACITY = 4096;
const FIRST_BLOCKS = 128;

export class LevelTable {
  readonly #memory = new GrowingMemory(FIRST_CAPACITY * ROW_BYTES);
  #numbers = new Float64Array(this.#memory.buffer);
  #links = new Int32Array(this.#memory.buffer);
  #used = 0;
  /** Freed rows are chained through the first of the visible queue. */
  #free = -1;
  #blockTotals = new Float64Array(FIRST_BLOCKS);
  #blockOrdinary = new Int32Array(FIRST_BLOCKS);
  #blockIcebergs = new Int32Array(FIRST_BLOCKS);
  readonly #freeBlocks: number[] = [];
  #usedBlocks = 0;

  add(price: number): number {
    let level = this.#free;
    if (level >= 0) this.#free = this.#links[(level << 4) | 8];
    else {
      if (this.#used * 16 === this.#links.length) this.#grow();
      level = this.#used++;
    }
    this.#numbers[level << 3] = price;
    this.#numbers[(level << 3) | 1] = 0;
    this.#numbers[(level << 3) | 2] = 0;
    for (let i = 8; i < 12; i++) this.#links[(level << 4) | i] = -1;
    this.#links[(level << 4) | 13] = 0;
    this.#links[(level << 4) | 14] = 0;
    return level;
  }

  remove(level: number): void {
    this.#links[(level << 4) | 8] = this.#free;
    this.#free = level;
  }

  price(level: number): number {
    return this.#numbers[level << 3];
  }

  /** The visible size, as in the book's events. */
  visible(level: number): number {
    return this.#numbers[(level << 3) | 1];
  }

  addVisible(level: number, change: number): void {
    this.#numbers[(level << 3) | 1] += change;
  }

  /** The total size, including hidden and not yet shown quantity. */
  total(level: number): number {
    return this.#numbers[(level << 3) | 2];
  }

  addTotal(level: number, change: number): void {
    this.#numbers[(level << 3) | 2] += change;
    this.#blockTotals[this.#links[(level << 4) | 12]] += change;
  }

  /** The number of orders that are neither hidden nor icebergs. */
  ordinary(level: number): number {
    return this.#links[(level << 4) | 13];
  }

  addOrdinary(level: number, change: number): void {
    this.#links[(level << 4) | 13] += change;
    this.#blockOrdinary[this.#links[(level << 4) | 12]] += change;
  }

  addIcebergs(level: number, change: number): void {
    this.#links[(level << 4) | 14] += change;
    this.#blockIcebergs[this.#links[(level << 4) | 12]] += change;
  }

  /** Adds an ordinary order to the end of the visible queue; returns the one before it. */
  join(level: number, row: number, size: number): number {
    const numbers = this.#numbers;
    const links = this.#links;
    const n = level << 3;
    numbers[n | 1] += size;
    numbers[n | 2] += size;
    const l = level << 4;
    const last = links[l | 9];
    if (last < 0) links[l | 8] = row;
    links[l | 9] = row;
    links[l | 13]++;
    const block = links[l | 12];
    this.#blockTotals[block] += size;
    this.#blockOrdinary[block]++;
    return last;
  }

  /** Removes an ordinary order between these two from the visible queue; returns the remaining visible size. */
  part(level: number, previous: number, next: number, size: number): number {
    const numbers = this.#numbers;
    const links = this.#links;
    const n = level << 3;
    const visible = numbers[n | 1] - size;
    numbers[n | 1] = visible;
    numbers[n | 2] -= size;
    const l = level << 4;
    if (previous < 0) links[l | 8] = next;
    if (next < 0) links[l | 9] = previous;
    links[l | 13]--;
    const block = links[l | 12];
    this.#blockTotals[block] -= size;
    this.#blockOrdinary[block]--;
    return visible;
  }

  /** Adds an empty block. */
  addBlock(): number {
    const block = this.#freeBlocks.pop() ?? this.#usedBlocks++;
    if (block >= this.#blockTotals.length) this.#growBlocks();
    return block;
  }

  /** Removes a block without levels; its sums are 0. */
  removeBlock(block: number): void {
    this.#freeBlocks.push(block);
  }

  blockTotal(block: number): number {
    return this.#blockTotals[block];
  }

  hasOrdinary(block: number): boolean {
    return this.#blockOrdinary[block] > 0;
  }

  /** Whether the block has visible orders: ordinary orders or icebergs. */
  isShown(block: number): boolean {
    return this.#blockOrdinary[block] > 0 || this.#blockIcebergs[block] > 0;
  }

  /** Adds a new, empty level to a block. */
  enterBlock(level: number, block: number): void {
    this.#links[(level << 4) | 12] = block;
  }

  /** Moves a level, with its share of the sums, to another block. */
  moveToBlock(level: number, block: number): void {
    const from = this.#links[(level << 4) | 12];
    this.#blockTotals[from] -= this.total(level);
    this.#blockTotals[block] += this.total(level);
    this.#blockOrdinary[from] -= this.ordinary(level);
    this.#blockOrdinary[block] += this.ordinary(level);
    const icebergs = this.#links[(level << 4) | 14];
    this.#blockIcebergs[from] -= icebergs;
    this.#blockIcebergs[block] += icebergs;
    this.#links[(level << 4) | 12] = block;
  }

  /** A queue is VISIBLE_QUEUE or HIDDEN_QUEUE. */
  first(level: number, queue: number): number {
    return this.#links[(level << 4) | 8 | queue];
  }

  last(level: number, queue: number): number {
    return this.#links[(level << 4) | 9 | queue];
  }

  setFirst(level: number, queue: number, row: number): void {
    this.#links[(level << 4) | 8 | queue] = row;
  }

  setLast(level: number, queue: number, row: number): void {
    this.#links[(level << 4) | 9 | queue] = row;
  }

  isEmpty(level: number): boolean {
    return this.#links[(level << 4) | 8] < 0 && this.#links[(level << 4) | 10] < 0;
  }

  #grow(): void {
    this.#memory.double();
    this.#numbers = new Float64Array(this.#memory.buffer);
    this.#links = new Int32Array(this.#memory.buffer);
  }
  #growBlocks(): void {
    const totals = new Float64Array(this.#blockTotals.length * 2);
    totals.set(this.#blockTotals);
    this.#blockTotals = totals;
    const ordinary = new Int32Array(this.#blockOrdinary.length * 2);
    ordinary.set(this.#blockOrdinary);
    this.#blockOrdinary = ordinary;
    const icebergs = new Int32Array(this.#blockIcebergs.length * 2);
    icebergs.set(this.#blockIcebergs);
    this.#blockIcebergs = icebergs;
  }
}
