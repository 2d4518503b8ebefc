/** Settings of the engine, its log and its history. */

import { Type } from '@bourse/api/basics';
import { DEFAULT_FOLLOWER_LIMITS, DEFAULT_LIMITS, SEGMENT_BYTES } from '@bourse/engine';
import { about } from './about.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1024 * 1024;

const engine = about('Engine and history');

export const ENGINE_ROWS = {
  queueCommandsMax: Type.Integer({
    default: DEFAULT_LIMITS.queueMax,
    minimum: 16,
    maximum: 1e6,
    ...engine(
      'Commands that may wait; one more is refused at once, so that waiting has a bound.',
      'commands',
    ),
  }),
  queueBytesMax: Type.Integer({
    default: DEFAULT_LIMITS.queueBytesMax,
    minimum: MIB,
    maximum: 1024 * MIB,
    ...engine('Their size together.', 'bytes'),
  }),
  clockJumpMsMax: Type.Integer({
    default: 5 * MINUTE_MS,
    minimum: 1000,
    maximum: 36_500 * DAY_MS,
    ...engine(
      'A clock that jumps further while the exchange runs is not followed: commands are refused until it is back or an operator accepts it.',
      'ms',
    ),
  }),
  historyRetentionMs: Type.Integer({
    default: DEFAULT_FOLLOWER_LIMITS.retentionMs,
    minimum: 3 * DAY_MS,
    maximum: 36_500 * DAY_MS,
    ...engine(
      'How long done orders, fills and ledger entries are kept; at least what look-ups promise.',
      'ms',
    ),
  }),
  snapshotRecords: Type.Integer({
    default: DEFAULT_FOLLOWER_LIMITS.snapshotRecords,
    minimum: 1,
    maximum: 1e9,
    ...engine(
      'A snapshot is taken after so many records: fewer make starts faster and disks busier.',
      'records',
    ),
  }),
  snapshotBytes: Type.Integer({
    default: DEFAULT_FOLLOWER_LIMITS.snapshotBytes,
    minimum: MIB,
    maximum: 1024 * 1024 * MIB,
    ...engine('Or after so many bytes of the log.', 'bytes'),
  }),
  keepLog: Type.Boolean({
    default: true,
    ...engine(
      'Keeps log segments that no start needs any more. Off: a segment is removed once a snapshot that was read again from the disk covers it and every record of it is in logCopy; anything else stays.',
    ),
  }),
  logCopy: Type.String({
    default: '',
    ...engine(
      'Directory of a copy of the log, as `bourse log copy` makes it; of a cluster, of a `bourse cluster backup`. Nothing of the log is removed that is not in it. Needed with keepLog off.',
    ),
    expects: 'a path',
  }),
  logSegmentBytes: Type.Integer({
    default: SEGMENT_BYTES,
    minimum: 64 * 1024,
    maximum: 1024 * MIB,
    ...engine(
      'A segment of the log is followed by another at this size. Only a segment that is followed by another is copied and removed.',
      'bytes',
    ),
  }),
};
