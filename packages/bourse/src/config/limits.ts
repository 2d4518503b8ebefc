/**
 * Bounds that are the same for every exchange. They travel with the settings to the code that needs them, so that a test
 * can run an exchange with others; nobody can set them.
 */

import {
  DEFAULT_FEED_LIMITS,
  DEFAULT_HTTP_LIMITS,
  DEFAULT_LOG_BYTES_PER_WEIGHT,
  DEFAULT_ORDER_ENTRY_LIMITS,
  DEFAULT_QUOTAS,
  DEFAULT_SKEW_MS_MAX,
} from '@bourse/api/basics';
import { DEFAULT_FOLLOWER_LIMITS, DEFAULT_SEQUENCER_LIMITS, SEGMENT_BYTES } from '@bourse/engine';

const CLOCK_JUMP_MS_MAX = 5 * 60_000;

export const LIMITS = {
  ...DEFAULT_HTTP_LIMITS,
  ...DEFAULT_FEED_LIMITS,
  ...DEFAULT_ORDER_ENTRY_LIMITS,
  /** How far the timestamp of a signed request may be from now, either way. */
  skewMsMax: DEFAULT_SKEW_MS_MAX,
  /** Length of the window in which weights are counted; it starts with the first request. */
  poolWindowMs: DEFAULT_QUOTAS.windowMs,
  /** Per address and window, for documentation and metrics, and as much again for files of the pages. */
  servicePoolWeight: DEFAULT_QUOTAS.service,
  /** Per operator token and window. */
  operatorPoolWeight: DEFAULT_QUOTAS.operator,
  questionnairesPerSecondMax: DEFAULT_QUOTAS.questionnairesPerSecondMax,
  /**
   * Bytes of the log that a user may fill per window for each unit of the spot quota, together with all sub-accounts.
   * Cancellations have as many again.
   */
  logBytesPerWeight: DEFAULT_LOG_BYTES_PER_WEIGHT,
  /** The queue of commands; further ones are refused at once. */
  queueCommandsMax: DEFAULT_SEQUENCER_LIMITS.queueMax,
  queueBytesMax: DEFAULT_SEQUENCER_LIMITS.queueBytesMax,
  /** If the wall clock jumps further, commands are refused until it is back or an operator accepts it. */
  clockJumpMsMax: CLOCK_JUMP_MS_MAX,
  /** A snapshot is taken after this many records or bytes of the log, whichever comes first. */
  snapshotRecords: DEFAULT_FOLLOWER_LIMITS.snapshotRecords,
  snapshotBytes: DEFAULT_FOLLOWER_LIMITS.snapshotBytes,
  logSegmentBytes: SEGMENT_BYTES,
  /** How long done orders, fills and ledger entries are kept: longer than any look-up promises. */
  historyRetentionMs: DEFAULT_FOLLOWER_LIMITS.retentionMs,
  /** Serves the terminal at / and, where operators come in, the console at /console. */
  pages: true,
};

/** One limit of the feed is a setting. */
export type Limits = Readonly<Omit<typeof LIMITS, 'feedPingIntervalMs'>>;
