/** Writes raw bytes to a connection, bypassing HTTP, and then closes it. */

import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

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
