/** One row of the list: who does what, and what it may cost. */

import type { Target } from './target.ts';

/** What V8 lets wait for its collection: the young generation of the live thread grew by 90 MiB, and the follower has one, too. */
const GARBAGE_MIB = 128;
/** What a sandbox keeps for whoever asks what happened: 64 MiB of requests with their answers, 50 MiB of events. */
const KEPT_MIB = 114;

/** Where nothing else is kept. */
export const GROWTH_MIB = GARBAGE_MIB + KEPT_MIB;
/** Unread answers, or unread frames, may wait up to their bounds, and as much again is on its way or garbage. */
export const UNREAD_GROWTH_MIB = 320;

export interface Attack {
  readonly name: string;
  readonly who: string;
  readonly what: string;
  /** What the process may grow by, in MiB, as the system sees it. */
  readonly growthMiBMax: number;
  /** What happens once and cannot be repeated: each turn has an exchange of its own, and the longest wait counts. */
  readonly isBurst?: boolean;
  /** Fills the data directory before an exchange is started on it. */
  seed?(dir: string): Promise<void>;
  prepare?(target: Target): Promise<void>;
  /** Goes on until the signal comes; a burst ends by itself. */
  run(target: Target, signal: AbortSignal): Promise<unknown>;
}
