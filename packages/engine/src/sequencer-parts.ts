/** What a sequencer works with. */

import type { Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import type { CommandLog } from './log/command-log.ts';
import type { Digest } from './digest.ts';
import type { SequencerLimits } from './sequencer-limits.ts';

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
