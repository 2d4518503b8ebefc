/**
 * The request and response objects of the HTTP server: headers and bodies of requests, and every way in which the
 * gateway writes a response.
 */

import { type IncomingHttpHeaders, IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { shortened } from '@bourse/engine';
import {
  type BodyTaker,
  canSendWhole,
  hadError,
  keepAliveOf,
  sendWhole,
  TakenMessage,
  usesNodeInternals,
} from '../../sockets/node-internals.ts';
import type { RateUsage } from '../access/throttle.ts';
import { ERRORS } from '../errors/errors.ts';
import { Refusal } from '../errors/refusal.ts';
import { renderRefusal } from '../result.ts';
import type { Dialect } from '../route.ts';
import { endPipeline, enterPipeline, leavePipeline, unfinished } from './pipeline.ts';

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
   * Drops the error: when a connection closes, Node passes one with a stack trace to each request in flight. Nobody
   * listens for it, and a connection may have many.
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

const SECOND_MS = 1000;

/**
 * `sendWhole` is a second path, 7 to 11 % of an HTTP order (docs/internals/speed.md), for a response whose head and body
 * are ready together. Node would build the head header by header, validate each name and value, and cork the socket
 * until the body is there; our headers are always the same, with values that we generate. `writableEnded`, `finish` and
 * the order of pipelined responses are as in Node.
 */
export class HttpResponse extends ServerResponse<HttpMessage> {
  /** Position in the pipeline: the requests in flight on the connection when its own arrived, including that one. */
  readonly position = this.#enter();
  #isWritten = false;

  /** Whether `sendWhole` may be used. */
  get isOrdinary(): boolean {
    return canSendWhole(this);
  }

  /** `head` ends before Node's own headers; `text` is the complete body. `now`: milliseconds since 1970. */
  sendWhole(status: number, head: string, text: string, encoding: 'latin1' | 'utf8', now: number): void {
    this.statusCode = status;
    const { timeoutMs, requestsMax } = keepAliveOf(this);
    sendWhole(this, head + closingHeaders(now, timeoutMs, requestsMax), text, encoding, this.#onWritten);
  }

  #enter(): number {
    const { socket } = this.req;
    if (!usesNodeInternals()) this.once('close', () => leavePipeline(socket));
    return enterPipeline(socket, this);
  }

  /** Node calls this when all of it has been sent; `close` follows a tick later. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    if (usesNodeInternals()) leavePipeline(socket);
  }

  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get writableFinished(): boolean {
    return this.#isWritten || Reflect.get(ServerResponse.prototype, 'writableFinished', this);
  }

  readonly #onWritten = (): void => {
    if (hadError(this.socket)) return;
    this.#isWritten = true;
    this.emit('finish');
  };
}

/** The headers that Node appends, cached for one second. */
let closing = '';
let closingSecond = -1;
let closingTimeoutMs = -1;
let closingMax = -1;

function closingHeaders(now: number, timeoutMs: number, max: number): string {
  const second = Math.floor(now / SECOND_MS);
  if (second !== closingSecond || timeoutMs !== closingTimeoutMs || max !== closingMax) {
    const seconds = Math.floor(timeoutMs / SECOND_MS);
    const keepAlive =
      timeoutMs > 0 ? `Keep-Alive: timeout=${seconds}${max > 0 ? `, max=${max}` : ''}\r\n` : '';
    closing = `Date: ${new Date(now).toUTCString()}\r\nConnection: keep-alive\r\n${keepAlive}\r\n`;
    closingSecond = second;
    closingTimeoutMs = timeoutMs;
    closingMax = max;
  }
  return closing;
}

/** On every response except public market data: prevents caching. */
export const NOT_KEPT: readonly string[] = ['cache-control', 'no-store'];
const NOT_KEPT_LINE = `${NOT_KEPT.join(': ')}\r\n`;

/** Writes any response with the API's common headers: as a flat list, which is Node's fastest way. */
export function writeResponse(
  outgoing: ServerResponse,
  status: number,
  text: string,
  { limit, remaining, resetMs }: RateUsage,
  requestId: string,
  allow?: string,
  more: readonly string[] = NOT_KEPT,
): void {
  const bytes = Buffer.byteLength(text);
  const headers = [
    'content-type',
    'application/json',
    'x-content-type-options',
    'nosniff',
    'content-length',
    String(bytes),
    'gw-ratelimit-limit',
    String(limit),
    'gw-ratelimit-remaining',
    String(remaining),
    'gw-ratelimit-reset',
    String(resetMs),
    'x-request-id',
    requestId,
  ];
  if (allow !== undefined) headers.push('allow', allow);
  headers.push(...more);
  outgoing.writeHead(status, headers);
  outgoing.end(text, encodingOf(text, bytes));
}

/** Writes the same bytes for an ordinary response, bypassing Node's header code. `now`: milliseconds since 1970. */
export function writeOrdinaryResponse(
  outgoing: HttpResponse,
  status: number,
  text: string,
  { limit, remaining, resetMs }: RateUsage,
  requestId: string,
  now: number,
  isPublic: boolean,
): void {
  const bytes = Buffer.byteLength(text);
  if (status !== latest.status || bytes !== latest.bytes || limit !== latest.limit) {
    latest = { status, bytes, limit, beginning: beginningOf(status, bytes, limit) };
  }
  const kept = isPublic ? '' : NOT_KEPT_LINE;
  const head = `${latest.beginning}${remaining}\r\ngw-ratelimit-reset: ${resetMs}\r\nx-request-id: ${requestId}\r\n${kept}`;
  outgoing.sendWhole(status, head, text, encodingOf(text, bytes), now);
}

/** As many bytes as characters: ASCII, which needs no encoding. */
const encodingOf = (text: string, bytes: number): 'latin1' | 'utf8' =>
  bytes === text.length ? 'latin1' : 'utf8';

/** The head up to the first varying value; consecutive responses mostly share it. */
let latest = { status: 0, bytes: -1, limit: -1, beginning: '' };

const beginningOf = (status: number, bytes: number, limit: number): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\ncontent-type: application/json\r\n` +
  `x-content-type-options: nosniff\r\ncontent-length: ${bytes}\r\ngw-ratelimit-limit: ${limit}\r\ngw-ratelimit-remaining: `;

/** Writes bytes that need not be HTTP, and closes the connection; at once as soon as `isCurrent` is false. */
export function sendRaw(socket: Socket, chunks: AsyncIterable<Buffer>, isCurrent: () => boolean): void {
  void pipeline(Readable.from(whileCurrent(chunks, isCurrent)), socket).catch(() => socket.destroy());
}

async function* whileCurrent(
  chunks: AsyncIterable<Buffer>,
  isCurrent: () => boolean,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (!isCurrent()) throw new Error('the response is obsolete');
    yield chunk;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Responds to input that never became a request (malformed bytes, oversized headers, slow senders), and closes the
 * connection. Responses to earlier requests go first; otherwise the client would mismatch them.
 */
export function respondToClientError(
  refusal: Refusal,
  socket: Socket,
  dialect: Dialect,
  { limit, remaining, resetMs }: RateUsage,
): void {
  const { status } = ERRORS[refusal.error];
  const body = renderRefusal(dialect, 'A', refusal);
  const answer = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'content-type: application/json',
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    `gw-ratelimit-limit: ${limit}`,
    `gw-ratelimit-remaining: ${remaining}`,
    `gw-ratelimit-reset: ${resetMs}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
  // A request rejected before its body arrived already has its response.
  const isAnswered = unfinished(socket)?.writableEnded === true;
  endPipeline(socket, () => {
    if (!isAnswered) socket.write(answer);
    socket.destroySoon();
  });
}

export function refusalOf(error: NodeJS.ErrnoException): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers-too-large');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request-timeout');
  return new Refusal('request-malformed');
}
