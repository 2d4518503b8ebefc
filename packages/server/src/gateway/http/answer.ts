/** Writes an answer. In one call, with the headers as a flat list: the quickest way Node has. */

import type { ServerResponse } from 'node:http';
import type { Spent } from '../access/throttle.ts';

export function writeAnswer(
  outgoing: ServerResponse,
  status: number,
  text: string,
  { limit, remaining, resetMs }: Spent,
  requestId: string,
  allow?: string,
  more: readonly string[] = [],
): void {
  const bytes = Buffer.byteLength(text);
  const headers = [
    'content-type',
    'application/json',
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
  if (more.length > 0) headers.push(...more);
  outgoing.writeHead(status, headers);
  // As many bytes as characters: all ASCII, which need not be encoded.
  outgoing.end(text, bytes === text.length ? 'latin1' : 'utf8');
}
