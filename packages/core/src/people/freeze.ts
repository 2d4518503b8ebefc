/** Freezing and closing an account. */

import type { ClosePerson, FreezePerson } from '../commands/identity-commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { stopWithdrawals } from '../ledger/money-out.ts';
import { cancelOrders } from '../matching/cancel.ts';
import { closeStop } from '../matching/stops/stop-life.ts';
import type { StopOrder } from '../matching/stops/stop-table.ts';
import { endPairOf } from '../matching/stops/ocos.ts';
import { accounts, hasOrders } from '../queries.ts';
import type { State } from '../state.ts';
import { checkFrom, locked, noteActivity, unknownPerson } from './checks.ts';
import type { Person } from './person.ts';
import { endThose, inSession } from './sessions.ts';

const ALL = (): boolean => true;

export function freezePerson(state: State, command: FreezePerson): Rejection | null {
  const { since, from = '' } = command;
  const person = state.people.get(command.person);
  if (!person) return unknownPerson(command.person);
  const wrong = checkFrom(from);
  if (wrong) return wrong;
  if (!Number.isSafeInteger(since) || since <= person.frozenAt) return reject('proof-spent', { of: 'token' });
  endAccess(state, person);
  for (const user of usersOf(state, person)) {
    // Stop orders first: each ends its pair.
    for (const stop of state.stops.listOf(user)) cancelStop(state, stop);
    cancelOrders(state, { kind: 'cancel-orders', user });
    stopWithdrawals(state, user);
  }
  state.people.set({ ...(state.people.get(person.id) as Person), frozenAt: state.time });
  noteActivity(state, person.id, 'frozen', '', from);
  return null;
}

export function closePerson(state: State, command: ClosePerson): Rejection | null {
  const found = inSession(state, command.person, command.session);
  if ('code' in found) return found;
  const { person } = found;
  const refused = locked(state, person);
  if (refused) return refused;
  if (usersOf(state, person).some((user) => !isEmpty(state, user))) {
    return reject('person-not-empty', { person: person.id });
  }
  endAccess(state, person);
  state.people.remove(person);
  return null;
}

/** Nothing can be cancelled in a halted market. */
function cancelStop(state: State, stop: StopOrder): void {
  if (state.instruments.all[stop.request.symbol].isHalted) return;
  endPairOf(state, stop.id, 'cancelled');
  closeStop(state, stop, 'requested', '');
}

/** The master and its sub-accounts. */
function usersOf(state: State, { user }: Person): number[] {
  return state.users.all
    .filter((each) => each.number === user || each.parent === user)
    .map((each) => each.number);
}

function endAccess(state: State, person: Person): void {
  const users = usersOf(state, person);
  endThose(state, person.id, ALL);
  for (const { key, user } of state.users.listKeys()) {
    if (users.includes(user)) state.users.removeKey({ kind: 'remove-key', key });
  }
  state.users.change({ kind: 'change-user', user: person.user, frozen: true });
}

/** No money, orders or pending deposits. */
function isEmpty(state: State, user: number): boolean {
  return (
    accounts(state, user).every(({ available, hold }) => available === 0n && hold === 0n) &&
    state.stops.listOf(user).length === 0 &&
    !state.instruments.all.some(({ number }) => hasOrders(state, user, number)) &&
    !state.deposits.list().some((each) => each.user === user && each.state === 'waiting')
  );
}
