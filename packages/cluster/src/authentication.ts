/**
 * The keys with which nodes authenticate what they write to the log servers. Whoever reaches the servers without the
 * venue's secret can destroy messages but not create any. Each use has its own key, bound to the stream's name, so that
 * another cluster with the same secret accepts nothing of this one.
 */

import { hkdfSync, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@bourse/engine';

export interface ClusterKeys {
  readonly records: Uint8Array;
  readonly messages: Uint8Array;
  readonly snapshots: Uint8Array;
}

const KEY_BYTES = 32;

/** `secretKey`: 64 hex digits. */
export function deriveClusterKeys(secretKey: string, stream: string): ClusterKeys {
  const derive = (use: string): Uint8Array =>
    new Uint8Array(
      hkdfSync('sha256', Buffer.from(secretKey, 'hex'), '', `bourse cluster ${stream} ${use}`, KEY_BYTES),
    );
  return { records: derive('records'), messages: derive('messages'), snapshots: derive('snapshots') };
}

/** Authentication of bytes: HMAC-SHA256 with a key that all nodes share, appended to the bytes. */
export const MAC_BYTES = 32;

export class Mac {
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** Returns a copy with the MAC appended. `context`: the purpose of the bytes; they verify only for the same one. */
  sign(context: Uint8Array | string, bytes: Uint8Array): Uint8Array {
    const signed = Buffer.allocUnsafe(bytes.length + MAC_BYTES);
    signed.set(bytes, 0);
    signed.set(this.#of(context, bytes), bytes.length);
    return signed;
  }

  /** The bytes without the MAC; null if they were not signed with the key for this context. */
  open(context: Uint8Array | string, signed: Uint8Array): Uint8Array | null {
    const length = signed.length - MAC_BYTES;
    if (length < 0) return null;
    const bytes = signed.subarray(0, length);
    return timingSafeEqual(signed.subarray(length), this.#of(context, bytes)) ? bytes : null;
  }

  /** Contexts have a fixed length or end with a zero byte, so that none is a prefix of another. */
  #of(context: Uint8Array | string, bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(context).update(bytes).digest();
  }
}

const AGAIN_MS = 60_000;

/** Counts forged messages from the log servers, and raises an alarm at most once a minute. */
export class Forgeries {
  readonly #clock: Clock;
  readonly #onAlarm: (sentence: string) => void;
  #toldAt = -Infinity;
  /** Forged messages of the stream. */
  records = 0;
  /** Forged or replayed messages between nodes. */
  messages = 0;

  constructor(clock: Clock, onAlarm: (sentence: string) => void) {
    this.#clock = clock.machine;
    this.#onAlarm = onAlarm;
  }

  record(at: number): void {
    this.records++;
    this.#warn(`message ${at} of the stream was not written by a node of this cluster, and is skipped`);
  }

  message(topic: string, why: 'forged' | 'replayed'): void {
    this.messages++;
    this.#warn(`a message to '${topic}' is ${why}, and is dropped`);
  }

  #warn(what: string): void {
    const now = this.#clock.elapsed();
    if (now - this.#toldAt < AGAIN_MS) return;
    this.#toldAt = now;
    this.#onAlarm(
      `${what}: somebody else can write to the log servers, or a node has another secret key (so far ${this.records} ` +
        `records and ${this.messages} messages). Change the password of the log servers, and see who reaches them`,
    );
  }
}
