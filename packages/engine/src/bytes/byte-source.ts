/** Reads bytes: the counterpart of ByteSink. Every read is checked, because files may be damaged. */

import { viewOf } from './byte-sink.ts';

/** Bytes that no version of this code would have written. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

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
    throw new Malformed('a number does not end');
  }

  /**
   * A count of items that take at least a byte each. It is checked against the bytes left, so that a damaged count
   * cannot allocate much memory.
   */
  count(): number {
    const count = this.varint();
    if (count > this.left) throw new Malformed(`${count} things in ${this.left} bytes`);
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
    if (this.#at > this.#end) throw new Malformed('ends in the middle');
    return at;
  }
}
