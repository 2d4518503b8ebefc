/** Corrections: reversals by opposite postings, and moves of money; each is a new posting. */

import type {
  MoneySide,
  MoveMoney,
  ReturnDeposit,
  ReverseMovement,
} from '../../packages/core/src/commands/commands.ts';
import type { CorrectionMade } from '../../packages/core/src/events/events.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import { AMOUNTS_MAX, emitDeposit } from './deposits.ts';
import { balanceOf, post, SYSTEM } from './ledger.ts';
import {
  accepted,
  checkAmount,
  checkCurrency,
  checkNotClosed,
  checkOneOf,
  checkText,
  checkUser,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import { type Account, type Deposit, type State, takeId } from './state.ts';

type Moves = readonly (readonly [user: number, account: Account, change: bigint])[];

export function returnDeposit(state: State, { deposit: id, txId }: ReturnDeposit): Outcome {
  const wrong = txId === undefined ? null : checkText('txId', txId, 1, 128, 'printable');
  if (wrong !== null) return refused(wrong);
  const deposit = findDeposit(state, id);
  if (deposit === undefined) return refuse('deposit-unknown', { deposit: id });
  if (deposit.state !== 'waiting' && deposit.state !== 'refused') {
    return refuse('not-returnable', { deposit: id, state: deposit.state });
  }
  deposit.state = 'returned';
  if (txId !== undefined) deposit.returnTxId = txId;
  emitDeposit(state, deposit);
  const of = { user: SYSTEM, currency: deposit.currency, cause: 'deposit', reference: id } as const;
  post(state, { ...of, account: 'waiting', available: -deposit.amount });
  post(state, { ...of, account: 'outside', available: deposit.amount });
  return accepted;
}

export function reverseMovement(state: State, command: ReverseMovement): Outcome {
  const { deposit: depositId, withdrawal: withdrawalId, correction: correctionId } = command;
  const named = [depositId, withdrawalId, correctionId].filter((each) => each !== undefined);
  if (named.length !== 1) return refuse('field-missing', { field: 'depositId', because: 'one of three' });
  if (depositId !== undefined) {
    const deposit = findDeposit(state, depositId);
    if (deposit === undefined) return refuse('deposit-unknown', { deposit: depositId });
    const { user, amount, fee = 0n } = deposit;
    return reverse(state, 'deposit', depositId, deposit, deposit.state === 'done', deposit, [
      [user, 'main', fee - amount],
      [SYSTEM, 'fees', -fee],
      [SYSTEM, 'outside', amount],
    ]);
  }
  if (withdrawalId !== undefined) {
    const found = state.withdrawals.get(withdrawalId);
    if (found === undefined) return refuse('withdrawal-unknown', { withdrawal: withdrawalId });
    return reverse(state, 'withdrawal', withdrawalId, found, found.state === 'sent', undefined, [
      [SYSTEM, 'outside', -found.amount],
      [SYSTEM, 'fees', -found.fee],
      [found.user, 'main', found.amount + found.fee],
    ]);
  }
  const correction = state.corrections.find((each) => each.correction === correctionId);
  if (correction === undefined) return refuse('correction-unknown', { correction: correctionId! });
  const deposit = correction.deposit === undefined ? undefined : findDeposit(state, correction.deposit);
  const opposite = correction.postings.map(({ user, account, change }) => [user, account, -change] as const);
  return reverse(state, 'correction', correctionId!, { ...correction, state: '' }, true, deposit, opposite);
}

function reverse(
  state: State,
  kind: 'deposit' | 'withdrawal' | 'correction',
  id: number,
  object: { readonly currency: number; readonly amount: bigint; readonly state: string },
  isPossible: boolean,
  deposit: Deposit | undefined,
  moves: Moves,
): Outcome {
  const { currency, amount } = object;
  const before = state.corrections.find(({ reverses }) => reverses?.id === id);
  if (before !== undefined) return refuse('reversed', { id, correction: before.correction });
  if (!isPossible) return refuse('not-reversible', { id, state: object.state });
  if (deposit?.reversed) {
    const other = state.deposits.get(deposit.txId);
    if (other !== undefined) return refuse('deposit-conflict', { txId: deposit.txId, deposit: other.id });
  }
  const closed = checkTargets(state, moves);
  if (closed !== null) return refused(closed);
  return make(state, moves, {
    type: 'reverse',
    currency,
    amount,
    reverses: { kind, id },
    ...(deposit !== undefined && { deposit: deposit.id }),
  });
}

export function moveMoney(state: State, { currency, amount, from, to, clientId }: MoveMoney): Outcome {
  const wrong =
    ('user' in from ? checkUser(state, from.user) : null) ??
    ('user' in to ? checkUser(state, to.user) : null) ??
    checkCurrency(state, currency) ??
    checkText('clientId', clientId ?? 'none', 1, 128, 'printable') ??
    checkSide('from', from) ??
    checkSide('to', to) ??
    (amount > 0n ? null : valueInvalid('amount', amount, 'above 0')) ??
    checkAmount(state.currencies[currency]!, amount);
  if (wrong !== null) return refused(wrong);
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source[0] === target[0] && source[1] === target[1]) {
    return refused(valueInvalid('to', target[1], 'another account'));
  }
  const moves: Moves = [
    [...source, -amount],
    [...target, amount],
  ];
  const first =
    clientId === undefined ? undefined : state.corrections.find((each) => each.clientId === clientId);
  if (first !== undefined) {
    const [paid, got] = first.postings;
    const isSame =
      first.currency === currency &&
      first.amount === amount &&
      [paid!.user, paid!.account].join() === source.join() &&
      [got!.user, got!.account].join() === target.join();
    return isSame
      ? { kind: 'added', id: first.correction }
      : refuse('transfer-conflict', { clientId: clientId!, transfer: first.correction });
  }
  const closed = checkTargets(state, moves);
  if (closed !== null) return refused(closed);
  return make(state, moves, { type: 'move', currency, amount, ...(clientId !== undefined && { clientId }) });
}

function checkSide(field: string, side: MoneySide): Rejection | null {
  if ('user' in side) return checkOneOf(field, side.account, ['main', 'trade']);
  return checkOneOf(field, side.system, ['fees', 'suspense']);
}

function placeOf(side: MoneySide): readonly [number, Account] {
  return 'user' in side ? [side.user, side.account] : [SYSTEM, side.system];
}

function findDeposit(state: State, id: number): Deposit | undefined {
  return [...state.deposits.values()].find((each) => each.id === id);
}

function checkTargets(state: State, moves: Moves): Rejection | null {
  for (const [user, , change] of moves) {
    const closed = user >= 0 && change > 0n ? checkNotClosed(state, user) : null;
    if (closed !== null) return closed;
  }
  return null;
}

function make(
  state: State,
  moves: Moves,
  about: Omit<CorrectionMade, 'kind' | 'correction' | 'postings'>,
): Outcome {
  const { currency } = about;
  const made = moves.filter(([, , change]) => change !== 0n);
  for (const [user, account, change] of made) {
    if (account !== 'outside' || change > 0n) continue;
    const max = AMOUNTS_MAX + balanceOf(state, user, account, currency).available;
    if (-change > max) return refuse('amount-above-max', { value: -change, max });
  }
  for (const [user, account, change] of made) {
    const { available } = balanceOf(state, user, account, currency);
    if (account === 'outside' || available + change >= 0n) continue;
    return refuse('insufficient', { user, account, currency, need: -change, available });
  }
  const correction: CorrectionMade = {
    kind: 'correction-made',
    correction: takeId(state),
    ...about,
    postings: made.map(([user, account, change]) => ({ user, account, change })),
  };
  state.corrections.push(correction);
  state.events.push(correction);
  for (const [user, account, change] of made) {
    const reference = correction.correction;
    post(state, { user, account, currency, available: change, cause: 'correction', reference });
  }
  const deposit = about.deposit === undefined ? undefined : findDeposit(state, about.deposit);
  if (deposit !== undefined) toggle(state, deposit);
  return { kind: 'added', id: correction.correction };
}

/** After a reversal the transaction may be reported again, so it must no longer be found by its txId. */
function toggle(state: State, deposit: Deposit): void {
  const undone = `undone\n${deposit.id}`;
  state.deposits.delete(deposit.reversed ? undone : deposit.txId);
  if (deposit.reversed) delete deposit.reversed;
  else deposit.reversed = true;
  state.deposits.set(deposit.reversed ? undone : deposit.txId, deposit);
  emitDeposit(state, deposit);
}
