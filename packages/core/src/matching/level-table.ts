/**
 * Price levels of all books, one row each. A level has two queues in order of arrival, linked through the orders'
 * rows: the visible one (ordinary orders, slices of icebergs) and the hidden one.
 */

const NUMBERS = 4;
const PRICE = 0;
const VISIBLE = 1;
const TOTAL = 2;

/** First and last of the visible queue, then of the hidden one. */
const LINKS = 4;
const HIDDEN = 2;

const FIRST_CAPACITY = 256;

export class LevelTable {
  private numbers = new Float64Array(FIRST_CAPACITY * NUMBERS);
  private links = new Int32Array(FIRST_CAPACITY * LINKS);
  private used = 0;
  /** Freed rows are chained through the first link. */
  private free = -1;

  add(price: number): number {
    let level = this.free;
    if (level >= 0) this.free = this.links[level * LINKS];
    else {
      if ((this.used + 1) * LINKS > this.links.length) this.grow();
      level = this.used++;
    }
    this.numbers[level * NUMBERS + PRICE] = price;
    this.numbers[level * NUMBERS + VISIBLE] = 0;
    this.numbers[level * NUMBERS + TOTAL] = 0;
    for (let i = 0; i < LINKS; i++) this.links[level * LINKS + i] = -1;
    return level;
  }

  remove(level: number): void {
    this.links[level * LINKS] = this.free;
    this.free = level;
  }

  price(level: number): number {
    return this.numbers[level * NUMBERS + PRICE];
  }

  /** What shows: the size of the book's events. */
  visible(level: number): number {
    return this.numbers[level * NUMBERS + VISIBLE];
  }

  addVisible(level: number, change: number): void {
    this.numbers[level * NUMBERS + VISIBLE] += change;
  }

  /** Everything, hidden and not yet shown quantity too. */
  total(level: number): number {
    return this.numbers[level * NUMBERS + TOTAL];
  }

  addTotal(level: number, change: number): void {
    this.numbers[level * NUMBERS + TOTAL] += change;
  }

  first(level: number, hidden: boolean): number {
    return this.links[level * LINKS + (hidden ? HIDDEN : 0)];
  }

  last(level: number, hidden: boolean): number {
    return this.links[level * LINKS + (hidden ? HIDDEN : 0) + 1];
  }

  setFirst(level: number, hidden: boolean, row: number): void {
    this.links[level * LINKS + (hidden ? HIDDEN : 0)] = row;
  }

  setLast(level: number, hidden: boolean, row: number): void {
    this.links[level * LINKS + (hidden ? HIDDEN : 0) + 1] = row;
  }

  isEmpty(level: number): boolean {
    return this.links[level * LINKS] < 0 && this.links[level * LINKS + HIDDEN] < 0;
  }

  private grow(): void {
    const numbers = new Float64Array(this.numbers.length * 2);
    numbers.set(this.numbers);
    this.numbers = numbers;
    const links = new Int32Array(this.links.length * 2);
    links.set(this.links);
    this.links = links;
  }
}
