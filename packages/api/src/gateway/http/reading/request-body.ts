/** Checks whether a request has a body and its type, and discards unwanted bodies. */

import type { IncomingHttpHeaders } from 'node:http';
import { shortened } from '@bourse/engine';
import { Refusal } from '../../errors/refusal.ts';
import type { BodyTaker } from '../../../sockets/node-internals.ts';
import type { HttpMessage } from './incoming-message.ts';

/** Bytes of a refused body that are read and discarded, so that the client reads its response. */
const DRAINED_BYTES_MAX = 64 * 1024 * 1024;
/** JSON_TYPE takes time that grows with the square of the blanks; a long header would hold up all other requests. */
const TYPE_LENGTH_MAX = 100;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/**
 * The signature covers path, query and body without separators. A route that ignored a body would
 * accept a signed query moved into the body as a request without a query. `{}` is harmless, and clients send it.
 */
export function checkNoBody(body: Buffer | undefined): void {
  if (body === undefined || body.length === 0 || (body.length === 2 && body.toString('latin1') === '{}'))
    return;
  throw new Refusal('parameter-invalid', 'This request has no body; send its parameters in the query.');
}

export const isJson = (type: string): boolean => type.length <= TYPE_LENGTH_MAX && JSON_TYPE.test(type);

const COMPRESSED = /\b(?:gzip|deflate|br|zstd|compress)\b/i;

/** Bodies are small, and the signature covers the bytes as sent, so compression is not supported. */
export function refuseCompressed(headers: IncomingHttpHeaders): Refusal | undefined {
  const coding = headers['content-encoding'] ?? headers['transfer-encoding'];
  if (coding === undefined || coding === 'chunked' || !COMPRESSED.test(coding)) return undefined;
  return new Refusal('media-type', `The body is sent as '${shortened(coding)}': send it uncompressed.`);
}

export function hasNoBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return (length === undefined || length === '0') && headers['transfer-encoding'] === undefined;
}

/** Reads and discards the rest of a refused body, up to a bound: many clients read the answer only after sending all. */
export function drain(incoming: HttpMessage): void {
  incoming.takeBody(new Drain(incoming));
}

class Drain implements BodyTaker {
  readonly #incoming: HttpMessage;
  #bytes = 0;

  constructor(incoming: HttpMessage) {
    this.#incoming = incoming;
  }

  takePiece(chunk: Buffer | null): void {
    this.#bytes += chunk?.length ?? 0;
    if (this.#bytes > DRAINED_BYTES_MAX) this.#incoming.destroy();
  }
}

/**
 * The pieces of a body in one buffer that doubles as it fills. A list of pieces would be simpler, but each piece costs
 * 200 bytes however short it is, and a stranger may send a body byte by byte.
 */
export class BodyBuffer {
  #bytes: Buffer | undefined;
  #length = 0;
  readonly #lengthMax: number;

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  /** Undefined while nothing has come. */
  get whole(): Buffer | undefined {
    return this.#bytes === undefined || this.#bytes.length === this.#length
      ? this.#bytes
      : this.#bytes.subarray(0, this.#length);
  }

  /** False, and nothing is kept, when it would be more than allowed. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#lengthMax) return false;
    if (this.#bytes === undefined) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = length;
    return true;
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.min(this.#lengthMax, Math.max(length, 2 * this.#length)));
    this.#bytes!.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
