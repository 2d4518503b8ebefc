/** Bytes straight onto a connection, past everything HTTP would make of them, and then its end. */

import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Ends without the rest when `isCurrent` is false. */
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
