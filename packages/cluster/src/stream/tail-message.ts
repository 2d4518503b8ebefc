/** A stream message as its writer broadcasts it: its stream sequence, then its bytes without the MAC. */

import type { StreamMessage } from './record-stream.ts';

const HEAD_BYTES = 8;

export function writeTail(at: number, bytes: Uint8Array): Uint8Array {
  const tail = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
  tail.writeDoubleLE(at, 0);
  tail.set(bytes, HEAD_BYTES);
  return tail;
}

/** null if it is not such a message. */
export function readTail(tail: Uint8Array): StreamMessage | null {
  if (tail.length < HEAD_BYTES) return null;
  const at = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength).readDoubleLE(0);
  return { at, kind: 'record', bytes: tail.subarray(HEAD_BYTES) };
}
