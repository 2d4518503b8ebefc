/**
 * Parses only what a load needs from the response in its buffer: converting every response to a string and searching
 * it three times would cost the load about a microsecond.
 */

const LENGTH = 'content-length: ';
const HEAD_END = Buffer.from('\r\n\r\n');
const SUCCESS = Buffer.from('HTTP/1.1 200');
const FAILURE = Buffer.from('"success":false');

/** Boyer-Moore-Horspool: how far the search for FAILURE may skip when it sees this byte at the last position. */
const SKIPS = new Uint8Array(256).fill(FAILURE.length);
for (let i = 0; i < FAILURE.length - 1; i++) SKIPS[FAILURE[i]] = FAILURE.length - 1 - i;

export function liesAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** Status 200 without a failure in the body; a failed order of a batch counts. */
export function isSuccess(bytes: Buffer, size: number): boolean {
  if (!liesAt(bytes, 0, SUCCESS)) return false;
  const last = FAILURE.length - 1;
  for (let end = last; end < size; end += SKIPS[bytes[end]]) {
    if (bytes[end] === FAILURE[last] && liesAt(bytes, end - last, FAILURE)) return false;
  }
  return true;
}

/** Consecutive responses on a connection mostly have the same layout; only others are parsed for their length. */
export class AnswerShape {
  #size = Number.POSITIVE_INFINITY;
  #lengthLine = Buffer.alloc(0);
  #lengthLineAt = 0;
  #headEndAt = 0;

  /** Length of the complete response of which `received` bytes have arrived; 0 until its head is complete. */
  sizeOf(bytes: Buffer, received: number): number {
    const known =
      received >= this.#size &&
      liesAt(bytes, this.#lengthLineAt, this.#lengthLine) &&
      liesAt(bytes, this.#headEndAt, HEAD_END);
    return known ? this.#size : this.#learn(bytes.toString('latin1', 0, received));
  }

  #learn(text: string): number {
    const headEndAt = text.indexOf('\r\n\r\n');
    if (headEndAt < 0) return 0;
    const head = text.slice(0, headEndAt + 2);
    const at = head.indexOf(LENGTH);
    const lengthLine = at < 0 ? '' : head.slice(at, head.indexOf('\r\n', at) + 2);
    this.#size = headEndAt + HEAD_END.length + Number(lengthLine.slice(LENGTH.length));
    this.#lengthLine = Buffer.from(lengthLine, 'latin1');
    this.#lengthLineAt = Math.max(at, 0);
    this.#headEndAt = headEndAt;
    return this.#size;
  }
}
