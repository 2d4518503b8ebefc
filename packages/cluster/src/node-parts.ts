/** What the sequencer of a node is put together from. */

import type { SequencerParts } from '@bourse/engine';
import type { Bus } from './messages/bus.ts';
import type { JetStreamLog } from './stream/jetstream-log.ts';
import type { NextRules } from './leadership/presence.ts';
import type { Heard } from './leadership/takeover.ts';

export interface NodeSequencerParts extends Omit<SequencerParts, 'log'> {
  readonly log: JetStreamLog;
  readonly bus: Bus;
  readonly name: string;
  /** An id that only this process has: after a restart it is another. */
  readonly run: string;
  readonly heard: (run: string) => Heard;
  /** What the monotonic clock of a process says at least: see command-courier.ts. */
  readonly clockOf: (run: string) => number | null;
  /** Of this node among those that are heard: 0 is the first to take over. */
  readonly rank: () => number;
  /** The process that should lead instead when the clock here cannot be followed; null for none. */
  readonly successor: () => string | null;
  /** How far this node's wall clock is ahead of most others'; less than 0: behind. */
  readonly aheadMs: () => number;
  /** By how much the last record is ahead of it while no other node is there; otherwise 0. */
  readonly aloneBehindMs: () => number;
  /** Rules that the next record follows: those that all nodes know. */
  readonly rules: () => NextRules;
}
