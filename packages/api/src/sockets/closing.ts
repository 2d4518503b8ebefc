/**
 * The end of a websocket. The peer's close frame is waited for, and what it has sent before that is read and thrown away;
 * but reading costs time too, so whoever goes on sending is cut off.
 */

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** What a client may have on its way that has sent many orders without waiting for answers. */
const REST_BYTES_MAX = 256 * 1024;
/** Of a client that was never let in. */
export const REFUSED_BYTES_MAX = 16 * 1024;

export function closeSocket(
  socket: WebSocket,
  stream: Duplex,
  code: number,
  reason = '',
  restBytesMax = REST_BYTES_MAX,
): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.close(code, reason);
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > restBytesMax) stream.destroy();
  });
}
