/** Bytes straight onto a connection, past everything HTTP would make of them, and then its end. */

import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export function sendRaw(socket: Socket, chunks: AsyncIterable<Buffer>): void {
  void pipeline(Readable.from(chunks), socket).catch(() => socket.destroy());
}
