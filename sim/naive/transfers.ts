/** Transfers between accounts: a user's own two, or those of a master and its sub-account. */

import type { Transfer } from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import { balanceOf, post } from './ledger.ts';
import {
  checkAmount,
  checkCurrency,
  checkNotFrozen,
  checkOneOf,
  checkText,
  checkUser,
  refuse,
  refused,
} from './refusal.ts';
import { heaviest } from './decimal.ts';
import { masterOf, type State, takeId } from './state.ts';

export function transfer(state: State, command: Transfer): Outcome {
  const { user, type, clientId, amount, from, to } = command;
  const unfit = checkShape(state, command);
  if (unfit !== null) return refused(unfit);

  const { transfers } = state.users[user]!;
  const first = transfers.get(clientId);
  if (first !== undefined) {
    if (isSameTransfer(first.command, command)) return { kind: 'added', id: first.id };
    return refuse('transfer-conflict', { clientId, transfer: first.id });
  }
  const wrong = checkRelation(state, command);
  if (wrong !== null) return refused(wrong);

  const fromUser = type === 'sub-to-parent' ? command.fromUser! : user;
  const toUser = type === 'parent-to-sub' ? command.toUser! : user;
  let { currency } = command;
  if (currency === undefined) {
    const currencies = state.currencies
      .map((each) => each.number)
      .filter((number) => balanceOf(state, fromUser, from, number).available > 0n);
    if (currencies.length !== 1) return refuse('currency-ambiguous', { currencies });
    currency = currencies[0]!;
  }
  const uneven = checkAmount(state.currencies[currency]!, amount);
  if (uneven !== null) return refused(uneven);
  const { available } = balanceOf(state, fromUser, from, currency);
  if (amount > available) {
    return refuse('funds-insufficient', { user: fromUser, account: from, currency, need: amount, available });
  }

  const id = takeId(state);
  transfers.set(clientId, { id, command, since: state.time });
  makeRoomForMovements(state, user);
  state.events.push({
    kind: 'transfer-made',
    transfer: id,
    user,
    type,
    clientId,
    currency,
    amount,
    from,
    to,
    fromUser,
    toUser,
  });
  const of = { currency, cause: 'transfer', reference: id } as const;
  post(state, { ...of, user: fromUser, account: from, available: -amount });
  post(state, { ...of, user: toUser, account: to, available: amount });
  return { kind: 'added', id };
}

function checkShape(state: State, command: Transfer): Rejection | null {
  const { user, type, clientId, currency, from, to, fromUser, toUser } = command;
  const wrong =
    checkUser(state, user) ??
    (fromUser === undefined ? null : checkUser(state, fromUser)) ??
    (toUser === undefined ? null : checkUser(state, toUser)) ??
    checkNotFrozen(state, user) ??
    (fromUser === undefined ? null : checkNotFrozen(state, fromUser)) ??
    (toUser === undefined ? null : checkNotFrozen(state, toUser)) ??
    (type === 'internal' ? null : checkNotFrozen(state, fromUser ?? user, 'withdrawals')) ??
    (currency === undefined ? null : checkCurrency(state, currency)) ??
    checkText('clientId', clientId, 1, 128, 'printable') ??
    checkOneOf('type', type, ['internal', 'parent-to-sub', 'sub-to-parent']) ??
    checkOneOf('from', from, ['main', 'trade']) ??
    checkOneOf('to', to, ['main', 'trade']);
  if (wrong !== null) return wrong;
  const because = `the type is ${type}`;
  if (type === 'parent-to-sub' && toUser === undefined) {
    return reject('field-missing', { field: 'toUser', because });
  }
  if (type === 'sub-to-parent' && fromUser === undefined) {
    return reject('field-missing', { field: 'fromUser', because });
  }
  return null;
}

function isSameTransfer(first: Transfer, command: Transfer): boolean {
  return (
    first.type === command.type &&
    first.currency === command.currency &&
    first.amount === command.amount &&
    first.from === command.from &&
    first.to === command.to &&
    first.fromUser === command.fromUser &&
    first.toUser === command.toUser
  );
}

/** Whether the caller may move money between these users. */
function checkRelation(state: State, command: Transfer): Rejection | null {
  const { user, type, from, to, fromUser, toUser } = command;
  if (type !== 'internal' && state.users[user]!.parent >= 0) return reject('not-a-master', { user });
  // The caller's own side may be named, but only as the caller.
  if (type !== 'sub-to-parent' && fromUser !== undefined && fromUser !== user) {
    return reject('not-a-master', { user: fromUser });
  }
  if (type !== 'parent-to-sub' && toUser !== undefined && toUser !== user) {
    return reject('not-a-master', { user: toUser });
  }
  if (type === 'internal') return from === to ? reject('same-account', { account: from }) : null;
  const sub = type === 'parent-to-sub' ? toUser! : fromUser!;
  if (state.users[sub]!.parent !== user) return reject('not-a-sub-account', { user: sub, parent: user });
  return null;
}

// How long, and how many, transfers and withdrawals are remembered.

/** Whether the master and its sub-accounts may have one more open withdrawal. */
export function checkWithdrawalRoom(state: State, user: number): Rejection | null {
  const max = state.limits.movementsPerUserMax;
  const open = [...state.withdrawals.values()].filter(
    (each) =>
      (each.state === 'processing' || each.state === 'paying') &&
      masterOf(state, each.user) === masterOf(state, user),
  );
  return open.length >= max ? reject('movements-per-user', { max }) : null;
}

interface Past {
  readonly since: number;
  readonly id: number;
  readonly master: number;
  readonly forget: () => void;
}

/** Movements that may be dropped, oldest first. */
function listPast(state: State): Past[] {
  const past: Past[] = [];
  const look = (id: number, since: number | null, user: number, forget: () => void): void => {
    if (since !== null) past.push({ since, id, master: masterOf(state, user), forget });
  };
  for (const { number, transfers } of state.users) {
    for (const [clientId, { id, since }] of transfers) {
      look(id, since, number, () => transfers.delete(clientId));
    }
  }
  for (const [id, { since, user }] of state.withdrawals) {
    look(id, since, user, () => state.withdrawals.delete(id));
  }
  return past.toSorted((one, other) => one.since - other.since || one.id - other.id);
}

/** After a movement is completed, drops at most two of its master, and at most two of the master with the most. */
export function makeRoomForMovements(state: State, user: number): void {
  const { movementsPerUserMax, movementsMax } = state.limits;
  const past = listPast(state);
  const forgetOldestOf = (master: number): void => {
    const [oldest] = past.splice(
      past.findIndex((each) => each.master === master),
      1,
    );
    oldest!.forget();
  };
  const own = masterOf(state, user);
  for (let times = 0; times < 2; times += 1) {
    if (past.filter(({ master }) => master === own).length > movementsPerUserMax) forgetOldestOf(own);
  }
  for (let times = 0; times < 2; times += 1) {
    if (past.length > movementsMax) forgetOldestOf(heaviest(past.map(({ master }) => master)));
  }
}

/** At the start of a record, drops a bounded number of movements whose window has passed, oldest first. */
export function forgetMovements(state: State, commands: number): void {
  const { movementWindowMs, stepsPerRecordMax } = state.limits;
  const past = listPast(state).filter(({ since }) => state.time - since >= movementWindowMs);
  for (const { forget } of past.slice(0, 4 * stepsPerRecordMax + 32 * commands)) forget();
}
