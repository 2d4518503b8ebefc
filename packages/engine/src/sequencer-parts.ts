/** A sequencer from outside: its limits, what it works with, and what the engine needs of it. */

import type { Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import type { CommandLog } from './log/command-log.ts';
import type { Digest } from './digest.ts';
import type { ExchangePort } from './exchange-port.ts';

/** What may wait for the sequencer, and what one record may hold. */
export interface SequencerLimits {
  /** Commands, and their bytes, that may wait. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
  /** Commands, and their bytes, in one record. */
  readonly recordMax: number;
  readonly recordBytesMax: number;
  /** Reads that may wait for a record to be durable. */
  readonly readsMax: number;
  /** Ended orders that may wait for history. */
  readonly doneMax: number;
}

export const DEFAULT_LIMITS: SequencerLimits = {
  queueMax: 65_536,
  queueBytesMax: 64 << 20,
  recordMax: 1024,
  recordBytesMax: 1 << 20,
  readsMax: 65_536,
  doneMax: 1_000_000,
};

export interface SequencerParts {
  readonly log: CommandLog;
  /** Has applied everything in the log. */
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Takes in every record that is applied; only to be looked at inside `read`. */
  readonly digest: Digest;
  readonly limits?: Partial<SequencerLimits>;
  /** A wall clock that jumps by more than this against the monotonic one is not followed; left out: it always is. */
  readonly clockJumpMsMax?: number;
  /** Called with a sentence when the wall clock jumps, and when it is believed again. */
  readonly onClock?: (sentence: string) => void;
  /** Called once, when the sequencer stops for good by itself. */
  readonly onStop?: (why: Error) => void;
  /** Whether somebody outside may be told of a record as soon as it is published; left out: nobody may. */
  readonly isWatched?: () => boolean;
}

/**
 * What the engine needs of whatever puts commands into the log and applies them: the sequencer of one machine, or that of
 * a cluster's node.
 */
export interface EngineSequencer extends Omit<ExchangePort, 'health' | 'historyCaughtUp' | 'read'> {
  /** `isLazy`: also sees what is not durable because nobody awaits it. */
  read<T>(query: (exchange: Exchange) => T, isLazy?: boolean): Promise<T>;
  /** What nobody has awaited becomes durable, at once. */
  secure?(): void;
  readonly state: 'open' | 'full' | 'clock' | 'no-leader' | 'stopped';
  /** Commands that wait. */
  readonly waiting: number;
  /** Why it has stopped by itself; null while it has not. */
  readonly stopReason: Error | null;
  readonly isSettled: boolean;
  /** Resolves when no command waits and no record is under way. */
  settled(): Promise<void>;
  /** Takes no more commands; resolves when those that wait are answered. */
  close(): Promise<void>;
  /** For good. Who waits is refused, also those whose record may yet turn out to be durable. */
  stop(why: Error): void;
  /** Stops for good because somebody wants it so: nobody has to be told. */
  discard(why: Error): void;
}
