/**
 * Rows of different lengths, each with a number and the words of a text. All rows of a page have one length, so that a
 * freed row can be reused. Rows never move, because that would block the exchange; a page is dropped with its last row.
 * The garbage collector has nothing to scan in them.
 */

import { assert } from '../assert.ts';

/** No row starts at 0, so unused memory reads as having none. */
export const NO_ROW = 0;

const PAGE_BITS = 12;
const PAGE_WORDS = 2 ** PAGE_BITS;
const PAGES_MAX = 2 ** (31 - PAGE_BITS);

/** A page starts with five words about itself. The first is the number of words per row. */
const SIZE = 0;
/** The number of rows in use. */
const USED = 1;
/** The first free row, whose first word is the next free one. */
const FREED = 2;
/** The start of the part that was never used. */
const END = 3;
/** The page's index in the list of pages with free rows; -1 while it is full. */
const OPEN_AT = 4;
const FIRST_ROW = 5;
const NONE = 0;

/** The number takes two words, upper half last; the text follows. */
const UPPER = 1;
const TEXT = 2;
const HALF = 2 ** 32;
/** As the upper half of a number: larger than any valid one. */
const NO_NUMBER = -1;

const DROPPED = new Int32Array(0);

export class TextRows {
  readonly #pages: Int32Array[] = [];
  readonly #dropped: number[] = [];
  /** Pages with free rows, by row length. */
  readonly #open: number[][] = [];

  /** `wordsMax`: the longest text, in words. */
  constructor(wordsMax: number) {
    for (let size = 0; size <= TEXT + wordsMax; size++) this.#open.push([]);
  }

  /** Pages in use. */
  get pages(): number {
    return this.#pages.length - this.#dropped.length;
  }

  add(words: Int32Array, count: number, value: number): number {
    const size = TEXT + count;
    const open = this.#open[size];
    const number = open.length > 0 ? open[open.length - 1] : this.#addPage(size);
    const page = this.#pages[number];
    const freed = page[FREED];
    const at = freed === NONE ? page[END] : freed;
    if (freed === NONE) page[END] += size;
    else page[FREED] = page[at];
    page[USED]++;
    if (page[FREED] === NONE && page[END] + size > PAGE_WORDS) {
      open.pop();
      page[OPEN_AT] = -1;
    }
    for (let i = 0; i < count; i++) page[at + TEXT + i] = words[i];
    const row = number * PAGE_WORDS + at;
    this.setValue(row, value);
    return row;
  }

  remove(row: number): void {
    const number = row >>> PAGE_BITS;
    const page = this.#pages[number];
    const at = this.#placeOf(row);
    const open = this.#open[page[SIZE]];
    page[at] = page[FREED];
    page[at + UPPER] = NO_NUMBER;
    page[FREED] = at;
    page[USED]--;
    if (page[OPEN_AT] < 0) page[OPEN_AT] = open.push(number) - 1;
    // Keep one page with free rows: recreating it for the next row would cost more than the row.
    if (page[USED] === 0 && open.length > 1) this.#drop(number);
  }

  /** An integer from 0 to 2^53 - 1. For a freed row it is 0 or larger than that, until the row is reused. */
  value(row: number): number {
    const page = this.page(row);
    const at = this.#placeOf(row);
    return (page[at + UPPER] >>> 0) * HALF + (page[at] >>> 0);
  }

  setValue(row: number, value: number): void {
    const page = this.page(row);
    const at = this.#placeOf(row);
    page[at] = value;
    page[at + UPPER] = value / HALF;
  }

  /** Whether the row's text consists of exactly these words. */
  has(row: number, words: Int32Array, count: number): boolean {
    const page = this.page(row);
    if (page[SIZE] !== TEXT + count) return false;
    const at = this.#placeOf(row) + TEXT;
    for (let i = 0; i < count; i++) if (page[at + i] !== words[i]) return false;
    return true;
  }

  /** Contains the words of the row's text from `textStart` up to `textEnd`. */
  page(row: number): Int32Array {
    return this.#pages[row >>> PAGE_BITS];
  }

  textStart(row: number): number {
    return this.#placeOf(row) + TEXT;
  }

  textEnd(row: number): number {
    return this.#placeOf(row) + this.page(row)[SIZE];
  }

  #placeOf(row: number): number {
    return row & (PAGE_WORDS - 1);
  }

  #addPage(size: number): number {
    const number = this.#dropped.pop() ?? this.#pages.length;
    assert(number < PAGES_MAX, 'the texts have room');
    const page = new Int32Array(PAGE_WORDS);
    page[SIZE] = size;
    page[END] = FIRST_ROW;
    page[OPEN_AT] = this.#open[size].push(number) - 1;
    this.#pages[number] = page;
    return number;
  }

  #drop(number: number): void {
    const page = this.#pages[number];
    const open = this.#open[page[SIZE]];
    const last = open.pop() as number;
    if (last !== number) {
      open[page[OPEN_AT]] = last;
      this.#pages[last][OPEN_AT] = page[OPEN_AT];
    }
    this.#pages[number] = DROPPED;
    this.#dropped.push(number);
  }
}
