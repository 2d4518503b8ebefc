/** A node's operations on the log, one at a time: append, or read what others have appended. */

import type { LogRecord } from '@bourse/core';
import { type Clock, LogConflict, LogFull } from '@bourse/engine';
import { type Bus, SUBJECTS } from './messages/bus.ts';
import type { JetStreamLog, StreamAppending } from './stream/jetstream-log.ts';
import type { RecordMessage, RecordTags, StreamMessage } from './stream/record-stream.ts';

export interface LogTurnsParts {
  readonly log: JetStreamLog;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Every record of the log in order, its own and others'. */
  readonly onRecord: (message: Pick<RecordMessage, 'record' | 'tags'>) => void;
  /** This node had the complete log at this moment. */
  readonly onEnd: (at: number) => void;
  /** Called after each operation. */
  readonly onDone: () => void;
  /** The log has become unusable. */
  readonly onFailure: (error: Error) => void;
}

type AppendFailure = 'refused' | 'full' | 'failed' | 'given-up';

/** After this long without a record, and at this interval, ask the servers whether one was missed. */
const CHECK_MS = 500;

/** Beyond this, read from the servers instead. */
const AHEAD_MAX = 512;

export class LogTurns {
  readonly #parts: LogTurnsParts;
  #isBusy = false;
  /** Since when a record is being appended; null while none is. */
  #appendingSince: number | null = null;
  /** The log may have records that are not here yet. */
  #isBehind = false;
  #isClosed = false;
  /** Broadcast messages that cannot be applied yet, by their number; and when the last of them arrived. */
  readonly #ahead = new Map<number, StreamMessage>();
  #aheadAt = -Infinity;
  #askedAt = 0;
  #isChecking = false;

  constructor(parts: LogTurnsParts) {
    this.#parts = parts;
  }

  /** How long the append in flight has taken; 0 if there is none. */
  get appendingMs(): number {
    return this.#appendingSince === null ? 0 : this.#parts.clock.elapsed() - this.#appendingSince;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /**
   * `refused`: another node appended, and its records are read next. `full`: there was no space. `given-up`: it was not
   * accepted before `until`, and an empty record took its place. In these cases it is not in the log and never will be.
   */
  async append(record: LogRecord, tags: RecordTags, until: number): Promise<'appended' | AppendFailure> {
    const { log, bus, clock, onRecord, onEnd } = this.#parts;
    this.#isBusy = true;
    const begunAt = clock.elapsed();
    this.#appendingSince = begunAt;
    let placed: ReturnType<StreamAppending['placed']>;
    try {
      const appending = log.append(record, tags, until);
      await appending.durable;
      placed = appending.placed();
      bus.publish(SUBJECTS.tail, writeTail(log.lastMessage, placed.bytes));
    } catch (error) {
      this.#appendingSince = null;
      return this.#notAppended(error as Error);
    }
    this.#appendingSince = null;
    this.#isBusy = false;
    if (!this.#isClosed) onRecord(placed.message);
    onEnd(begunAt);
    this.#finish();
    return placed.message.record === record ? 'appended' : 'given-up';
  }

  /** A record that its writer broadcast. */
  receiveTail(bytes: Uint8Array): void {
    const { log, clock, onRecord, onEnd } = this.#parts;
    const message = readTail(bytes);
    if (message === null || !(message.at > log.lastMessage)) return;
    const taken = this.#isBusy ? null : log.accept(message);
    if (taken) {
      onRecord(taken);
      onEnd(clock.elapsed());
      return;
    }
    if (this.#ahead.size >= AHEAD_MAX) this.#ahead.clear();
    this.#ahead.set(message.at, message);
    this.#aheadAt = clock.elapsed();
    void this.catchUp();
  }

  /** Takes broadcast messages received while this node was busy, as far as they are contiguous. */
  #applyBroadcast(): void {
    const { log, onRecord, onEnd } = this.#parts;
    const ahead = this.#ahead;
    if (ahead.size === 0) return;
    for (const at of ahead.keys()) if (at <= log.lastMessage) ahead.delete(at);
    while (ahead.size > 0) {
      const message = ahead.get(log.lastMessage + 1);
      const taken = message && log.accept(message);
      if (message) ahead.delete(message.at);
      if (!taken) return;
      onRecord(taken);
    }
    onEnd(this.#aheadAt);
  }

  /** Asks the servers whether a record was missed, and reads it: an idle cluster appends nothing. */
  async check(ageMs: number): Promise<void> {
    const { log, clock, onEnd } = this.#parts;
    const askedAt = clock.elapsed();
    if (ageMs < CHECK_MS || askedAt - this.#askedAt < CHECK_MS || this.#isChecking || this.#isClosed) return;
    this.#isChecking = true;
    this.#askedAt = askedAt;
    const isAtEnd = await log.isAtEnd().catch(() => null);
    this.#isChecking = false;
    if (this.#isClosed) return;
    if (isAtEnd) onEnd(askedAt);
    if (isAtEnd === false) void this.catchUp();
  }

  /** Reads what others have appended, now or after the current operation. */
  async catchUp(): Promise<void> {
    const { log, clock, onRecord, onFailure } = this.#parts;
    this.#isBehind = true;
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    const askedAt = clock.elapsed();
    try {
      while (this.#isBehind && !this.#isClosed) {
        const taken = await log.readNew();
        for (const each of taken) onRecord(each);
        this.#applyBroadcast();
        // A node that has caught up with the broadcast records need not ask for more.
        if (taken.length === 0 || (this.#ahead.size === 0 && this.#aheadAt > askedAt)) this.#isBehind = false;
      }
    } catch (error) {
      if (!isPassing(error as Error)) onFailure(error as Error);
    }
    this.#isBusy = false;
    this.#parts.onDone();
  }

  /** From now on nothing is delivered. */
  close(): void {
    this.#isClosed = true;
  }

  #notAppended(error: Error): AppendFailure {
    this.#isBusy = false;
    if (error instanceof LogConflict) {
      this.#parts.log.resume();
      void this.catchUp();
      return 'refused';
    }
    if (!(error instanceof LogFull)) this.#parts.onFailure(error);
    this.#finish();
    return error instanceof LogFull ? 'full' : 'failed';
  }

  #finish(): void {
    if (this.#isBehind) void this.catchUp();
    this.#parts.onDone();
  }
}

/** The servers do not respond now, but may later. */
const isPassing = ({ name }: Error): boolean => !['LogDamaged', 'LogTooNew', 'LogGone'].includes(name);

/** A stream message as its writer broadcasts it: its stream sequence, then its bytes without the MAC. */
const HEAD_BYTES = 8;

function writeTail(at: number, bytes: Uint8Array): Uint8Array {
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
