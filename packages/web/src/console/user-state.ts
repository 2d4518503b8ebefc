/** Whether a user may trade and withdraw, in words: the freezes that apply, and whose they are. */

import type { Freeze, UserRow } from './operator/queries.tsx';
import { wordsOf } from './words.ts';

type Freezable = Pick<UserRow, 'freeze' | 'masterFreeze' | 'closed'>;

const FROZEN: Readonly<Record<Freeze['level'], string>> = {
  trading: 'trading frozen',
  withdrawals: 'withdrawals frozen',
  all: 'frozen',
};

/** Whether a freeze of any level applies; the filter `frozen` of the API. */
export const isFrozen = ({ freeze, masterFreeze }: Freezable): boolean =>
  freeze !== null || masterFreeze !== null;

export function userState({ freeze, masterFreeze, closed }: Freezable): string {
  if (closed) return 'Closed';
  const freezes = [
    ...(freeze === null ? [] : [FROZEN[freeze.level]]),
    ...(masterFreeze === null ? [] : [`${FROZEN[masterFreeze.level]} through its master`]),
  ];
  return wordsOf(freezes.join('; ') || 'free');
}
