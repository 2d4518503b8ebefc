/**
 * What the engine needs of whatever puts commands into the log and applies them: the sequencer of one machine, or that of
 * a cluster's node.
 */

import type { Exchange } from '@bourse/core';
import type { ExchangePort } from './exchange-port.ts';

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
