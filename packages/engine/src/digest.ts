/**
 * A 128-bit digest of all effects of records: rows of events and outcomes, and the objects beside them. Two exchanges that
 * applied the same records must have the same digest, so comparing it finds a difference at its record, for about a tenth
 * of the cost of applying. Like the snapshot's hash it detects accidents, not attackers.
 */

import { type Applied, type CandlesImported, IMPORTED_CANDLES_MAX } from '@bourse/core';

/**
 * Raised with every change of the rows that the core writes, or of how they are hashed here: digests of two builds
 * are comparable only if both have the same number.
 */
export const DIGEST_LAYOUT = 1;

/** Signed integers: a lane that once held a larger number would stay a double for V8 and be converted for every word. */
const START = [0x243f6a88, 0x85a308d3 | 0, 0x13198a2e, 0x03707344] as const;
const MULTIPLIER = 0x9e3779b1;

/** Type tags for values other than texts. A list is tagged with its length, which is never negative. */
const NUMBER = -1;
const OTHER = -2;
const OBJECT = -3;
const END_OF_OBJECT = -4;

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

/** A candle: five numbers, and two amounts of two words each. */
const CANDLE_WORDS = 9;
/** Views of the same bytes, created with the first candles. */
let candleRows: Float64Array<ArrayBuffer> | undefined;
let candleAmounts: BigUint64Array | undefined;
let candleWords: Int32Array | undefined;

export class Digest {
  #a: number = START[0];
  #b: number = START[1];
  #c: number = START[2];
  #d: number = START[3];

  reset(): void {
    [this.#a, this.#b, this.#c, this.#d] = START;
  }

  /** Continues from another digest, given by its text. */
  resume(text: string): void {
    const lanes = [0, 8, 16, 24].map((at) => Number.parseInt(text.slice(at, at + 8), 16) | 0);
    [this.#a, this.#b, this.#c, this.#d] = lanes as [number, number, number, number];
  }

  /** 32 hex digits. */
  get text(): string {
    return [this.#a, this.#b, this.#c, this.#d]
      .map((lane) => (lane >>> 0).toString(16).padStart(8, '0'))
      .join('');
  }

  add(seq: number, { events, outcomes, finished }: Applied): void {
    const happened = events.written;
    const answered = outcomes.written;
    this.#number(seq);
    this.#rows(happened.words, happened.length);
    this.#rows(answered.words, answered.length);
    const { objects } = happened;
    for (let at = 0; at < objects.length; at++) {
      const object = objects[at];
      if ('kind' in object) {
        if (object.kind === 'candles-imported') this.#candles(object);
        else this.#value(object);
      } else {
        // The texts of an order, which are most of the objects beside the rows.
        this.#text(object.clientId);
        this.#text(object.tags);
        this.#text(object.remark);
      }
    }
    for (let at = 0; at < answered.objects.length; at++) this.#value(answered.objects[at]);
    for (const command of finished) this.#value(command);
  }

  /** Tens of thousands arrive at the start of a sandbox, so they are digested as rows, without member names. */
  #candles({ kind, symbol, interval, candles }: CandlesImported): void {
    this.#text(kind);
    this.#number(symbol);
    this.#text(interval);
    candleRows ??= new Float64Array(IMPORTED_CANDLES_MAX * CANDLE_WORDS);
    candleAmounts ??= new BigUint64Array(candleRows.buffer);
    candleWords ??= new Int32Array(candleRows.buffer);
    let at = 0;
    for (const { start, open, close, high, low, volume, turnover } of candles) {
      candleRows[at] = start;
      candleRows[at + 1] = open;
      candleRows[at + 2] = close;
      candleRows[at + 3] = high;
      candleRows[at + 4] = low;
      // The lowest 64 bits; the number covers the bits above.
      candleAmounts[at + 5] = volume;
      candleAmounts[at + 6] = turnover;
      candleRows[at + 7] = Number(volume);
      candleRows[at + 8] = Number(turnover);
      at += CANDLE_WORDS;
    }
    this.#rows(candleWords, 2 * at);
  }

  /**
   * Four lanes in local variables, so that one multiplication need not wait for the other. Each takes two words per step, a
   * half of one double and the other half of the next: a difference in one word shows in its lane, a difference in both
   * halves of a double in two lanes.
   */
  #rows(words: Int32Array, length: number): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    const whole = length & ~7;
    for (let i = 0; i < whole; i += 8) {
      a = (Math.imul(((a << 13) | (a >>> 19)) ^ words[i], MULTIPLIER) + words[i + 3]) | 0;
      b = (Math.imul(((b << 13) | (b >>> 19)) ^ words[i + 1], MULTIPLIER) + words[i + 2]) | 0;
      c = (Math.imul(((c << 13) | (c >>> 19)) ^ words[i + 4], MULTIPLIER) + words[i + 7]) | 0;
      d = (Math.imul(((d << 13) | (d >>> 19)) ^ words[i + 5], MULTIPLIER) + words[i + 6]) | 0;
    }
    // Up to three doubles remain.
    for (let i = whole; i < length; i++) a = Math.imul(((a << 13) | (a >>> 19)) ^ words[i], MULTIPLIER);
    // Mix neighbouring lanes, or a difference in one would never show in another.
    this.#a = (a + d) | 0;
    this.#b = b ^ a;
    this.#c = (c + b) | 0;
    this.#d = d ^ length;
  }

  #number(value: number): void {
    double[0] = value;
    this.#a = Math.imul(((this.#a << 13) | (this.#a >>> 19)) ^ halves[0], MULTIPLIER);
    this.#b = Math.imul(((this.#b << 13) | (this.#b >>> 19)) ^ halves[1] ^ this.#a, MULTIPLIER);
  }

  #text(text: string): void {
    const { length } = text;
    let c = this.#c ^ length;
    // Two 16-bit characters at a time, because each multiplication depends on the previous one.
    for (let i = 0; i + 1 < length; i += 2) {
      const pair = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
      c = Math.imul(((c << 13) | (c >>> 19)) ^ pair, MULTIPLIER);
    }
    if (length % 2 === 1) c = Math.imul(((c << 13) | (c >>> 19)) ^ text.charCodeAt(length - 1), MULTIPLIER);
    this.#c = c;
    this.#d = Math.imul(this.#d ^ c, MULTIPLIER);
  }

  /** Texts and numbers have separate lanes, which lose their order and nesting: without marks [1, [2]] would equal [[1], 2]. */
  #mark(mark: number): void {
    this.#c = Math.imul(((this.#c << 13) | (this.#c >>> 19)) ^ mark, MULTIPLIER);
  }

  #value(value: unknown): void {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') {
      this.#mark(NUMBER);
      this.#number(value);
    } else if (typeof value !== 'object' || value === null) {
      this.#mark(OTHER);
      this.#text(String(value));
    } else if (Array.isArray(value)) {
      // Not by name: V8 optimises a loop over member names for objects only, and discards that code at each list.
      this.#mark(value.length);
      for (let at = 0; at < value.length; at++) this.#value(value[at]);
    } else {
      this.#mark(OBJECT);
      // Plain objects have only own members; Object.keys would allocate a list for each.
      for (const key in value) {
        this.#text(key);
        this.#value((value as Record<string, unknown>)[key]);
      }
      this.#mark(END_OF_OBJECT);
    }
  }
}
