/** Settings of the engine, its log and its history. */

import { Type } from '@bourse/api/basics';
import { DEFAULT_FOLLOWER_LIMITS } from '@bourse/engine';
import { about } from './about.ts';

const DAY_MS = 24 * 3_600_000;

const engine = about('Engine and history');

export const ENGINE_ROWS = {
  historyRetentionMs: Type.Integer({
    default: DEFAULT_FOLLOWER_LIMITS.retentionMs,
    minimum: 3 * DAY_MS,
    maximum: 36_500 * DAY_MS,
    ...engine(
      'How long done orders, fills and ledger entries are kept; at least what look-ups promise.',
      'ms',
    ),
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
};
