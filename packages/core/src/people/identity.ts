/** Commands of people; identity-commands.ts describes each. */

import type {
  AddBookAddress,
  AddPerson,
  ChangePerson,
  IdentityCommand,
  LockPerson,
  RemoveBookAddress,
  RestrictAddresses,
} from '../commands/identity-commands.ts';
import { acceptedUnless, added, type Outcome } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { unknownChain } from '../reference/currencies.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';
import {
  checkFrom,
  checkSealed,
  locked,
  recordActivity,
  unknownPerson,
  checkProof,
  checkSpends,
  useProof,
} from './checks.ts';
import { closePerson, freezePerson } from './freeze.ts';
import { DAY_MS } from '../values/intervals.ts';
import { type ActivityKind, FOREVER, type Person } from './people.ts';
import { endSessions, endThose, inSession, openSession, setSessionKey, stepUp } from './sessions.ts';

const ID_LENGTH_MAX = 64;
const ADDRESS_LENGTH_MAX = 256;
const PASSKEY_LENGTH_MAX = 2048;
const PASSKEYS_MAX = 10;
const RECOVERY_CODES_MAX = 10;
const BOOK_MAX = 100;
/** How long withdrawals stay locked after a change of credentials, and `only` stays in effect after it is turned off. */
const CAUTION_MS = DAY_MS;
const LOCK_MS_MAX = 30 * DAY_MS;

export function identify(state: State, command: IdentityCommand): Outcome {
  switch (command.kind) {
    case 'add-person':
      return added(addPerson(state, command));
    case 'open-session':
      return acceptedUnless(openSession(state, command));
    case 'set-session-key':
      return acceptedUnless(setSessionKey(state, command));
    case 'end-sessions':
      return acceptedUnless(endSessions(state, command));
    case 'step-up':
      return acceptedUnless(stepUp(state, command));
    case 'change-person':
      return acceptedUnless(changePerson(state, command));
    case 'lock-person':
      return acceptedUnless(lockPerson(state, command));
    case 'add-book-address':
      return acceptedUnless(addBookAddress(state, command));
    case 'remove-book-address':
      return acceptedUnless(removeBookAddress(state, command));
    case 'restrict-addresses':
      return acceptedUnless(restrictAddresses(state, command));
    case 'freeze-person':
      return acceptedUnless(freezePerson(state, command));
    case 'close-person':
      return acceptedUnless(closePerson(state, command));
  }
}

/** Returns the number of its user. */
function addPerson(state: State, command: AddPerson): Rejection | number {
  const { person: id, login, profile, verifier, spends, from = '' } = command;
  const wrong =
    checkPrintable('person', id, 1, ID_LENGTH_MAX) ??
    checkPrintable('login', login, 1, ID_LENGTH_MAX) ??
    checkSealed('profile', profile) ??
    checkSealed('verifier', verifier) ??
    checkFrom(from) ??
    checkSpends(state, spends);
  if (wrong) return wrong;
  if (state.people.get(id) || state.people.ofLogin(login)) return reject('person-taken', { person: id });
  const user = state.users.add({ kind: 'add-user', name: id }, state.time);
  if (typeof user !== 'number') return user;
  for (const each of spends) state.people.spend(each, state.time);
  state.people.set({
    id,
    user,
    login,
    profile,
    verifier,
    version: 1,
    totp: '',
    totpStep: 0,
    recoveryCodes: [],
    passkeys: [],
    book: [],
    onlyUntil: 0,
    lockedUntil: 0,
    withdrawalsLockedUntil: 0,
    frozenAt: 0,
    createdAt: state.time,
    knownAddresses: [],
    activity: [],
  });
  recordActivity(state, id, 'sign-up', '', from);
  return user;
}

function changePerson(state: State, command: ChangePerson): Rejection | null {
  const { person: id, session, proof, from = '' } = command;
  const { login, profile, verifier, totp, totpStep = 0, recoveryCodes, addPasskey, removePasskey } = command;
  const person = state.people.get(id);
  if (!person) return unknownPerson(id);
  const found = session === undefined ? null : inSession(state, id, session);
  if (found && 'code' in found) return found;
  const refused =
    checkChanges(command) ?? checkFrom(from) ?? locked(state, person) ?? checkProof(state, person, proof);
  if (refused) return refused;
  if (login !== undefined && login !== person.login && state.people.ofLogin(login)) {
    return reject('person-taken', { person: id });
  }
  if (removePasskey !== undefined && !person.passkeys.some((each) => each.id === removePasskey)) {
    return reject('proof-spent', { of: 'passkey' });
  }
  if (addPasskey && person.passkeys.some((each) => each.id === addPasskey.id)) {
    return reject('code-taken', { taken: addPasskey.id });
  }
  if (addPasskey && person.passkeys.length >= PASSKEYS_MAX) {
    return invalidValue('passkeys', person.passkeys.length + 1, `at most ${PASSKEYS_MAX}`);
  }
  const before = useProof(state, person, proof);
  const isWeaker =
    login !== undefined || verifier !== undefined || totp === null || removePasskey !== undefined;
  const passkeys = before.passkeys.filter((each) => each.id !== removePasskey);
  state.people.set({
    ...before,
    login: login ?? before.login,
    profile: profile ?? before.profile,
    verifier: verifier ?? before.verifier,
    version: before.version + 1,
    totp: totp === undefined ? before.totp : (totp ?? ''),
    // A new secret has its own codes: steps used with the old one are not replays.
    totpStep: totp === undefined ? before.totpStep : totpStep,
    recoveryCodes: totp === null ? [] : (recoveryCodes ?? before.recoveryCodes),
    passkeys: addPasskey
      ? [
          ...passkeys,
          {
            id: addPasskey.id,
            publicKey: addPasskey.publicKey,
            counter: addPasskey.counter,
            name: addPasskey.name,
            createdAt: state.time,
          },
        ]
      : passkeys,
    withdrawalsLockedUntil: isWeaker
      ? Math.max(before.withdrawalsLockedUntil, state.time + CAUTION_MS)
      : before.withdrawalsLockedUntil,
  });
  if (verifier !== undefined) endThose(state, id, (each) => each.id !== session);
  for (const kind of kindsOf(command)) recordActivity(state, id, kind, session ?? '', from);
  return null;
}

function checkChanges(command: ChangePerson): Rejection | null {
  const { login, profile, verifier, totp, totpStep = 0, recoveryCodes = [], addPasskey } = command;
  if (!Number.isSafeInteger(totpStep)) return invalidValue('totpStep', totpStep, 'an integer');
  if (recoveryCodes.length > RECOVERY_CODES_MAX) {
    return invalidValue('recoveryCodes', recoveryCodes.length, `at most ${RECOVERY_CODES_MAX}`);
  }
  for (const code of recoveryCodes) {
    const wrong = checkPrintable('recoveryCodes', code, 1, ID_LENGTH_MAX);
    if (wrong) return wrong;
  }
  return (
    (login === undefined ? null : checkPrintable('login', login, 1, ID_LENGTH_MAX)) ??
    (profile === undefined ? null : checkSealed('profile', profile)) ??
    (verifier === undefined ? null : checkSealed('verifier', verifier)) ??
    (typeof totp === 'string' ? checkSealed('totp', totp) : null) ??
    (addPasskey
      ? (checkPrintable('passkey', addPasskey.id, 1, PASSKEY_LENGTH_MAX) ??
        checkPrintable('publicKey', addPasskey.publicKey, 1, PASSKEY_LENGTH_MAX) ??
        checkSealed('name', addPasskey.name))
      : null)
  );
}

function kindsOf({ login, verifier, totp, recoveryCodes, addPasskey, removePasskey }: ChangePerson) {
  const kinds: ActivityKind[] = [];
  if (verifier !== undefined) kinds.push('password-changed');
  if (login !== undefined) kinds.push('email-changed');
  if (totp !== undefined) kinds.push(totp === null ? 'totp-off' : 'totp-on');
  else if (recoveryCodes !== undefined) kinds.push('recovery-codes');
  if (addPasskey) kinds.push('passkey-added');
  if (removePasskey !== undefined) kinds.push('passkey-removed');
  return kinds;
}

function lockPerson(state: State, command: LockPerson): Rejection | null {
  const { session, until, from = '' } = command;
  const found = inSession(state, command.person, session);
  if ('code' in found) return found;
  const { person } = found;
  const wrong = checkFrom(from);
  if (wrong) return wrong;
  if (!Number.isSafeInteger(until) || until <= state.time || until > state.time + LOCK_MS_MAX) {
    return invalidValue('until', until, `an integer from ${state.time + 1} to ${state.time + LOCK_MS_MAX}`);
  }
  state.people.set({ ...person, lockedUntil: Math.max(person.lockedUntil, until) });
  recordActivity(state, person.id, 'locked', session, from);
  return null;
}

function addBookAddress(state: State, command: AddBookAddress): Rejection | null {
  const { id, currency, chain, address, memo, label, delayMs, session, from = '' } = command;
  const found = unlockedIn(state, command.person, session);
  if ('code' in found) return found;
  const refused =
    state.currencies.unknown(currency) ??
    unknownChain(state.currencies.all[currency], chain) ??
    checkPrintable('id', id, 1, ID_LENGTH_MAX) ??
    checkPrintable('address', address, 1, ADDRESS_LENGTH_MAX) ??
    checkPrintable('memo', memo, 0, ADDRESS_LENGTH_MAX) ??
    checkSealed('label', label) ??
    checkFrom(from);
  if (refused) return refused;
  if (!Number.isSafeInteger(delayMs) || delayMs < 0)
    return invalidValue('delayMs', delayMs, 'an integer from 0');
  if (found.book.some((each) => each.id === id)) return reject('code-taken', { taken: id });
  if (found.book.length >= BOOK_MAX) {
    return invalidValue('addresses', found.book.length + 1, `at most ${BOOK_MAX}`);
  }
  const { time: createdAt } = state;
  const usableFrom = createdAt + delayMs;
  const entry = { id, currency, chain, address, memo, label, createdAt, usableFrom };
  state.people.set({ ...found, book: [...found.book, entry] });
  recordActivity(state, found.id, 'address-added', session, from);
  return null;
}

function removeBookAddress(state: State, command: RemoveBookAddress): Rejection | null {
  const { id, session, from = '' } = command;
  const found = unlockedIn(state, command.person, session);
  if ('code' in found) return found;
  const wrong = checkFrom(from);
  if (wrong) return wrong;
  const book = found.book.filter((each) => each.id !== id);
  if (book.length === found.book.length) return reject('address-not-listed', { chain: '', address: id });
  state.people.set({ ...found, book });
  recordActivity(state, found.id, 'address-removed', session, from);
  return null;
}

function restrictAddresses(state: State, command: RestrictAddresses): Rejection | null {
  const { on, session, from = '' } = command;
  const found = unlockedIn(state, command.person, session);
  if ('code' in found) return found;
  const wrong = checkFrom(from);
  if (wrong) return wrong;
  state.people.set({
    ...found,
    onlyUntil: on ? FOREVER : Math.min(found.onlyUntil, state.time + CAUTION_MS),
  });
  recordActivity(state, found.id, 'addresses-only', session, from);
  return null;
}

function unlockedIn(state: State, person: string, session: string): Person | Rejection {
  const found = inSession(state, person, session);
  if ('code' in found) return found;
  return locked(state, found.person) ?? found.person;
}
