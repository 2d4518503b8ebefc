/** Checks a withdrawal against the person's locks and address book. Users without a person have neither. */

import type { RequestWithdrawal } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { noteActivity, personOf } from './checks.ts';
import { checkStepUp } from './sessions.ts';

export function checkPerson(state: State, command: RequestWithdrawal): Rejection | null {
  const person = personOf(state, command.user);
  if (!person) return null;
  const { session: name, address, memo, chain, currency } = command;
  const { time } = state;
  const refused = name === undefined ? null : checkStepUp(state, person.id, name);
  if (refused) return refused;
  const { withdrawalsLockedUntil: until, lockedUntil, onlyUntil, book } = person;
  if (time < until) return reject('withdrawals-locked', { until });
  if (time >= lockedUntil && time >= onlyUntil) return null;
  const isKnown = book.some(
    (each) =>
      each.currency === currency &&
      each.chain === chain &&
      each.address === address &&
      each.memo === memo &&
      each.usableFrom <= time,
  );
  return isKnown ? null : reject('address-not-listed', { chain, address });
}

export function noteWithdrawal(state: State, { user, session = '' }: RequestWithdrawal): void {
  const person = personOf(state, user);
  if (person) noteActivity(state, person.id, 'withdrawal', session, '');
}
