/**
 * Assigns pending deposits, withdrawals and questionnaires to operators. Assignments are informational: anyone with the
 * role may still act on the entry. An assignment ends when the entry is completed or the operator is removed.
 */

import type { AssignMovement, QueueKind, ReleaseMovement } from '../commands/operator-commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { invalidValue } from '../values/text.ts';
import { isOpen as isOpenDeposit } from '../ledger/deposits.ts';
import { isOpen as isOpenWithdrawal } from '../ledger/withdrawals.ts';

const ROOT = 0;

export interface Assignment {
  readonly id: number;
  /** The operator's number; 0 is root. */
  readonly to: number;
}

export function assignMovement(state: State, command: AssignMovement): Rejection | null {
  const { what, id, to, operator = ROOT } = command;
  const unknown =
    to === ROOT || state.operators.get(to) ? null : reject('operator-unknown', { operator: to });
  if (unknown) return unknown;
  const refused = checkWaits(state, what, id);
  if (refused) return refused;
  const before = state.assignments.get(id);
  if (before !== undefined && before !== to && before !== operator) {
    return reject('assigned', { id, to: before });
  }
  state.assignments.set(id, to);
  return null;
}

export function releaseMovement(state: State, { what, id }: ReleaseMovement): Rejection | null {
  const refused = checkWaits(state, what, id);
  if (refused) return refused;
  return state.assignments.delete(id) ? null : reject('not-assigned', { id });
}

/** Drops all assignments of a removed operator. */
export function releaseAll(state: State, operator: number): void {
  for (const [id, to] of state.assignments) if (to === operator) state.assignments.delete(id);
}

function checkWaits(state: State, what: QueueKind, id: number): Rejection | null {
  switch (what) {
    case 'deposit': {
      const found = state.deposits.get(id);
      if (!found) return reject('deposit-unknown', { deposit: id });
      return isOpenDeposit(found) ? null : reject('not-in-queue', { id, state: found.state });
    }
    case 'withdrawal': {
      const found = state.withdrawals.get(id);
      if (!found) return reject('withdrawal-unknown', { withdrawal: id });
      return isOpenWithdrawal(found) ? null : reject('not-in-queue', { id, state: found.state });
    }
    case 'questionnaire': {
      const found = state.deposits.questionnaire(id);
      if (!found) return reject('questionnaire-unknown', { questionnaire: id });
      return found.state === 'pending' ? null : reject('not-in-queue', { id, state: found.state });
    }
    default:
      return invalidValue('what', what, 'deposit, withdrawal or questionnaire');
  }
}
