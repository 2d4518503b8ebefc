/** Keeps connections within their limits: all of them, and those of one address. */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.ts';

/** Returns how many there are. */
export function countConnections(server: Server, limits: HttpLimits): () => number {
  const byAddress = new Map<string, number>();
  let all = 0;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (byAddress.get(address) ?? 0) + 1;
    all++;
    byAddress.set(address, count);
    socket.once('close', () => {
      all--;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
    if (all > limits.connectionsMax || count > limits.connectionsPerAddressMax) socket.destroy();
  });
  return () => all;
}
