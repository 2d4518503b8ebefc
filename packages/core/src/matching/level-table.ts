/**
 * Price levels of all books, one row each. A level has two queues in order of arrival, linked through the orders'
 * rows: the visible one (ordinary orders, slices of icebergs) and the hidden one.
 */

import { GrowingMemory } from '../growing-memory.ts';

/**
 * Layout: of 4 numbers 0 price, 1 visible, 2 total; of 4 links 0 first and 1 last of the visible queue, 2 and 3 of the
 * hidden one. Numbers instead of names for the reason given in order-table.ts.
 */
export const VISIBLE_QUEUE = 0;
export const HIDDEN_QUEUE = 2;

const NUMBERS_BYTES = 32;
const LINKS_BYTES = 16;
const FIRST_CAPACITY = 4096;

export class LevelTable {
  private readonly numbersMemory = new GrowingMemory(FIRST_CAPACITY * NUMBERS_BYTES);
  private readonly linksMemory = new GrowingMemory(FIRST_CAPACITY * LINKS_BYTES);
  private numbers = new Float64Array(this.numbersMemory.buffer);
  private links = new Int32Array(this.linksMemory.buffer);
  private used = 0;
  /** Freed rows are chained through the first link. */
  private free = -1;

  add(price: number): number {
    let level = this.free;
    if (level >= 0) this.free = this.links[level << 2];
    else {
      if ((this.used + 1) * 4 > this.links.length) this.grow();
      level = this.used++;
    }
    this.numbers[level << 2] = price;
    this.numbers[(level << 2) | 1] = 0;
    this.numbers[(level << 2) | 2] = 0;
    for (let i = 0; i < 4; i++) this.links[(level << 2) | i] = -1;
    return level;
  }

  remove(level: number): void {
    this.links[level << 2] = this.free;
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
  }

  /** A queue is VISIBLE_QUEUE or HIDDEN_QUEUE. */
  first(level: number, queue: number): number {
    return this.links[(level << 2) | queue];
  }

  last(level: number, queue: number): number {
    return this.links[(level << 2) | queue | 1];
  }

  setFirst(level: number, queue: number, row: number): void {
    this.links[(level << 2) | queue] = row;
  }

  setLast(level: number, queue: number, row: number): void {
    this.links[(level << 2) | queue | 1] = row;
  }

  isEmpty(level: number): boolean {
    return this.links[level << 2] < 0 && this.links[(level << 2) | 2] < 0;
  }

  private grow(): void {
    this.numbersMemory.double();
    this.linksMemory.double();
    this.numbers = new Float64Array(this.numbersMemory.buffer);
    this.links = new Int32Array(this.linksMemory.buffer);
  }
}
