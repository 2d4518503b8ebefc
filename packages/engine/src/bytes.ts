/** Writing and reading bytes, little-endian. */

const BYTES_FIRST = 1 << 16;
/** The maximum length of `varint`. */
export const VARINT_BYTES_MAX = 5;
const WORD_END = 2n ** 64n;

/** Writes into one growing buffer that is reused. */
export class ByteSink {
  bytes: Buffer = Buffer.alloc(BYTES_FIRST);
  view: DataView = viewOf(this.bytes);
  /** The position of the next byte. */
  at = 0;

  /** Makes room for `count` more bytes; the following writes need no further check. */
  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const grown = Buffer.alloc(Math.max(this.at + count, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
    this.view = viewOf(grown);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.at++] = value;
  }

  uint32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  float64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.at, value, true);
    this.at += 8;
  }

  /** An integer below 2^32, seven bits per byte, lowest first. */
  varint(value: number): void {
    this.reserve(VARINT_BYTES_MAX);
    this.at = putVarint(this.bytes, this.at, value);
  }

  /**
   * UTF-16 code units, one byte each if they fit, so that any text survives, even one that UTF-8 cannot encode. Shorter than
   * 2^31 units, which V8 guarantees.
   */
  text(value: string): void {
    const { length } = value;
    this.reserve(5 + 2 * length);
    if (length <= LOOP_LENGTH_MAX) {
      const { at } = this;
      this.varint(2 * length);
      if (this.#narrow(value)) return;
      this.at = at;
    } else if (!hasWide(value)) {
      this.varint(2 * length);
      this.at += this.bytes.write(value, this.at, 'latin1');
      return;
    }
    this.varint(2 * length + 1);
    this.at += this.bytes.write(value, this.at, 'utf16le');
  }

  #narrow(value: string): boolean {
    const { bytes } = this;
    let { at } = this;
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 0xff) return false;
      bytes[at++] = unit;
    }
    this.at = at;
    return true;
  }

  /** Number of 64-bit words and sign, then the words of the magnitude, lowest first. */
  bigint(value: bigint): void {
    const isNegative = value < 0n;
    const size = isNegative ? -value : value;
    const sign = isNegative ? 1 : 0;
    if (size < WORD_END) {
      this.varint(2 + sign);
      this.reserve(8);
      this.view.setBigUint64(this.at, size, true);
      this.at += 8;
      return;
    }
    const high = size >> 64n;
    if (high < WORD_END) {
      this.varint(4 + sign);
      this.reserve(16);
      this.view.setBigUint64(this.at, BigInt.asUintN(64, size), true);
      this.view.setBigUint64(this.at + 8, high, true);
      this.at += 16;
      return;
    }
    const hex = size.toString(16);
    const words = Math.ceil(hex.length / 16);
    const bytes = Buffer.from(hex.padStart(words * 16, '0'), 'hex').toReversed();
    this.varint(words * 2 + sign);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }
}

/**
 * Writes a varint at a position with enough room; returns its end. For many small values in a row: with the position in a
 * local variable it takes half the time.
 */
export function putVarint(bytes: Uint8Array, from: number, value: number): number {
  let at = from;
  let left = value;
  while (left >= 0x80) {
    bytes[at++] = (left & 0x7f) | 0x80;
    left >>>= 7;
  }
  bytes[at++] = left;
  return at;
}

/** Whether a value survives a round trip as a varint; -0 does not. */
export function isSmall(value: unknown): value is number {
  return typeof value === 'number' && value >>> 0 === value && !Object.is(value, -0);
}

/** Up to here a loop beats the call into the runtime. */
const LOOP_LENGTH_MAX = 48;

function hasWide(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return true;
  return false;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Bytes that no version of this code would have written. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** The counterpart of ByteSink. Every read is checked, because files may be damaged. */
export class ByteSource {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = viewOf(bytes);
    this.#end = bytes.length;
  }

  /** From now on, reads start at `from` and stay before `end`. */
  seek(from: number, end: number): void {
    this.#at = from;
    this.#end = end;
  }

  get left(): number {
    return this.#end - this.#at;
  }

  byte(): number {
    return this.#bytes[this.#next(1)];
  }

  uint16(): number {
    return this.#view.getUint16(this.#next(2), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#next(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#next(8), true);
  }

  varint(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let scale = 0x80; scale <= 0x10000000; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > 0xffffffff) throw new Malformed('a number is too large');
        return value;
      }
    }
    throw new Malformed('a varint is too long');
  }

  /**
   * A count of items that take at least a byte each. It is checked against the bytes left, so that a damaged count
   * cannot allocate much memory.
   */
  count(): number {
    const count = this.varint();
    if (count > this.left) throw new Malformed(`${count} items in ${this.left} bytes`);
    return count;
  }

  text(): string {
    const head = this.varint();
    const length = head >>> 1;
    if ((head & 1) === 0) {
      const at = this.#next(length);
      return this.#bytes.toString('latin1', at, at + length);
    }
    const at = this.#next(2 * length);
    return this.#bytes.toString('utf16le', at, at + 2 * length);
  }

  bigint(): bigint {
    const head = this.varint();
    const words = head >>> 1;
    if (words === 0) throw new Malformed('an amount without digits');
    const at = this.#next(8 * words);
    const size = words <= 2 ? this.#narrow(at, words) : this.#wide(at, at + 8 * words);
    return (head & 1) === 0 ? size : -size;
  }

  #narrow(at: number, words: number): bigint {
    const low = this.#view.getBigUint64(at, true);
    return words === 1 ? low : (this.#view.getBigUint64(at + 8, true) << 64n) + low;
  }

  /** Converts through hexadecimal digits, which takes time proportional to their number. */
  #wide(at: number, end: number): bigint {
    return BigInt(`0x${Buffer.from(this.#bytes.subarray(at, end).toReversed()).toString('hex')}`);
  }

  #next(count: number): number {
    const at = this.#at;
    this.#at = at + count;
    if (this.#at > this.#end) throw new Malformed('it is truncated');
    return at;
  }
}
