/**
 * Texts with an owner and a number each: client ids and request ids, possibly millions. Rows are found by a
 * hash under the process's key, and compared completely.
 *
 * The hash table is in segments, added one at a time as texts arrive (linear hashing): a new one takes its part of one
 * other. So an insertion never rehashes more than some 6,000 others, and a miss reads one or two cache lines, however many
 * there are. A text of 20 characters costs about 60 bytes, one of 36 about 76.
 */

import { assert } from '../assert.ts';
import type { HashKey } from './index-table.ts';
import { SlotSegment } from './slot-segment.ts';
import { NO_ROW, TextRows } from './text-rows.ts';

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

  /** The text's row; NO_ROW when it is not there. Any text may be looked for. */
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

  /** Adds a text that is not there: at most 64 characters up to U+00FF. */
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

  /** Apart, so that a test can make texts that have one hash. */
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
