/** One attack of the list, with its allowed cost. */

import type { Target } from './target.ts';

/** Uncollected garbage: the live thread's young generation grew by 90 MiB, and the follower has one too. */
const GARBAGE_MIB = 128;
/** Kept by a sandbox for inspection: 64 MiB of requests with their responses, 50 MiB of events. */
const KEPT_MIB = 114;

export const GROWTH_MIB = GARBAGE_MIB + KEPT_MIB;
/** Unread responses or frames may be buffered up to their bounds; as much again is in flight or garbage. */
export const UNREAD_GROWTH_MIB = 320;

export interface Attack {
  readonly name: string;
  readonly who: string;
  readonly what: string;
  /** The allowed growth of the process's resident memory, in MiB. */
  readonly growthMiBMax: number;
  /** The attack cannot be repeated: each round has its own exchange, and the longest latency counts. */
  readonly isBurst?: boolean;
  /** Fills the data directory before an exchange is started on it. */
  seed?(dir: string): Promise<void>;
  prepare?(target: Target): Promise<void>;
  /** Runs until the signal; a burst ends by itself. */
  run(target: Target, signal: AbortSignal): Promise<unknown>;
}
