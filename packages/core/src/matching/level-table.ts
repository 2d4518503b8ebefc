/**
 * Price levels of all books, one row each. A level has two queues in order of arrival, linked through the orders'
 * rows: the visible one (ordinary orders, slices of icebergs) and the hidden one.
 */

import { GrowingMemory } from '../growing-memory.ts';

/**
 * Layout: of 4 numbers 0 price, 1 visible, 2 total; of 8 links 0 first and 1 last of the visible queue, 2 and 3 of the
 * hidden one, 4 the block of the ladder that the level is in, 5 how many ordinary orders there are. Numbers instead of
 * names for the reason given in order-table.ts.
 *
 * A block's sums are kept here, because they change whenever those of one of its levels do.
 */
export const VISIBLE_QUEUE = 0;
export const HIDDEN_QUEUE = 2;

const NUMBERS_BYTES = 32;
const LINKS_BYTES = 32;
const FIRST_CAPACITY = 4096;
const FIRST_BLOCKS = 128;

export class LevelTable {
  private readonly numbersMemory = new GrowingMemory(FIRST_CAPACITY * NUMBERS_BYTES);
  private readonly linksMemory = new GrowingMemory(FIRST_CAPACITY * LINKS_BYTES);
  private numbers = new Float64Array(this.numbersMemory.buffer);
  private links = new Int32Array(this.linksMemory.buffer);
  private used = 0;
  /** Freed rows are chained through the first link. */
  private free = -1;
  private blockTotals = new Float64Array(FIRST_BLOCKS);
  private blockOrdinary = new Int32Array(FIRST_BLOCKS);
  private readonly freeBlocks: number[] = [];
  private usedBlocks = 0;

  add(price: number): number {
    let level = this.free;
    if (level >= 0) this.free = this.links[level << 3];
    else {
      if ((this.used + 1) * 8 > this.links.length) this.grow();
      level = this.used++;
    }
    this.numbers[level << 2] = price;
    this.numbers[(level << 2) | 1] = 0;
    this.numbers[(level << 2) | 2] = 0;
    for (let i = 0; i < 4; i++) this.links[(level << 3) | i] = -1;
    this.links[(level << 3) | 5] = 0;
    return level;
  }

  remove(level: number): void {
    this.links[level << 3] = this.free;
    this.free = level;
  }

  price(level: number): number {
    return this.numbers[level << 2];
  }

  /** What shows: the size of the book's events. */
  visible(level: number): number {
    return this.numbers[(level << 2) | 1];
  }

  addVisible(level: number, change: number): void {
    this.numbers[(level << 2) | 1] += change;
  }

  /** Everything, hidden and not yet shown quantity too. */
  total(level: number): number {
    return this.numbers[(level << 2) | 2];
  }

  addTotal(level: number, change: number): void {
    this.numbers[(level << 2) | 2] += change;
    this.blockTotals[this.links[(level << 3) | 4]] += change;
  }

  /** How many orders are neither hidden nor icebergs. */
  ordinary(level: number): number {
    return this.links[(level << 3) | 5];
  }

  addOrdinary(level: number, change: number): void {
    this.links[(level << 3) | 5] += change;
    this.blockOrdinary[this.links[(level << 3) | 4]] += change;
  }

  /** An ordinary order joins the end of the visible queue; returns the one before it. */
  join(level: number, row: number, size: number): number {
    const { numbers, links } = this;
    const n = level << 2;
    numbers[n | 1] += size;
    numbers[n | 2] += size;
    const l = level << 3;
    const last = links[l | 1];
    if (last < 0) links[l] = row;
    links[l | 1] = row;
    links[l | 5]++;
    const block = links[l | 4];
    this.blockTotals[block] += size;
    this.blockOrdinary[block]++;
    return last;
  }

  /** An ordinary order that stood between these two leaves the visible queue; returns what still shows. */
  part(level: number, previous: number, next: number, size: number): number {
    const { numbers, links } = this;
    const n = level << 2;
    const visible = numbers[n | 1] - size;
    numbers[n | 1] = visible;
    numbers[n | 2] -= size;
    const l = level << 3;
    if (previous < 0) links[l] = next;
    if (next < 0) links[l | 1] = previous;
    links[l | 5]--;
    const block = links[l | 4];
    this.blockTotals[block] -= size;
    this.blockOrdinary[block]--;
    return visible;
  }

  /** A block without levels. */
  addBlock(): number {
    const block = this.freeBlocks.pop() ?? this.usedBlocks++;
    if (block >= this.blockTotals.length) this.growBlocks();
    return block;
  }

  /** A block whose last level was removed; its sums are 0. */
  removeBlock(block: number): void {
    this.freeBlocks.push(block);
  }

  blockTotal(block: number): number {
    return this.blockTotals[block];
  }

  hasOrdinary(block: number): boolean {
    return this.blockOrdinary[block] > 0;
  }

  /** A new, still empty level is added to a block. */
  enterBlock(level: number, block: number): void {
    this.links[(level << 3) | 4] = block;
  }

  /** A level moves to another block, and its sizes are moved from the sums of one to those of the other. */
  moveToBlock(level: number, block: number): void {
    const from = this.links[(level << 3) | 4];
    this.blockTotals[from] -= this.total(level);
    this.blockTotals[block] += this.total(level);
    this.blockOrdinary[from] -= this.ordinary(level);
    this.blockOrdinary[block] += this.ordinary(level);
    this.links[(level << 3) | 4] = block;
  }

  /** A queue is VISIBLE_QUEUE or HIDDEN_QUEUE. */
  first(level: number, queue: number): number {
    return this.links[(level << 3) | queue];
  }

  last(level: number, queue: number): number {
    return this.links[(level << 3) | queue | 1];
  }

  setFirst(level: number, queue: number, row: number): void {
    this.links[(level << 3) | queue] = row;
  }

  setLast(level: number, queue: number, row: number): void {
    this.links[(level << 3) | queue | 1] = row;
  }

  isEmpty(level: number): boolean {
    return this.links[level << 3] < 0 && this.links[(level << 3) | 2] < 0;
  }

  private grow(): void {
    this.numbersMemory.double();
    this.linksMemory.double();
    this.numbers = new Float64Array(this.numbersMemory.buffer);
    this.links = new Int32Array(this.linksMemory.buffer);
  }
  private growBlocks(): void {
    const totals = new Float64Array(this.blockTotals.length * 2);
    totals.set(this.blockTotals);
    this.blockTotals = totals;
    const ordinary = new Int32Array(this.blockOrdinary.length * 2);
    ordinary.set(this.blockOrdinary);
    this.blockOrdinary = ordinary;
  }
}
