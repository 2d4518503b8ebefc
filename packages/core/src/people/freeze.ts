/** Freezing by the person (stops everything at once), and closing by the person or by an operator. */

import type { ClosePerson, FreezePerson } from '../commands/identity-commands.ts';
import type { CloseUser } from '../commands/reference-commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { stopWithdrawals } from '../ledger/money-out.ts';
import { cancelOrders } from '../matching/cancel.ts';
import { closeStop, endPairOf } from '../matching/stops/stops.ts';
import type { StopOrder } from '../matching/stops/stop-table.ts';
import { accounts, hasOrders as hasOrdersIn } from '../queries.ts';
import type { State } from '../state.ts';
import { checkFrom, locked, recordActivity, unknownPerson } from './checks.ts';
import type { Person } from './people.ts';
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
  for (const user of usersOf(state, person.user)) {
    // Stop orders first: cancelling one also ends its OCO pair.
    for (const stop of state.stops.listOf(user)) cancelStop(state, stop);
    cancelOrders(state, { kind: 'cancel-orders', user });
    stopWithdrawals(state, user);
  }
  state.people.set({ ...(state.people.get(person.id) as Person), frozenAt: state.time });
  recordActivity(state, person.id, 'frozen', '', from);
  return null;
}

export function closePerson(state: State, command: ClosePerson): Rejection | null {
  const found = inSession(state, command.person, command.session);
  if ('code' in found) return found;
  const { person } = found;
  const refused = locked(state, person);
  if (refused) return refused;
  if (usersOf(state, person.user).some((user) => whatIsLeft(state, user) !== null)) {
    return reject('person-not-empty', { person: person.id });
  }
  endAccess(state, person);
  state.people.remove(person);
  state.events.rare({ kind: 'person-changed', person: person.id, user: person.user, what: 'closed' });
  return null;
}

/** Closes the user, its sub-accounts, and the account of the person who signed up as this user. */
export function closeUser(state: State, { user }: CloseUser): Rejection | null {
  const refused = state.users.unknown(user) ?? state.users.closed(user);
  if (refused) return refused;
  const users = usersOf(state, user);
  for (const each of users) {
    const has = whatIsLeft(state, each);
    if (has !== null) return reject('user-not-empty', { user: each, has });
  }
  const person = state.people.ofUser(user);
  if (person) {
    endThose(state, person.id, ALL);
    state.people.remove(person);
  }
  removeKeys(state, users);
  for (const each of users) if (!state.users.all[each].closed) state.users.close(each);
  return null;
}

/** Nobody can cancel orders in a halted market. */
function cancelStop(state: State, stop: StopOrder): void {
  if (state.instruments.all[stop.request.symbol].isHalted) return;
  endPairOf(state, stop.id, 'cancelled');
  closeStop(state, stop, 'requested', '');
}

/** The user and its sub-accounts, ascending. */
const usersOf = ({ users }: State, user: number): number[] => [user, ...users.subAccountsOf(user)];

function endAccess(state: State, person: Person): void {
  endThose(state, person.id, ALL);
  removeKeys(state, usersOf(state, person.user));
  state.users.change({ kind: 'change-user', user: person.user, frozen: true });
}

function removeKeys(state: State, users: readonly number[]): void {
  for (const { key } of state.users.keysOf(users)) state.users.removeKey({ kind: 'remove-key', key });
}

/** Deposits under review, and refused ones that were not returned, also belong to the user. */
function whatIsLeft(state: State, user: number): 'money' | 'orders' | 'deposits' | null {
  if (accounts(state, user).some(({ available, hold }) => available !== 0n || hold !== 0n)) return 'money';
  const hasOrders =
    state.stops.listOf(user).length > 0 ||
    state.instruments.all.some(({ number }) => hasOrdersIn(state, user, number));
  if (hasOrders) return 'orders';
  return state.deposits.hasOpen(user) ? 'deposits' : null;
}
