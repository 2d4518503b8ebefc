/** Settings of the engine, its log and its history. */

import { Type } from '@bourse/api/basics';
import { about } from './about.ts';

const engine = about('Engine and history');

export const ENGINE_ROWS = {
  logCopy: Type.String({
    default: '',
    ...engine(
      'Directory of a copy of the log, as `bourse log copy` makes it; of a cluster, of a `bourse cluster backup`. A log segment that no start needs any more is removed once a snapshot that was read again from the disk covers it and the copy has every record of it. Empty: the whole log is kept.',
    ),
    expects: 'a path',
  }),
};
