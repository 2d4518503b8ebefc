/** The request objects of the HTTP server: their headers, and the bytes of their bodies. */

import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { shortened } from '@bourse/engine';
import { type BodyTaker, TakenMessage } from '../../sockets/node-internals.ts';
import { Refusal } from '../errors/refusal.ts';

/** Its body can be received in chunks, and its headers object is cloned from an earlier request's. */
export class HttpMessage extends TakenMessage {
  #shaped: IncomingMessage['headers'] | undefined;

  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get headers(): IncomingMessage['headers'] {
    return (this.#shaped ??=
      shapedHeaders(this.rawHeaders) ?? Reflect.get(IncomingMessage.prototype, 'headers', this));
  }

  override set headers(headers: IncomingMessage['headers']) {
    this.#shaped = headers;
  }

  /**
   * When a connection closes, Node emits an error with a stack trace for each request in flight. Nobody listens for
   * it, and a connection may have many.
   */
  override destroy(): this {
    return super.destroy();
  }
}

// A second path, 4 to 5 % of an HTTP order (docs/internals/speed.md): the headers object that Node would build. A
// client sends the same names with every request, so the object is a copy of an earlier one with other values. Built
// name by name, it would take four times the memory, and every name would be lowercased again.

interface Shape {
  /** The names as sent. */
  readonly sent: readonly string[];
  /** The corresponding member names of the object. */
  readonly members: readonly string[];
  readonly headers: IncomingHttpHeaders;
  /** Consecutive misses since its last use. */
  missed: number;
}

/** Number of cached client kinds; a power of two. */
const SHAPES_MAX = 64;
/** Consecutive misses before a shape is replaced. */
const MISSED_MAX = 8;
const HEADERS_MAX = 40;

const shapes: (Shape | undefined)[] = Array(SHAPES_MAX).fill(undefined);

/** `raw` alternates names and values. Returns undefined if no shape fits; then use Node's own object. */
function shapedHeaders(raw: readonly string[]): IncomingHttpHeaders | undefined {
  const place = placeOf(raw);
  const shape = shapes[place];
  if (shape !== undefined && fits(shape, raw)) return filled(shape, raw);
  if (shape === undefined || ++shape.missed > MISSED_MAX) shapes[place] = shapeOf(raw) ?? shape;
  return undefined;
}

/** Hashes the lengths of the names, which rarely agree for different clients. */
function placeOf(raw: readonly string[]): number {
  let sum = raw.length;
  for (let at = 0; at < raw.length; at += 2) sum = (sum * 31 + raw[at].length) | 0;
  return sum & (SHAPES_MAX - 1);
}

function fits({ sent }: Shape, raw: readonly string[]): boolean {
  if (raw.length !== 2 * sent.length) return false;
  for (let at = 0; at < sent.length; at++) if (sent[at] !== raw[2 * at]) return false;
  return true;
}

function filled(shape: Shape, raw: readonly string[]): IncomingHttpHeaders {
  const { members } = shape;
  const headers = { ...shape.headers };
  for (let at = 0; at < members.length; at++) headers[members[at]] = raw[2 * at + 1];
  shape.missed = 0;
  return headers;
}

/**
 * Undefined for headers that Node does not simply copy: duplicate names, set-cookie, and integer names, which an
 * object would reorder.
 */
function shapeOf(raw: readonly string[]): Shape | undefined {
  if (raw.length > 2 * HEADERS_MAX) return undefined;
  const sent = raw.filter((_, at) => at % 2 === 0);
  const names = sent.map((name) => name.toLowerCase());
  const isOrdinary = new Set(names).size === names.length && !names.some((name) => UNORDINARY.has(name));
  if (!isOrdinary) return undefined;
  const headers: IncomingHttpHeaders = {};
  for (const name of names) headers[name] = '';
  const members = Object.keys(headers);
  if (members.some((member, at) => member !== names[at])) return undefined;
  return { sent, members, headers, missed: 0 };
}

const UNORDINARY: ReadonlySet<string> = new Set(['set-cookie', '__proto__']);

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
