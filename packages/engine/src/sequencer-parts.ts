/** The sequencer's interface: its limits, its dependencies, and the part that the engine uses. */

import type { Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import type { CommandLog } from './log/command-log.ts';
import type { Digest } from './digest.ts';
import type { ExchangePort } from './exchange-port.ts';

/** Limits on pending commands, and on one record. */
export interface SequencerLimits {
  /** Maximum pending commands, and their bytes. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
  /** Maximum commands in one record, and their bytes. */
  readonly recordMax: number;
  readonly recordBytesMax: number;
  /** Maximum reads that wait for a record to be durable. */
  readonly readsMax: number;
  /** Maximum done orders that wait for history. */
  readonly doneMax: number;
}

export const DEFAULT_SEQUENCER_LIMITS: SequencerLimits = {
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
  /** Covers every applied record; may be read only inside `read`. */
  readonly digest: Digest;
  readonly limits?: Partial<SequencerLimits>;
  /** A wall clock that jumps by more than this against the monotonic one is not followed. Default: no limit. */
  readonly clockJumpMsMax?: number;
  /** Called with a message when the wall clock jumps, and when it is trusted again. */
  readonly onClock?: (sentence: string) => void;
  /** Called once, when the sequencer stops permanently by itself. */
  readonly onStop?: (why: Error) => void;
  /** Whether somebody outside may observe a record as soon as it is published; default: nobody. */
  readonly isWatched?: () => boolean;
}

/** The sequencer as the engine sees it: that of one machine, or that of a cluster's node. */
export interface EngineSequencer extends Omit<ExchangePort, 'health' | 'historyCaughtUp' | 'read'> {
  /** `isLazy`: also sees records that are not durable because nobody awaits them. */
  read<T>(query: (exchange: Exchange) => T, isLazy?: boolean): Promise<T>;
  /** Makes everything durable at once that nobody has awaited. */
  secure?(): void;
  readonly state: 'open' | 'full' | 'clock' | 'no-leader' | 'stopped';
  /** Pending commands. */
  readonly waiting: number;
  /** Why it has stopped by itself; null if it has not. */
  readonly stopReason: Error | null;
  readonly isSettled: boolean;
  /** Resolves when no command is pending and no record is in flight. */
  settled(): Promise<void>;
  /** Accepts no more commands; resolves when the pending ones are answered. */
  close(): Promise<void>;
  /** Permanently. Pending commands fail, even those whose record may turn out to be durable. */
  stop(why: Error): void;
  /** Stops permanently on request, without reporting an error. */
  discard(why: Error): void;
}
