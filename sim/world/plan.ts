/** A world's parameters drawn from its seed: size, fault probabilities, and the engine's bounds. */

import type { FollowerLimits } from '../../packages/engine/src/follower.ts';
import type { SequencerLimits } from '../../packages/engine/src/sequencer.ts';
import type { Random } from '@bourse/test-kit/random.ts';

/** Probabilities per step. */
export interface Luck {
  readonly power: number;
  readonly kill: number;
  readonly close: number;
  readonly failSync: number;
  readonly failWrite: number;
  readonly full: number;
  readonly historyFull: number;
  readonly historyError: number;
  readonly damage: number;
  readonly jump: number;
}

export interface Plan {
  /** Number of steps with faults. */
  readonly steps: number;
  /** The maximum number of commands, without the initial ones. */
  readonly commandsMax: number;
  readonly luck: Luck;
  /** The probability that a call that need not wait for the device is delayed. */
  readonly pause: number;
  /**
   * The probability that an unanswered command is resent if it is known to be lost, and if it is known to have
   * survived.
   */
  readonly again: number;
  readonly limits: Partial<SequencerLimits>;
  readonly followerLimits: Partial<FollowerLimits>;
  readonly segmentBytes: number;
  readonly keepSegments: boolean;
  readonly followPauseMs: number;
}

const DAY_MS = 86_400_000;

export function drawPlan(random: Random): Plan {
  const rate = (rates: readonly number[]) => random.pick(rates);
  return {
    steps: random.range(30, 100),
    commandsMax: random.range(15, 60),
    luck: {
      power: rate([0.003, 0.015, 0.05]),
      kill: rate([0, 0.01, 0.03]),
      close: rate([0, 0.01]),
      failSync: rate([0, 0.005, 0.02]),
      failWrite: rate([0, 0, 0.01]),
      full: rate([0, 0.02, 0.05]),
      historyFull: rate([0, 0, 0.01]),
      historyError: rate([0, 0, 0.005]),
      damage: rate([0, 0.2]),
      jump: rate([0, 0, 0.03]),
    },
    pause: rate([0, 0.02, 0.2]),
    again: rate([0.3, 0.9]),
    limits: {
      queueMax: rate([6, 20, 65_536]),
      recordMax: rate([1, 3, 1024]),
      recordBytesMax: rate([300, 1 << 20]),
      readsMax: rate([2, 65_536]),
      doneMax: rate([3, 1_000_000, 1_000_000]),
    },
    followerLimits: {
      recordsMax: rate([1, 4, 1024]),
      rowsMax: rate([4, 4096]),
      snapshotRecords: rate([5, 15, 40]),
      snapshotBytes: rate([2000, 1 << 28]),
      retentionMs: rate([90 * DAY_MS, 90 * DAY_MS, 60_000]),
    },
    segmentBytes: rate([500, 3000, 20_000]),
    keepSegments: random.chance(0.15),
    followPauseMs: rate([0, 250]),
  };
}
