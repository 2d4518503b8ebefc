/** Answers to what never became a request: rubbish, headers beyond the limit, senders that are too slow. */

import type { Socket } from 'node:net';
import type { Dialect } from '../dialects.ts';
import { ERRORS } from '../errors/errors.ts';
import { Refusal } from '../errors/refusal.ts';
import { renderRefusal } from '../errors/render.ts';
import type { Spent } from '../access/throttle.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** `isAwaited`: an earlier request on this connection has no answer yet, and the client would take this one for it. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  dialect: Dialect,
  { limit, remaining, resetMs }: Spent,
  isAwaited: boolean,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAwaited) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error);
  const { status } = ERRORS[refusal.error];
  const body = renderRefusal(dialect, 'A', refusal);
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      `gw-ratelimit-limit: ${limit}`,
      `gw-ratelimit-remaining: ${remaining}`,
      `gw-ratelimit-reset: ${resetMs}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    // Whatever else arrives is not read: a client that ignores the end is cut.
    () => socket.destroy(),
  );
}

function refusalOf(error: NodeJS.ErrnoException): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers-too-large');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request-timeout');
  return new Refusal('request-malformed');
}
