/** The parts of a node's sequencer. */

import type { SequencerParts } from '@bourse/engine';
import type { Bus } from './messages/bus.ts';
import type { JetStreamLog } from './stream/jetstream-log.ts';
import type { NextRules } from './leadership/presence.ts';
import type { Heard } from './leadership/takeover.ts';

export interface NodeSequencerParts extends Omit<SequencerParts, 'log'> {
  readonly log: JetStreamLog;
  readonly bus: Bus;
  readonly name: string;
  /** An id of this process, new at each start. */
  readonly run: string;
  readonly heard: (run: string) => Heard;
  /** A lower bound of a process's monotonic clock: see command-courier.ts. */
  readonly clockOf: (run: string) => number | null;
  /** The rank of this node among those heard: 0 takes over first. */
  readonly rank: () => number;
  /** The process that should lead instead if the clock here cannot be followed; null for none. */
  readonly successor: () => string | null;
  /** How far this node's wall clock is ahead of most others'; negative: behind. */
  readonly aheadMs: () => number;
  /** How far the last record is ahead of it if no other node is alive; otherwise 0. */
  readonly aloneBehindMs: () => number;
  /** The rules of the next record: those that all nodes support. */
  readonly rules: () => NextRules;
}
