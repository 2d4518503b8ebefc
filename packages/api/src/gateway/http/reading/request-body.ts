/** Checks whether a request has a body and its type, and discards unwanted bodies. */

import type { IncomingHttpHeaders } from 'node:http';
import { shortened } from '@bourse/engine';
import { Refusal } from '../../errors/refusal.ts';
import type { BodyTaker } from '../../../sockets/node-internals.ts';
import type { HttpMessage } from './incoming-message.ts';

/** Bytes of a rejected body that are read and discarded, so that the client reads its response. */
const DRAINED_BYTES_MAX = 64 * 1024 * 1024;
/**
 * The time of JSON_TYPE grows with the square of the number of spaces; a long header would delay all other requests.
 */
const TYPE_LENGTH_MAX = 100;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/**
 * The signature covers path, query and body without separators. If a route ignored the body, a signed query moved
 * into the body would pass as a request without a query. `{}` is harmless, and clients send it.
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

/**
 * Reads and discards the rest of a rejected body, up to a limit: many clients read the response only after sending
 * everything.
 */
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
 * Collects a body in one buffer that doubles as it fills. A list of chunks would be simpler, but each chunk costs 200
 * bytes however short it is, and a stranger may send a body byte by byte.
 */
export class BodyBuffer {
  #bytes: Buffer | undefined;
  #length = 0;
  readonly #lengthMax: number;

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  /** Undefined until the first chunk. */
  get whole(): Buffer | undefined {
    return this.#bytes === undefined || this.#bytes.length === this.#length
      ? this.#bytes
      : this.#bytes.subarray(0, this.#length);
  }

  /** Returns false, and stores nothing, if the body would exceed the limit. */
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
