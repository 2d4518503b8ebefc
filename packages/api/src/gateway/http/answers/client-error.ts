/** Responses to input that never became a request: malformed bytes, oversized headers, slow senders. */

import type { Socket } from 'node:net';
import type { Dialect } from '../../dialects.ts';
import { ERRORS } from '../../errors/errors.ts';
import { Refusal } from '../../errors/refusal.ts';
import { renderRefusal } from '../../errors/render.ts';
import type { RateUsage } from '../../access/throttle.ts';
import { endPipeline, unfinished } from '../connections/pipeline.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * The last response of its connection. Responses to earlier requests go first; otherwise the client would mismatch
 * them.
 */
export function answerClientError(
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
