/** The bytes of snapshots, little-endian: writing and reading them, and their hash. */

import { assert } from '../values/checks.ts';

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Value[]
  | { readonly [key: string]: Value | undefined };

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const BIGINT = 4;
const TEXT = 5;
const LIST = 6;
const THING = 7;

/**
 * Rare objects are written as tagged values, with keys in construction order, which is the same for all objects of one kind
 * (see `pick`); big tables field by field.
 */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  /** The bytes written so far. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  byte(value: number): void {
    // Call `next` first, because it may replace the array.
    const at = this.#next(1);
    this.#bytes[at] = value;
  }

  int(value: number): void {
    const at = this.#next(4);
    this.#view.setInt32(at, value, true);
  }

  number(value: number): void {
    const at = this.#next(8);
    this.#view.setFloat64(at, value, true);
  }

  /** UTF-16 code units, one byte each when they fit. */
  text(value: string): void {
    let wide = 0;
    for (let i = 0; i < value.length; i++) wide |= value.charCodeAt(i) >> 8;
    this.int(value.length);
    this.byte(wide === 0 ? 1 : 2);
    const at = this.#next(value.length * (wide === 0 ? 1 : 2));
    for (let i = 0; i < value.length; i++) {
      if (wide === 0) this.#bytes[at + i] = value.charCodeAt(i);
      else this.#view.setUint16(at + 2 * i, value.charCodeAt(i), true);
    }
  }

  /** ASCII text of a length that the reader knows: one byte per character, without the length. */
  letters(value: string): void {
    for (let i = 0; i < value.length; i++) this.byte(value.charCodeAt(i));
  }

  value(value: Value): void {
    if (value === null) this.byte(NULL);
    else if (typeof value === 'boolean') this.byte(value ? TRUE : FALSE);
    else if (typeof value === 'number') {
      this.byte(NUMBER);
      this.number(value);
    } else if (typeof value === 'bigint') {
      this.byte(BIGINT);
      this.text(value.toString());
    } else if (typeof value === 'string') {
      this.byte(TEXT);
      this.text(value);
    } else if (isList(value)) {
      this.byte(LIST);
      this.int(value.length);
      for (const item of value) this.value(item);
    } else {
      this.#thing(value);
    }
  }

  #thing(value: { readonly [key: string]: Value | undefined }): void {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    this.byte(THING);
    this.int(keys.length);
    for (const key of keys) {
      this.text(key);
      this.value(value[key] as Value);
    }
  }

  #next(length: number): number {
    const at = this.#end;
    this.#end = at + length;
    if (this.#end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#end, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#next(1)];
  }

  int(): number {
    return this.#view.getInt32(this.#next(4), true);
  }

  number(): number {
    return this.#view.getFloat64(this.#next(8), true);
  }

  text(): string {
    const length = this.int();
    const width = this.byte();
    assert(width === 1 || width === 2, 'a text has one or two bytes a character');
    const at = this.#next(length * width);
    let text = '';
    for (let i = 0; i < length; i++) {
      text += String.fromCharCode(width === 1 ? this.#bytes[at + i] : this.#view.getUint16(at + 2 * i, true));
    }
    return text;
  }

  letters(count: number): string {
    const at = this.#next(count);
    return String.fromCharCode(...this.#bytes.subarray(at, at + count));
  }

  value(): Value {
    const tag = this.byte();
    switch (tag) {
      case NULL:
        return null;
      case FALSE:
        return false;
      case TRUE:
        return true;
      case NUMBER:
        return this.number();
      case BIGINT:
        return BigInt(this.text());
      case TEXT:
        return this.text();
      case LIST:
        return Array.from({ length: this.int() }, () => this.value());
      default: {
        assert(tag === THING, 'a snapshot holds known values only');
        const thing: { [key: string]: Value } = {};
        for (let left = this.int(); left > 0; left--) {
          const key = this.text();
          thing[key] = this.value();
        }
        return thing;
      }
    }
  }

  #next(length: number): number {
    const at = this.#at;
    this.#at = at + length;
    assert(length >= 0 && this.#at <= this.#bytes.length, 'a snapshot does not end in the middle');
    return at;
  }
}

function isList(value: object): value is readonly Value[] {
  return Array.isArray(value);
}

const LANES = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));

const BLOCK = 16;

const step = (lane: number, word: number) =>
  Math.imul(rotate(lane ^ Math.imul(word, LANES[0]), 15), LANES[1]);

/** Mixes whole blocks into the lanes. */
function mix(lanes: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [a, b, c, d] = lanes;
  for (let at = 0; at < bytes.length; at += BLOCK) {
    a = (step(a, view.getInt32(at, true)) + b) | 0;
    b = (step(b, view.getInt32(at + 4, true)) + c) | 0;
    c = (step(c, view.getInt32(at + 8, true)) + d) | 0;
    d = (step(d, view.getInt32(at + 12, true)) + a) | 0;
  }
  lanes.set([a, b, c, d]);
}

/** The four lanes after all bytes, the length, and enough rounds that every lane depends on every other. */
function digest(bytes: Uint8Array): Uint32Array {
  const lanes = Int32Array.from(LANES);
  const whole = bytes.length - (bytes.length % BLOCK);
  mix(lanes, bytes.subarray(0, whole));
  const last = new Uint8Array(BLOCK * 6);
  last.set(bytes.subarray(whole));
  new DataView(last.buffer).setFloat64(BLOCK, bytes.length, true);
  mix(lanes, last);
  return Uint32Array.from(lanes);
}

/**
 * A 128-bit hash for comparing states and finding damage, as 32 hex digits. Four lanes of multiply and rotate, mixed at the
 * end; fast and evenly distributed, but not cryptographic.
 */
export function hashBytes(bytes: Uint8Array): string {
  return [...digest(bytes)].map((lane) => lane.toString(16).padStart(8, '0')).join('');
}
