/** Checks shared by the commands of people, their activity list, and single-use proofs. */

import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';
import type { ActivityKind, Person } from './people.ts';
import type { Proof, Spent } from '../commands/identity-commands.ts';
import { DAY_MS } from '../values/intervals.ts';

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

export function recordActivity(
  state: State,
  id: string,
  kind: ActivityKind,
  session: string,
  from: string,
): void {
  const person = state.people.get(id);
  if (!person) return;
  state.people.addActivity(person, { time: state.time, kind, session, from });
  state.events.rare({ kind: 'person-changed', person: id, user: person.user, what: kind });
}

const SPENDS_MAX = 4;
const SPENT_MS_MAX = 8 * DAY_MS;
const ID_LENGTH_MAX = 128;

/** Single-use proofs are checked first, and consumed when the command is certain to take effect. */
export function checkSpends(state: State, spends: readonly Spent[]): Rejection | null {
  if (spends.length > SPENDS_MAX) return invalidValue('spends', spends.length, `at most ${SPENDS_MAX}`);
  for (const { id, until } of spends) {
    const wrong = checkPrintable('spends', id, 1, ID_LENGTH_MAX);
    if (wrong) return wrong;
    if (!Number.isInteger(until) || until > state.time + SPENT_MS_MAX) {
      return invalidValue('until', until, `an integer up to ${state.time + SPENT_MS_MAX}`);
    }
    if (until < state.time || state.people.isSpent(id, state.time))
      return reject('proof-spent', { of: 'token' });
  }
  return null;
}

export function checkProof(state: State, person: Person, proof: Proof): Rejection | null {
  const { version, totpStep, recoveryCode, spends = [], passkey } = proof;
  if (version !== person.version) return reject('proof-spent', { of: 'credentials' });
  if (totpStep !== undefined && !(Number.isSafeInteger(totpStep) && totpStep > person.totpStep)) {
    return reject('proof-spent', { of: 'totp' });
  }
  if (recoveryCode !== undefined && !person.recoveryCodes.includes(recoveryCode)) {
    return reject('proof-spent', { of: 'recovery-code' });
  }
  if (passkey && !person.passkeys.some(({ id }) => id === passkey.id)) {
    return reject('proof-spent', { of: 'passkey' });
  }
  return checkSpends(state, spends);
}

/** Returns the person without the consumed proof. */
export function useProof(state: State, person: Person, proof: Proof): Person {
  const { totpStep = person.totpStep, recoveryCode, spends = [], passkey } = proof;
  for (const each of spends) state.people.spend(each, state.time);
  const recoveryCodes = person.recoveryCodes.filter((code) => code !== recoveryCode);
  const passkeys = passkey
    ? person.passkeys.map((each) => (each.id === passkey.id ? { ...each, counter: passkey.counter } : each))
    : person.passkeys;
  return { ...person, totpStep, recoveryCodes, passkeys };
}
