/** The response objects of the HTTP server, and every way in which the gateway writes one. */

import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  canSendWhole,
  hadError,
  keepAliveOf,
  sendWhole,
  usesNodeInternals,
} from '../../sockets/node-internals.ts';
import type { RateUsage } from '../access/throttle.ts';
import { ERRORS } from '../errors/errors.ts';
import { Refusal } from '../errors/refusal.ts';
import { renderRefusal } from '../result.ts';
import type { Dialect } from '../route.ts';
import type { HttpMessage } from './incoming-message.ts';
import { endPipeline, enterPipeline, leavePipeline, unfinished } from './pipeline.ts';

const SECOND_MS = 1000;

/**
 * `sendWhole` is a second path, 7 to 11 % of an HTTP order (docs/internals/speed.md), for a response whose head and body
 * are ready together. Node would build the head header by header, validate each name and value, and cork the socket
 * until the body is there; our headers are always the same, with values that we generate. `writableEnded`, `finish` and
 * the order of pipelined responses are as in Node.
 */
export class HttpResponse extends ServerResponse<HttpMessage> {
  /** Number of requests in flight on its connection when its own arrived, including that one. */
  readonly place = this.#enter();
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
