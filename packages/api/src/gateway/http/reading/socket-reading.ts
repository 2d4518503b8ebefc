/**
 * Stops and starts reading a connection at the system's end. Node's own `pause` is taken back by the next request that
 * is whole, and pauses the parser as well; this leaves what was read to be dealt with, and the rest waits in the system.
 */

import type { Socket } from 'node:net';

/** What a connection is to the system; Node's types do not name it. */
interface Handle {
  reading: boolean;
  readStart(): void;
  readStop(): void;
}

export type ReadSocket = Socket & {
  readonly _handle?: Handle | null;
  /** Node has stopped reading, because the answers are not read, and will go on by itself. */
  readonly _paused?: boolean;
};

export const isReading = ({ _handle: handle }: ReadSocket): boolean => handle?.reading === true;

export function stopReading({ _handle: handle }: ReadSocket): void {
  if (!handle?.reading) return;
  handle.reading = false;
  handle.readStop();
}

export function startReading({ _handle: handle, _paused: isPaused }: ReadSocket): void {
  if (!handle || handle.reading || isPaused) return;
  handle.reading = true;
  handle.readStart();
}
