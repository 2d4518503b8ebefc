/** Writes a response with the interface's common headers. */

import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RateUsage } from '../../access/throttle.ts';
import type { HttpResponse } from './http-response.ts';

/** On every response except public market data: prevents caching. */
export const NOT_KEPT: readonly string[] = ['cache-control', 'no-store'];
const NOT_KEPT_LINE = `${NOT_KEPT.join(': ')}\r\n`;

/** One call with the headers as a flat list: Node's fastest way for any response. */
export function writeAnswer(
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

/** The same bytes for an ordinary response, bypassing Node's header code. `now`: milliseconds since 1970. */
export function writeOrdinaryAnswer(
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

// Bytes straight onto a connection, past everything HTTP would make of them, and then its end.

/** Ends without the remaining bytes once `isCurrent` is false. */
export function sendRaw(socket: Socket, chunks: AsyncIterable<Buffer>, isCurrent: () => boolean): void {
  void pipeline(Readable.from(whileCurrent(chunks, isCurrent)), socket).catch(() => socket.destroy());
}

async function* whileCurrent(
  chunks: AsyncIterable<Buffer>,
  isCurrent: () => boolean,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (!isCurrent()) throw new Error('what is answered no longer is');
    yield chunk;
  }
}
