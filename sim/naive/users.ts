/** Users and their API keys. */

import type {
  AddKey,
  AddUser,
  ChangeKey,
  ChangeUser,
  CloseUser,
  AddUserNote,
  FreezeUser,
  UnfreezeUser,
  RemoveKey,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import {
  accepted,
  checkInteger,
  checkNotClosed,
  checkNotFrozen,
  checkOneOf,
  checkText,
  checkUser,
  isText,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import { balanceOf } from './ledger.ts';
import type { Key, State, User } from './state.ts';

const permissionsKnown: readonly string[] = ['general', 'spot', 'flex-transfers', 'withdrawal'];

/** A user who sends the command must exist and not be frozen. */
function checkSender(state: State, sender: number | undefined): Rejection | null {
  return sender === undefined ? null : (checkUser(state, sender) ?? checkNotFrozen(state, sender));
}

/** Only keys of the sender's own sub-accounts. */
function checkOwner(state: State, sender: number | undefined, user: number): Rejection | null {
  const isOwn = sender === undefined || state.users[user]!.parent === sender;
  return isOwn ? null : reject('not-a-sub-account', { user, parent: sender });
}

export function addUser(state: State, { name, parent, note = '', sender }: AddUser): Outcome {
  const wrong =
    (parent === undefined ? null : checkUser(state, parent)) ??
    checkSender(state, sender) ??
    checkText('name', name, 1, 64, 'printable') ??
    checkText('note', note, 0, 255, 'any');
  if (wrong !== null) return refused(wrong);
  if (state.users.some((user) => user.name === name)) return refuse('code-taken', { taken: name });
  const over = parent === undefined ? null : checkNotClosed(state, parent);
  if (over !== null) return refused(over);
  if (sender !== undefined && sender !== parent) return refuse('not-a-master', { user: sender });
  if (parent !== undefined && state.users[parent]!.parent >= 0) {
    return refuse('not-a-master', { user: parent });
  }
  if (sender !== undefined && state.users.filter((user) => user.parent === parent).length >= 100) {
    return refuse('sub-accounts-per-user', { max: 100 });
  }

  const number = state.users.length;
  state.users.push({
    number,
    name,
    parent: parent ?? -1,
    tier: 0,
    freeze: null,
    closed: false,
    orders: [],
    clientIds: new Map(),
    transfers: new Map(),
    switch: null,
  });
  state.events.push({ kind: 'user-added', user: number, name, parent: parent ?? -1 });
  return { kind: 'added', id: number };
}

export function changeUser(state: State, command: ChangeUser): Outcome {
  const unknown = checkUser(state, command.user);
  if (unknown !== null) return refused(unknown);
  const user = state.users[command.user]!;
  const wrong =
    (command.tier === undefined ? null : checkInteger('tier', command.tier, 0, 12)) ??
    checkNotClosed(state, command.user);
  if (wrong !== null) return refused(wrong);
  if (command.tier !== undefined) user.tier = command.tier;
  if (command.frozen !== undefined) {
    user.freeze = command.frozen ? { level: 'all', withSubAccounts: true } : null;
  }
  emitUser(state, user);
  return accepted;
}

/** The event states the level of a freeze only if it is not complete. */
function emitUser(state: State, { number, tier, freeze, closed }: User): void {
  const isWhole = freeze === null || (freeze.level === 'all' && freeze.withSubAccounts);
  state.events.push({
    kind: 'user-changed',
    user: number,
    tier,
    frozen: freeze !== null,
    ...(!isWhole && { freeze }),
    ...(closed && { closed: true as const }),
  });
}

export function freezeUser(state: State, command: FreezeUser): Outcome {
  const { user, level, withSubAccounts } = command;
  const wrong =
    checkUser(state, user) ??
    checkOneOf('level', level, ['trading', 'withdrawals', 'all']) ??
    checkNotClosed(state, user);
  if (wrong !== null) return refused(wrong);
  const before = state.users[user]!.freeze;
  const isAsFar = before === null || level === 'all' || level === before.level;
  const isAsWide = before === null || withSubAccounts || !before.withSubAccounts;
  if (!isAsFar || !isAsWide) return refuse('frozen-already', { user, level: before.level });
  state.users[user]!.freeze = { level, withSubAccounts };
  emitUser(state, state.users[user]!);
  return accepted;
}

export function unfreezeUser(state: State, { user, withSubAccounts }: UnfreezeUser): Outcome {
  const wrong = checkUser(state, user) ?? checkNotClosed(state, user);
  if (wrong !== null) return refused(wrong);
  const freed = state.users.filter(
    (each) => withSubAccounts && each.parent === user && each.freeze !== null && !each.closed,
  );
  for (const each of [state.users[user]!, ...freed]) {
    each.freeze = null;
    emitUser(state, each);
  }
  return accepted;
}

export function closeUser(state: State, { user }: CloseUser): Outcome {
  const wrong = checkUser(state, user) ?? checkNotClosed(state, user);
  if (wrong !== null) return refused(wrong);
  const all = state.users.filter((each) => each.number === user || each.parent === user);
  for (const each of all) {
    const has = whatIsLeft(state, each);
    if (has !== null) return refuse('user-not-empty', { user: each.number, has });
  }
  const names = [...state.keys.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  for (const name of names) {
    const { user: owner } = state.keys.get(name)!;
    if (!all.some(({ number }) => number === owner)) continue;
    state.keys.delete(name);
    state.events.push({ kind: 'key-removed', key: name, user: owner });
  }
  for (const each of all.filter(({ closed }) => !closed)) {
    each.freeze = { level: 'all', withSubAccounts: true };
    each.closed = true;
    emitUser(state, each);
  }
  return accepted;
}

function whatIsLeft(state: State, { number, orders }: User): 'money' | 'orders' | 'deposits' | null {
  for (const currency of state.currencies) {
    for (const account of ['main', 'trade'] as const) {
      const { available, hold } = balanceOf(state, number, account, currency.number);
      if (available !== 0n || hold !== 0n) return 'money';
    }
  }
  const stops = state.instruments.flatMap((instrument) => instrument.stops);
  if (orders.length > 0 || stops.some((stop) => stop.user === number)) return 'orders';
  const deposits = [...state.deposits.values()];
  return deposits.some((each) => each.user === number && !['done', 'returned'].includes(each.state))
    ? 'deposits'
    : null;
}

/** The text of a note has no effect. */
export function addUserNote(state: State, { user, text }: AddUserNote): Outcome {
  const wrong = checkUser(state, user) ?? checkText('text', text, 1, 1000, 'any');
  return wrong === null ? accepted : refused(wrong);
}

export function addKey(state: State, command: AddKey): Outcome {
  const { user, key, version, secret, note = '', sender } = command;
  const wrong =
    checkUser(state, user) ??
    checkSender(state, sender) ??
    (sender === undefined ? null : checkNotFrozen(state, user)) ??
    checkText('key', key, 1, 64, 'key') ??
    checkSecret(secret) ??
    checkText('note', note, 0, 255, 'any') ??
    (version === 2 || version === 3 ? null : valueInvalid('version', version, '2 or 3')) ??
    checkPermissions(command.permissions) ??
    checkIpAllowList(command.ipAllowList);
  if (wrong !== null) return refused(wrong);
  if (state.keys.has(key)) return refuse('key-taken', { key });
  const over = checkNotClosed(state, user);
  if (over !== null) return refused(over);
  const barred = checkOwner(state, sender, user);
  if (barred !== null) return refused(barred);
  if (sender !== undefined && [...state.keys.values()].filter((each) => each.user === user).length >= 10) {
    return refuse('keys-per-user', { max: 10 });
  }

  const { permissions, ipAllowList } = command;
  const added: Key = {
    key,
    user,
    version,
    permissions: [...permissions],
    ipAllowList: [...ipAllowList],
    note,
  };
  state.keys.set(key, added);
  emitKey(state, added);
  return accepted;
}

export function changeKey(state: State, command: ChangeKey): Outcome {
  const { sender } = command;
  const barred = checkSender(state, sender);
  if (barred !== null) return refused(barred);
  const key = state.keys.get(command.key);
  if (key === undefined) return refuse('key-unknown', { key: command.key });
  const { permissions, ipAllowList, note = key.note } = command;
  const wrong =
    (sender === undefined ? null : checkNotFrozen(state, key.user)) ??
    checkText('note', note, 0, 255, 'any') ??
    (permissions === undefined ? null : checkPermissions(permissions)) ??
    (ipAllowList === undefined ? null : checkIpAllowList(ipAllowList)) ??
    checkOwner(state, sender, key.user);
  if (wrong !== null) return refused(wrong);
  if (permissions !== undefined) key.permissions = [...permissions];
  if (ipAllowList !== undefined) key.ipAllowList = [...ipAllowList];
  key.note = note;
  emitKey(state, key);
  return accepted;
}

export function removeKey(state: State, command: RemoveKey): Outcome {
  const { sender } = command;
  const unknown = sender === undefined ? null : checkUser(state, sender);
  if (unknown !== null) return refused(unknown);
  const key = state.keys.get(command.key);
  if (key === undefined) return refuse('key-unknown', { key: command.key });
  const barred = checkOwner(state, sender, key.user);
  if (barred !== null) return refused(barred);
  state.keys.delete(key.key);
  state.events.push({ kind: 'key-removed', key: key.key, user: key.user });
  return accepted;
}

/** A refusal may be logged and shown, so it never repeats the secret. */
function checkSecret(secret: string): Rejection | null {
  if (isText(secret, 1, 1024, 'printable')) return null;
  return reject('text-invalid', {
    field: 'secret',
    value: '',
    lengthMax: 1024,
    allowed: 'printable ASCII',
  });
}

function checkPermissions(permissions: readonly string[]): Rejection | null {
  const unknown = permissions.find((each) => !permissionsKnown.includes(each));
  return unknown === undefined ? null : valueInvalid('permissions', unknown, permissionsKnown.join(', '));
}

function checkIpAllowList(list: readonly string[]): Rejection | null {
  if (list.length > 20) return valueInvalid('ipAllowList', list.length, 'at most 20 entries');
  const bad = list.find((entry) => !isText(entry, 1, 64, 'printable'));
  return bad === undefined ? null : valueInvalid('ipAllowList', bad, '1 to 64 printable ASCII characters');
}

function emitKey(state: State, key: Key): void {
  state.events.push({
    kind: 'key-set',
    key: key.key,
    user: key.user,
    version: key.version,
    permissions: [...key.permissions],
    ipAllowList: [...key.ipAllowList],
    ...(key.note !== '' && { note: key.note }),
  });
}
