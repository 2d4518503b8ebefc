/**
 * Closes a websocket. It waits for the peer's close frame and discards data before that;
 * but reading costs time too, so a peer that keeps sending is disconnected.
 */

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** Data in flight from a client that has sent many orders without waiting. */
const REST_BYTES_MAX = 256 * 1024;
/** Data in flight from a client that was never admitted. */
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
