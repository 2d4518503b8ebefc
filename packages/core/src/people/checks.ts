/** Checks and notes shared by the commands of people. */

import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable } from '../values/text.ts';
import type { ActivityKind, Person } from './person.ts';

const SEALED_LENGTH_MAX = 1024;

export const unknownPerson = (person: string): Rejection => reject('person-unknown', { person });

/** The rejection does not repeat the sealed text. */
export function checkSealed(field: string, value: string): Rejection | null {
  const refused = checkPrintable(field, value, 1, SEALED_LENGTH_MAX);
  return refused?.code === 'text-invalid' ? { ...refused, value: '' } : refused;
}

export const checkFrom = (from: string): Rejection | null => (from === '' ? null : checkSealed('from', from));

/** A lock binds both the person and operators. */
export function locked(state: State, { id, lockedUntil }: Person): Rejection | null {
  return state.time < lockedUntil ? reject('person-locked', { person: id, until: lockedUntil }) : null;
}

/** The person who owns the user or its master; null for a user without a person. */
export function personOf(state: State, user: number): Person | null {
  if (state.people.size === 0 || !state.users.all[user]) return null;
  return state.people.ofUser(state.users.masterOf(user));
}

export function lockedOfUser(state: State, user: number): Rejection | null {
  const person = personOf(state, user);
  return person && locked(state, person);
}

export function noteActivity(
  state: State,
  id: string,
  kind: ActivityKind,
  session: string,
  from: string,
): void {
  const person = state.people.get(id);
  if (!person) return;
  state.people.note(person, { time: state.time, kind, session, from });
  state.events.rare({ kind: 'person-changed', person: id, user: person.user, what: kind });
}
