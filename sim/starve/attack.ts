/** One row of the list: who does what, and what it may cost. */

import type { Target } from './target.ts';

export interface Attack {
  readonly name: string;
  readonly who: string;
  readonly what: string;
  /** What the process may grow by, in MiB: garbage that waits for its collection is part of it. */
  readonly growthMiBMax: number;
  /** What happens once and cannot be repeated: each turn has an exchange of its own, and the longest wait counts. */
  readonly isBurst?: boolean;
  /** Fills the data directory before an exchange is started on it. */
  seed?(dir: string): Promise<void>;
  prepare?(target: Target): Promise<void>;
  /** Goes on until the signal comes; a burst ends by itself. */
  run(target: Target, signal: AbortSignal): Promise<unknown>;
}
