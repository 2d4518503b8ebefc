/** Writes bytes, little-endian, into one growing buffer that is reused. */

const BYTES_FIRST = 1 << 16;
/** The maximum length of `varint`. */
export const VARINT_BYTES_MAX = 5;
const WORD_END = 2n ** 64n;

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

/** Up to here a loop beats the call into the runtime. */
const LOOP_LENGTH_MAX = 48;

function hasWide(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return true;
  return false;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
