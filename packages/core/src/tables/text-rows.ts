/**
 * Rows of different lengths, each with a number and the words of a text. They are in pages, and all rows of a page have
 * one length, so that the place of a row that is freed fits the next one of its length. A row keeps its place as long as
 * it is there, and a page goes when its last row does. A copy would hold up the exchange, and the garbage collector has
 * nothing to scan.
 */

import { assert } from '../assert.ts';
import { NO_ROW } from './slot-segment.ts';

const PAGE_BITS = 12;
const PAGE_WORDS = 2 ** PAGE_BITS;
const PAGES_MAX = 2 ** (31 - PAGE_BITS);

/** What is at the beginning of a page: the words of a row, how many rows there are, */
const SIZE = 0;
const USED = 1;
/** the first of those that are free again, each of which has the next in its first word, and the first never used. */
const FREED = 2;
const END = 3;
/** Where the page is in the list of those with room; -1 while it is full. */
const OPEN_AT = 4;
const FIRST_ROW = 5;

/** The number is in two words, the upper half last; the text follows. */
const UPPER = 1;
const TEXT = 2;
const HALF = 2 ** 32;
/** As the upper half of a number: more than any number has. */
const NO_NUMBER = -1;

const DROPPED = new Int32Array(0);

export class TextRows {
  private readonly pages: Int32Array[] = [];
  private readonly dropped: number[] = [];
  /** The pages with room, by the words of their rows. */
  private readonly open: number[][] = [];

  /** For texts of at most so many words. */
  constructor(wordsMax: number) {
    for (let size = 0; size <= TEXT + wordsMax; size++) this.open.push([]);
  }

  add(words: Int32Array, count: number, value: number): number {
    const size = TEXT + count;
    const open = this.open[size];
    const number = open.length > 0 ? open[open.length - 1] : this.addPage(size);
    const page = this.pages[number];
    const freed = page[FREED];
    const at = freed === NO_ROW ? page[END] : freed;
    if (freed === NO_ROW) page[END] += size;
    else page[FREED] = page[at];
    page[USED]++;
    if (page[FREED] === NO_ROW && page[END] + size > PAGE_WORDS) {
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
    const page = this.pages[number];
    const at = this.placeOf(row);
    const open = this.open[page[SIZE]];
    page[at] = page[FREED];
    page[at + UPPER] = NO_NUMBER;
    page[FREED] = at;
    page[USED]--;
    if (page[OPEN_AT] < 0) page[OPEN_AT] = open.push(number) - 1;
    // One page with room stays: making it anew for the next row would cost more than the row.
    if (page[USED] === 0 && open.length > 1) this.drop(number);
  }

  /** A whole number from 0 to 2^53 - 1. Of a row that is no more, it is 0 or above all of these. */
  value(row: number): number {
    const page = this.page(row);
    const at = this.placeOf(row);
    return (page[at + UPPER] >>> 0) * HALF + (page[at] >>> 0);
  }

  setValue(row: number, value: number): void {
    const page = this.page(row);
    const at = this.placeOf(row);
    page[at] = value;
    page[at + UPPER] = value / HALF;
  }

  /** Whether the row's text is just these words. */
  has(row: number, words: Int32Array, count: number): boolean {
    const page = this.page(row);
    if (page[SIZE] !== TEXT + count) return false;
    const at = this.placeOf(row) + TEXT;
    for (let i = 0; i < count; i++) if (page[at + i] !== words[i]) return false;
    return true;
  }

  /** The words of the row's text are in its page, from here */
  page(row: number): Int32Array {
    return this.pages[row >>> PAGE_BITS];
  }

  textStart(row: number): number {
    return this.placeOf(row) + TEXT;
  }

  /** up to here. */
  textEnd(row: number): number {
    return this.placeOf(row) + this.page(row)[SIZE];
  }

  private placeOf(row: number): number {
    return row & (PAGE_WORDS - 1);
  }

  private addPage(size: number): number {
    const number = this.dropped.pop() ?? this.pages.length;
    assert(number < PAGES_MAX, 'the texts have room');
    const page = new Int32Array(PAGE_WORDS);
    page[SIZE] = size;
    page[END] = FIRST_ROW;
    page[OPEN_AT] = this.open[size].push(number) - 1;
    this.pages[number] = page;
    return number;
  }

  private drop(number: number): void {
    const page = this.pages[number];
    const open = this.open[page[SIZE]];
    const last = open.pop() as number;
    if (last !== number) {
      open[page[OPEN_AT]] = last;
      this.pages[last][OPEN_AT] = page[OPEN_AT];
    }
    this.pages[number] = DROPPED;
    this.dropped.push(number);
  }
}
