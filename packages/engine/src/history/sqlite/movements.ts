/** Transfers, deposits and withdrawals: their ids and owners. */

import { EVERYBODY, type Movement } from '../history.ts';

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

/** The users whose lists contain it; deposits and withdrawals are also in a list of all users, for operators. */
export function usersOf(event: Movement): readonly number[] {
  if (event.kind !== 'transfer-made') return [event.user, EVERYBODY];
  return [...new Set([event.user, event.fromUser, event.toUser])];
}
