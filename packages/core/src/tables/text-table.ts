/**
 * Texts with an owner and a number each: client ids and request ids, possibly millions. Rows are found by a
 * hash under the process's key, and compared completely.
 *
 * The hash table is in segments, added one at a time as texts arrive (linear hashing): a new one takes its part of one
 * other. So an insertion never rehashes more than some 6,000 others, and a miss reads one or two cache lines, however many
 * there are. A text of 20 characters costs about 60 bytes, one of 36 about 76.
 */

import type { HashKey } from './index-table.ts';
import { assert } from '../values/checks.ts';

const FINAL = 0xff;
const ROUNDS_PER_WORD = 2;
/** The final rounds are those of this many zero words. */
const FINAL_WORDS = 2;

/**
 * HalfSipHash-2-4: a 32-bit hash under a 64-bit key. Without the key nobody can choose colliding texts. In JavaScript it
 * takes a sixth of the time of a SHA-256 call into the runtime.
 *
 * Hashes the words from `from` up to `to`, each with its lowest byte first. The last one has the rest of the message, at
 * most three bytes, and the message length in its highest byte. Returns a signed 32-bit integer.
 */
export function keyedHash(low: number, high: number, words: Int32Array, from: number, to: number): number {
  let v0 = low | 0;
  let v1 = high | 0;
  let v2 = v0 ^ 0x6c796765;
  let v3 = v1 ^ 0x74656462;
  for (let at = from; at < to + FINAL_WORDS; at++) {
    const word = at < to ? words[at] : 0;
    if (at === to) v2 ^= FINAL;
    v3 ^= word;
    for (let round = 0; round < ROUNDS_PER_WORD; round++) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    v0 ^= word;
  }
  return v1 ^ v3;
}

/** No text is longer. */
export const TEXT_LENGTH_MAX = 64;
/** The owner, then four characters per word; the last word has the remaining characters and the length. */
const WORDS_MAX = 1 + TEXT_LENGTH_MAX / 4 + 1;
const OWNER_BYTES = 4;

/**
 * Average texts per segment when another segment is added. A segment has twice as many before it is split; 8,192 slots
 * have room for 6,144. Segments of a quarter of the size would split faster, but reading their objects from memory would
 * cost every search a tenth of its time with a million texts.
 */
const SEGMENT_TEXTS = 2816;

export class TextTable {
  readonly #keyLow: number;
  readonly #keyHigh: number;
  readonly #rows = new TextRows(WORDS_MAX);
  readonly #segments = [new SlotSegment()];
  /** How many last bits of a hash choose its segment. Where that does not exist yet, one bit less is used. */
  #mask = 0;
  #count = 0;

  /**
   * The latest search and its position: callers search for a text before they add it, and often search twice.
   */
  #owner = 0;
  #text = '';
  #isKnown = false;
  readonly #words = new Int32Array(WORDS_MAX);
  #wordCount = 0;
  #hash = 0;
  #place = 0;
  #row = NO_ROW;

  constructor([low, high]: HashKey) {
    this.#keyLow = low | 0;
    this.#keyHigh = high | 0;
  }

  get size(): number {
    return this.#count;
  }

  /** How full each segment is. */
  get segments(): readonly Pick<SlotSegment, 'capacity' | 'count'>[] {
    return this.#segments;
  }

  get pages(): number {
    return this.#rows.pages;
  }

  /** The text's row; NO_ROW if it is not in the table. Accepts any text. */
  find(owner: number, text: string): number {
    if (this.#isKnown && owner === this.#owner && text === this.#text) return this.#row;
    if (!this.#pack(owner, text)) return NO_ROW;
    this.#hash = this.hashOf(this.#words, 0, this.#wordCount);
    const segment = this.#segments[this.#segmentOf(this.#hash)];
    let place = segment.seek(this.#hash, segment.home(this.#hash));
    let row = segment.row(place);
    while (row !== NO_ROW && !this.#rows.has(row, this.#words, this.#wordCount)) {
      place = segment.seek(this.#hash, segment.after(place));
      row = segment.row(place);
    }
    this.#owner = owner;
    this.#text = text;
    this.#isKnown = true;
    this.#place = place;
    this.#row = row;
    return row;
  }

  /** Adds a text that is not in the table: at most 64 characters up to U+00FF. */
  add(owner: number, text: string, value: number): number {
    const found = this.find(owner, text);
    assert(this.#isKnown && found === NO_ROW, 'the text can be added');
    this.#row = this.#rows.add(this.#words, this.#wordCount, value);
    this.#segments[this.#segmentOf(this.#hash)].put(this.#place, this.#hash, this.#row);
    this.#count++;
    if (this.#count > this.#segments.length * SEGMENT_TEXTS) this.#addSegment();
    return this.#row;
  }

  remove(row: number): void {
    const rows = this.#rows;
    const hash = this.hashOf(rows.page(row), rows.textStart(row), rows.textEnd(row));
    this.#segments[this.#segmentOf(hash)].remove(hash, row);
    rows.remove(row);
    this.#isKnown = false;
    this.#count--;
    // Half as many, so that texts that come and go do not add and remove the same segment.
    if (this.#count * 2 < (this.#segments.length - 1) * SEGMENT_TEXTS) this.#removeSegment();
  }

  /** For a removed row, 0 or a number larger than any valid one, until the row is reused. */
  value(row: number): number {
    return this.#rows.value(row);
  }

  setValue(row: number, value: number): void {
    this.#rows.setValue(row, value);
  }

  ownerOf(row: number): number {
    return this.#rows.page(row)[this.#rows.textStart(row)];
  }

  textOf(row: number): string {
    const page = this.#rows.page(row);
    const start = this.#rows.textStart(row) + 1;
    const length = (page[this.#rows.textEnd(row) - 1] >>> 24) - OWNER_BYTES;
    const codes: number[] = [];
    for (let i = 0; i < length; i++) codes.push((page[start + (i >> 2)] >>> ((i & 3) * 8)) & 0xff);
    return String.fromCharCode(...codes);
  }

  /** Overridden by a test, to make texts collide. */
  protected hashOf(words: Int32Array, from: number, to: number): number {
    return keyedHash(this.#keyLow, this.#keyHigh, words, from, to);
  }

  /** Packs the text into `words` for the hash. Returns false for a text that cannot be in the table. */
  #pack(owner: number, text: string): boolean {
    this.#isKnown = false;
    const { length } = text;
    if (length > TEXT_LENGTH_MAX || owner !== (owner | 0)) return false;
    const words = this.#words;
    const whole = length & ~3;
    let all = 0;
    let at = 0;
    words[at++] = owner;
    for (let i = 0; i < whole; i += 4) {
      const first = text.charCodeAt(i);
      const second = text.charCodeAt(i + 1);
      const third = text.charCodeAt(i + 2);
      const fourth = text.charCodeAt(i + 3);
      all |= first | second | third | fourth;
      words[at++] = first | (second << 8) | (third << 16) | (fourth << 24);
    }
    let last = (OWNER_BYTES + length) << 24;
    for (let i = whole; i < length; i++) {
      const code = text.charCodeAt(i);
      all |= code;
      last |= code << ((i - whole) * 8);
    }
    words[at++] = last;
    this.#wordCount = at;
    return all <= 0xff;
  }

  #segmentOf(hash: number): number {
    const segment = hash & this.#mask;
    return segment < this.#segments.length ? segment : segment & (this.#mask >> 1);
  }

  #addSegment(): void {
    const added = this.#segments.length;
    if (added > this.#mask) this.#mask = this.#mask * 2 + 1;
    const bit = (this.#mask + 1) >> 1;
    this.#segments.push(this.#segments[added - bit].split(bit));
  }

  #removeSegment(): void {
    const removed = this.#segments.pop() as SlotSegment;
    const bit = (this.#mask + 1) >> 1;
    this.#segments[this.#segments.length - bit].merge(removed);
    if (this.#segments.length === bit) this.#mask >>= 1;
  }
}

const CAPACITY_MIN = 16;

const NO_SLOTS = new Int32Array(0);
/** The slots left over by the latest split, reused by the next one to avoid garbage. */
let spare = NO_SLOTS;

/**
 * A segment of the hash table: rows by their hash, with the hash beside the row, so that a miss reads only adjacent slots.
 * Open addressing, linear probing, backward-shift deletion. Several rows may have the same hash; the caller compares the
 * rest.
 */
class SlotSegment {
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

/**
 * Rows of different lengths, each with a number and the words of a text. All rows of a page have one length, so that a
 * freed row can be reused. Rows never move, because that would block the exchange; a page is dropped with its last row.
 * The garbage collector has nothing to scan in them.
 */
class TextRows {
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
