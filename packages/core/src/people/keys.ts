/**
 * API keys of people: they cannot be changed while the person is locked, and changes appear in the person's activity. A
 * key outlives its session, so creating or changing one needs a step-up, even for a sub-account.
 */

import type { AddKey, ChangeKey, FromPerson, RemoveKey } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { lockedOfUser, noteActivity, personOf } from './checks.ts';
import type { ActivityKind } from './person.ts';
import { checkStepUp } from './sessions.ts';

export function addKey(state: State, command: AddKey): Rejection | null {
  const { user } = command;
  const refused = lockedOfUser(state, user) ?? stepUpOf(state, user, command) ?? state.users.addKey(command);
  return refused ?? note(state, user, 'key-added', command);
}

export function changeKey(state: State, command: ChangeKey): Rejection | null {
  const user = ownerOf(state, command.key);
  if (isOfSession(state, command.key)) return reject('key-unknown', { key: command.key });
  const refused =
    lockedOfUser(state, user) ?? stepUpOf(state, user, command) ?? state.users.changeKey(command);
  return refused ?? note(state, user, 'key-changed', command);
}

export function removeKey(state: State, command: RemoveKey): Rejection | null {
  const user = ownerOf(state, command.key);
  const refused =
    (isOfSession(state, command.key) ? null : lockedOfUser(state, user)) ?? state.users.removeKey(command);
  return refused ?? note(state, user, 'key-removed', command);
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

function note(state: State, user: number, kind: ActivityKind, { session = '', from = '' }: FromPerson): null {
  const person = personOf(state, user);
  if (person) noteActivity(state, person.id, kind, session, from);
  return null;
}
