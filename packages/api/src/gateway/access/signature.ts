/**
 * Signatures: HMAC-SHA256 over `timestamp + METHOD + path?query + body`, in base64. Short texts have a second path,
 * worth 4 to 5 % of an HTTP order (docs/internals/speed.md): it caches the two blocks that depend only on the secret,
 * and computes inner and outer hash with one call each, in half the time of a Hmac object.
 */

import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Characters of 32 bytes in base64. */
const SIGNATURE_LENGTH = 44;
const SCRATCH_BYTES = 16_384;

/** Shared by all keys: hashing is one synchronous step. */
const scratch = Buffer.alloc(SCRATCH_BYTES);
/**
 * Views of its first bytes, by length: at most SCRATCH_BYTES of them, because creating one costs as much as hashing a
 * block.
 */
const beginnings = new Map<number, Buffer>();
const presented = Buffer.alloc(SIGNATURE_LENGTH);
const computed = Buffer.alloc(SIGNATURE_LENGTH);

export class HmacKey {
  readonly #secret: string;
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  constructor(secret: string) {
    this.#secret = secret;
    const bytes = Buffer.from(secret, 'utf8');
    const key = bytes.length > BLOCK_BYTES ? createHash('sha256').update(bytes).digest() : bytes;
    this.#inner = Buffer.alloc(BLOCK_BYTES, 0x36);
    this.#outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
    for (let i = 0; i < key.length; i++) {
      this.#inner[i] ^= key[i];
      this.#outer[i] ^= key[i];
    }
  }

  /** `head` is the signed text before the body: ASCII, because Node accepts nothing else in a request line. */
  sign(head: string, body: Buffer | undefined): string {
    const bodyBytes = body === undefined ? 0 : body.length;
    const length = BLOCK_BYTES + head.length + bodyBytes;
    if (length > SCRATCH_BYTES) {
      const hmac = createHmac('sha256', this.#secret).update(head, 'latin1');
      return (body === undefined ? hmac : hmac.update(body)).digest('base64');
    }
    scratch.set(this.#inner, 0);
    scratch.write(head, BLOCK_BYTES, 'latin1');
    if (body !== undefined) scratch.set(body, BLOCK_BYTES + head.length);
    const digest = hash('sha256', beginningOf(length), 'binary');
    this.#outer.write(digest, BLOCK_BYTES, 'latin1');
    return hash('sha256', this.#outer, 'base64');
  }
}

function beginningOf(length: number): Buffer {
  let beginning = beginnings.get(length);
  if (beginning === undefined) beginnings.set(length, (beginning = scratch.subarray(0, length)));
  return beginning;
}

/** Compares two base64 digests in constant time, as text: another spelling of the same bytes is not equal. */
export function equalDigests(given: string, expected: string): boolean {
  const fits = given.length === SIGNATURE_LENGTH;
  presented.write(fits ? given : expected, 'latin1');
  computed.write(expected, 'latin1');
  const equal = timingSafeEqual(presented, computed);
  return fits && equal;
}

/**
 * Alternative spellings of path and query that a client of the family dialect may have signed: percent-decoded, and
 * without an empty `?`. A decoded spelling counts only if it parses as the same request; otherwise one signature
 * would fit two.
 */
export function signedSpellings(url: string): readonly string[] {
  const bare = url.endsWith('?') ? url.slice(0, -1) : url;
  const spellings = bare === url ? [] : [bare];
  if (bare.includes('%')) {
    const decoded = decodeUnambiguously(bare);
    if (decoded !== undefined) spellings.push(decoded);
  }
  return spellings;
}

function decodeUnambiguously(url: string): string | undefined {
  // Separators (`/ ? # & = +`), `%`, and anything that is not printable ASCII must stay encoded.
  if (/%(?:2[356BbFf]|3[DdFf]|[01]|7[Ff]|[89A-Fa-f])/.test(url)) return undefined;
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}
