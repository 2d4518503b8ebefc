/** Sessions of people: opened, stepped up, ended; each with a signing key that ends with it. And their API keys. */

import type { AddKey, ChangeKey, FromPerson, RemoveKey } from '../commands/commands.ts';
import type {
  EndSessions,
  OpenSession,
  SetSessionKey,
  SigningKey,
  StepUp,
} from '../commands/identity-commands.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import {
  checkFrom,
  checkProof,
  checkSealed,
  lockedOfUser,
  recordActivity,
  personOf,
  unknownPerson,
  useProof,
} from './checks.ts';
import { type ActivityKind, type Person, type Session, STEP_UP_MS } from './people.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';

const ID_LENGTH_MAX = 64;
/** Beyond this, the oldest ends. */
const SESSIONS_MAX = 50;
const KNOWN_ADDRESSES_MAX = 20;
const KEY_VERSION = 3;

/** The person of an active session. */
export function inSession(
  state: State,
  person: string,
  session: string,
): { readonly person: Person; readonly session: Session } | Rejection {
  const found = state.people.get(person);
  if (!found) return unknownPerson(person);
  const open = state.people.session(session);
  if (open?.person !== person || open.expires <= state.time) return reject('session-unknown', { session });
  return { person: found, session: open };
}

/** Rejected unless the person gave a second factor in the session recently. */
export function checkStepUp(state: State, person: string, session: string): Rejection | null {
  const found = inSession(state, person, session);
  if ('code' in found) return found;
  return found.session.steppedUpAt + STEP_UP_MS <= state.time ? reject('step-up-needed', { session }) : null;
}

export function openSession(state: State, command: OpenSession): Rejection | null {
  const { session: id, token, expires, key, address, proof, from = '' } = command;
  const person = state.people.get(command.person);
  if (!person) return unknownPerson(command.person);
  const frozen = state.users.frozen(person.user);
  if (frozen) return frozen;
  const wrong =
    checkPrintable('session', id, 1, ID_LENGTH_MAX) ??
    checkPrintable('token', token, 1, ID_LENGTH_MAX) ??
    checkPrintable('address', address, 0, ID_LENGTH_MAX) ??
    checkFrom(from);
  if (wrong) return wrong;
  if (!Number.isSafeInteger(expires) || expires <= state.time) {
    return invalidValue('expires', expires, `an integer above ${state.time}`);
  }
  if (state.people.session(id) || state.people.sessionOfToken(token)) {
    return reject('code-taken', { taken: id });
  }
  const refused = checkProof(state, person, proof) ?? addSigningKey(state, person, id, expires, key);
  if (refused) return refused;
  const { knownAddresses: known } = person;
  const knownAddresses = [...known.filter((each) => each !== address), address].slice(-KNOWN_ADDRESSES_MAX);
  state.people.set({ ...useProof(state, person, proof), knownAddresses });
  const open = state.people.sessionsOf(person.id);
  const expired = open.filter((each) => each.expires <= state.time);
  const live = open.filter((each) => each.expires > state.time);
  const tooMany = live.slice(0, Math.max(0, live.length - SESSIONS_MAX + 1));
  for (const each of [...expired, ...tooMany]) end(state, each);
  const { time } = state;
  state.people.setSession({
    id,
    person: person.id,
    token,
    createdAt: time,
    expires,
    steppedUpAt: time,
    key: key.key,
    from,
  });
  recordActivity(state, person.id, 'sign-in', id, from);
  return null;
}

export function setSessionKey(state: State, command: SetSessionKey): Rejection | null {
  const found = inSession(state, command.person, command.session);
  if ('code' in found) return found;
  const { person, session } = found;
  const refused =
    state.users.frozen(person.user) ?? addSigningKey(state, person, session.id, session.expires, command.key);
  if (refused) return refused;
  removeSigningKey(state, session);
  state.people.setSession({ ...session, key: command.key.key });
  return null;
}

export function stepUp(state: State, command: StepUp): Rejection | null {
  const { proof, from = '' } = command;
  const found = inSession(state, command.person, command.session);
  if ('code' in found) return found;
  const { person, session } = found;
  const refused = checkFrom(from) ?? checkProof(state, person, proof);
  if (refused) return refused;
  state.people.set(useProof(state, person, proof));
  state.people.setSession({ ...session, steppedUpAt: state.time });
  recordActivity(state, person.id, 'step-up', session.id, from);
  return null;
}

export function endSessions(state: State, command: EndSessions): Rejection | null {
  const { person, session, except, from = '' } = command;
  if (!state.people.get(person)) return unknownPerson(person);
  const wrong = checkFrom(from);
  if (wrong) return wrong;
  const ended = endThose(state, person, ({ id }) => (session === undefined ? id !== except : id === session));
  if (ended === 0) return null;
  recordActivity(state, person, session === undefined ? 'sessions-ended' : 'sign-out', session ?? '', from);
  return null;
}

/** Returns the number of ended sessions. */
export function endThose(state: State, person: string, which: (session: Session) => boolean): number {
  const chosen = state.people.sessionsOf(person).filter(which);
  for (const session of chosen) end(state, session);
  return chosen.length;
}

function end(state: State, session: Session): void {
  removeSigningKey(state, session);
  state.people.removeSession(session);
}

function addSigningKey(
  state: State,
  { user }: Person,
  session: string,
  expires: number,
  { key, secret, permissions }: SigningKey,
): Rejection | null {
  const terms = {
    kind: 'add-key',
    user,
    key,
    version: KEY_VERSION,
    permissions,
    ipAllowList: [],
    secret,
  } as const;
  return checkSealed('secret', secret) ?? state.users.addKey({ ...terms, expires }, session);
}

function removeSigningKey(state: State, { key }: Session): void {
  if (state.users.findKey(key)) state.users.removeKey({ kind: 'remove-key', key });
}

// API keys of people: they cannot be changed while the person is locked, and changes appear in the person's activity. A key
// outlives its session, so creating or changing one needs a step-up, even for a sub-account.

export function addKey(state: State, command: AddKey): Rejection | null {
  const { user } = command;
  const refused = lockedOfUser(state, user) ?? stepUpOf(state, user, command) ?? state.users.addKey(command);
  return refused ?? recordKeyChange(state, user, 'key-added', command);
}

export function changeKey(state: State, command: ChangeKey): Rejection | null {
  const user = ownerOf(state, command.key);
  if (isOfSession(state, command.key)) return reject('key-unknown', { key: command.key });
  const refused =
    lockedOfUser(state, user) ?? stepUpOf(state, user, command) ?? state.users.changeKey(command);
  return refused ?? recordKeyChange(state, user, 'key-changed', command);
}

export function removeKey(state: State, command: RemoveKey): Rejection | null {
  const user = ownerOf(state, command.key);
  const refused =
    (isOfSession(state, command.key) ? null : lockedOfUser(state, user)) ?? state.users.removeKey(command);
  return refused ?? recordKeyChange(state, user, 'key-removed', command);
}

/** -1 if there is no such key. */
function ownerOf(state: State, key: string): number {
  return state.users.findKey(key)?.user ?? -1;
}

/** A signing key changes only with its session; an operator may remove it. */
function isOfSession(state: State, key: string): boolean {
  return state.users.findKey(key)?.session !== undefined;
}

function stepUpOf(state: State, user: number, { session }: FromPerson): Rejection | null {
  const person = session === undefined ? null : personOf(state, user);
  return session === undefined || !person ? null : checkStepUp(state, person.id, session);
}

function recordKeyChange(
  state: State,
  user: number,
  kind: ActivityKind,
  { session = '', from = '' }: FromPerson,
): null {
  const person = personOf(state, user);
  if (person) recordActivity(state, person.id, kind, session, from);
  return null;
}
