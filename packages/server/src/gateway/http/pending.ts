/** How many requests of a connection wait for their answers. Kept on the socket object, which is faster than a map. */

import type { Socket } from 'node:net';

const PENDING = Symbol('pending');

type CountedSocket = Socket & { [PENDING]?: number };

/** Returns how many there are now. */
export function addPending(socket: Socket, change: 1 | -1): number {
  const counted: CountedSocket = socket;
  return (counted[PENDING] = (counted[PENDING] ?? 0) + change);
}

export function hasPending(socket: Socket): boolean {
  return ((socket as CountedSocket)[PENDING] ?? 0) > 0;
}
