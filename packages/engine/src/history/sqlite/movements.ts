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

/** Whose lists it is in; deposits and withdrawals are also in one of everybody's, for the operator. */
export function usersOf(event: Movement): readonly number[] {
  if (event.kind !== 'transfer-made') return [event.user, EVERYBODY];
  return [...new Set([event.user, event.fromUser, event.toUser])];
}
