/** What a node does with the log, one thing at a time: append, or read what others have appended. */

import type { LogRecord } from '@bourse/core';
import type { Clock } from '../io/clock.ts';
import { LogConflict, LogFull } from '../log/command-log.ts';
import { type Bus, TOPICS } from './messages/bus.ts';
import type { JetStreamLog } from './stream/jetstream-log.ts';
import type { RecordMessage, RecordTags } from './stream/record-message.ts';
import { readTail, writeTail } from './stream/tail-message.ts';

export interface LogTurnsParts {
  readonly log: JetStreamLog;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Every record of the log in its order, own ones and others'. */
  readonly onRecord: (message: Pick<RecordMessage, 'record' | 'tags'>) => void;
  /** After each turn. */
  readonly onDone: () => void;
  /** The log cannot be used any more. */
  readonly onFailure: (error: Error) => void;
}

export class LogTurns {
  readonly #parts: LogTurnsParts;
  #isBusy = false;
  /** Something may be in the log that is not here yet. */
  #isBehind = false;
  #isClosed = false;
  #askedAt = 0;

  constructor(parts: LogTurnsParts) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** When the log was last asked for what others have appended. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /**
   * `refused`: somebody else appended, and his records are read next. `full`: nothing of the record counts. In both cases
   * it is not in the log, and never will be.
   */
  async append(record: LogRecord, tags: RecordTags): Promise<'appended' | 'refused' | 'full' | 'failed'> {
    const { log, bus, onRecord } = this.#parts;
    this.#isBusy = true;
    try {
      const { durable, bytes } = log.append(record, tags);
      await durable;
      bus.publish(TOPICS.tail, writeTail(log.lastMessage, bytes));
    } catch (error) {
      return this.#notAppended(error as Error);
    }
    this.#isBusy = false;
    if (!this.#isClosed) onRecord({ record, tags });
    this.#finish();
    return 'appended';
  }

  /** A record that its writer has sent round. */
  hearTail(bytes: Uint8Array): void {
    const { log, onRecord } = this.#parts;
    const message = readTail(bytes);
    if (message === null || !(message.at > log.lastMessage)) return;
    const taken = this.#isBusy ? null : log.take(message);
    if (taken) onRecord(taken);
    else void this.catchUp();
  }

  /** Reads what others have appended, now or when this turn is over. */
  async catchUp(): Promise<void> {
    const { log, clock, onRecord, onFailure } = this.#parts;
    this.#isBehind = true;
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    this.#askedAt = clock.elapsed();
    try {
      while (this.#isBehind && !this.#isClosed) {
        const taken = await log.takeIn();
        if (taken.length === 0) this.#isBehind = false;
        for (const each of taken) onRecord(each);
      }
    } catch (error) {
      if (!isPassing(error as Error)) onFailure(error as Error);
    }
    this.#isBusy = false;
    this.#parts.onDone();
  }

  /** Nothing more is handed on. */
  close(): void {
    this.#isClosed = true;
  }

  #notAppended(error: Error): 'refused' | 'full' | 'failed' {
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

/** The servers do not answer; they may again. */
const isPassing = ({ name }: Error): boolean => !['LogDamaged', 'LogTooNew', 'LogGone'].includes(name);
