/** Authentication of bytes: HMAC-SHA256 with a key that all nodes share, appended to the bytes. */

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export const MAC_BYTES = 32;

export class Mac {
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** Returns a copy with the MAC appended. `context`: the purpose of the bytes; they verify only for the same one. */
  sign(context: Uint8Array | string, bytes: Uint8Array): Uint8Array {
    const signed = Buffer.allocUnsafe(bytes.length + MAC_BYTES);
    signed.set(bytes, 0);
    signed.set(this.#of(context, bytes), bytes.length);
    return signed;
  }

  /** The bytes without the MAC; null if they were not signed with the key for this context. */
  open(context: Uint8Array | string, signed: Uint8Array): Uint8Array | null {
    const length = signed.length - MAC_BYTES;
    if (length < 0) return null;
    const bytes = signed.subarray(0, length);
    return timingSafeEqual(signed.subarray(length), this.#of(context, bytes)) ? bytes : null;
  }

  /** Contexts have a fixed length or end with a zero byte, so that none is a prefix of another. */
  #of(context: Uint8Array | string, bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(context).update(bytes).digest();
  }
}
