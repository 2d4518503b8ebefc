/**
 * The MAC of a stream message covers its kind and its stream sequence: the same bytes at another position, such as a
 * record appended a second time, do not verify. The order of records is covered by their chain hash.
 *
 * All nodes have the same key, so all agree on which messages are forged, and skip them.
 */

import { Mac } from '../auth/mac.ts';
import type { MessageKind, StreamMessage } from './record-stream.ts';

const KINDS: readonly MessageKind[] = ['record', 'aside'];
const CONTEXT_BYTES = 9;

export class RecordMac {
  readonly #mac: Mac;

  constructor(key: Uint8Array) {
    this.#mac = new Mac(key);
  }

  /** Signs the bytes as message `at` of the stream. */
  sign(kind: MessageKind, at: number, bytes: Uint8Array): Uint8Array {
    return this.#mac.sign(contextOf(kind, at), bytes);
  }

  /** The message without its MAC; null if no node signed it for this position. */
  open({ kind, at, bytes }: StreamMessage): StreamMessage | null {
    const opened = this.#mac.open(contextOf(kind, at), bytes);
    return opened && { kind, at, bytes: opened };
  }
}

function contextOf(kind: MessageKind, at: number): Uint8Array {
  const context = Buffer.allocUnsafe(CONTEXT_BYTES);
  context.writeUInt8(KINDS.indexOf(kind), 0);
  context.writeDoubleLE(at, 1);
  return context;
}
