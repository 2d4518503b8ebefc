/** The number of a connection's requests in flight. Stored on the socket object, which is faster than a map. */

import type { Socket } from 'node:net';

const PENDING = Symbol('pending');

type CountedSocket = Socket & { [PENDING]?: number };

export function addPending(socket: Socket, change: 1 | -1): void {
  const counted: CountedSocket = socket;
  counted[PENDING] = (counted[PENDING] ?? 0) + change;
}

export function hasPending(socket: Socket): boolean {
  return ((socket as CountedSocket)[PENDING] ?? 0) > 0;
}
