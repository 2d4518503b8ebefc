/** Transfers, deposits and withdrawals: what they are called by, and whose they are. */

import type { Movement } from '../history.ts';

export function idOf(event: Movement): number {
  switch (event.kind) {
    case 'deposit-set':
      return event.deposit;
    case 'withdrawal-set':
      return event.withdrawal;
    case 'transfer-made':
      return event.transfer;
  }
}

/** Everybody who may see it. */
export function usersOf(event: Movement): readonly number[] {
  if (event.kind !== 'transfer-made') return [event.user];
  return [...new Set([event.user, event.fromUser, event.toUser])];
}
