/** Withdrawals: held when requested, spent or released when settled. */

import type {
  AddAddressRule,
  AdvanceWithdrawal,
  CancelWithdrawal,
  Chain,
  ClaimWithdrawal,
  RemoveAddressRule,
  ReportWallet,
  RequestWithdrawal,
  SettleWithdrawal,
  SetWithdrawalLimits,
  UnclaimWithdrawal,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import { divideUp, inUnits, parseDecimal, RATE_ONE } from './decimal.ts';
import { balanceOf, post, SYSTEM } from './ledger.ts';
import {
  accepted,
  checkAmount,
  checkChain,
  checkCurrency,
  checkInteger,
  checkNotFrozen,
  checkOneOf,
  checkText,
  checkUser,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import { masterOf, type State, takeId, type Withdrawal } from './state.ts';
import { checkWithdrawalRoom, makeRoomForMovements } from './transfers.ts';

export function requestWithdrawal(state: State, command: RequestWithdrawal): Outcome {
  const { user, amount: asked, address, payee, memo, feeIncluded = false, note = '' } = command;
  const unknown =
    checkUser(state, user) ??
    checkNotFrozen(state, user, 'withdrawals') ??
    checkCurrency(state, command.currency);
  if (unknown !== null) return refused(unknown);
  const currency = state.currencies[command.currency]!;
  const unfit =
    checkChain(currency, command.chain) ??
    checkText('address', address, 1, 256, 'printable') ??
    checkText('payee', payee ?? 'none', 1, 256, 'printable') ??
    checkText('memo', memo, 0, 256, 'printable') ??
    checkText('note', note, 0, 100, 'any');
  if (unfit !== null) return refused(unfit);
  const chain = currency.chains.find((each) => each.chainId === command.chain)!;
  if (!chain.isWithdrawEnabled) {
    return refuse('withdrawal-disabled', { currency: currency.number, chain: command.chain });
  }
  const wrong =
    checkAddress(state, currency.number, command.chain, address, payee) ?? checkAmount(currency, asked);
  if (wrong !== null) return refused(wrong);
  const min = inUnits(parseDecimal(chain.withdrawalMinSize)!, currency.scale)!;
  if (asked < min) return refuse('amount-below-min', { value: asked, min });
  let fee = withdrawalFee(chain, currency.scale, asked);
  let amount = asked;
  if (feeIncluded) {
    // The remainder is sent, so it must be a multiple of the currency's precision.
    const step = 10n ** BigInt(currency.scale - currency.precision);
    fee = divideUp(fee, step) * step;
    amount = asked - fee;
    if (amount <= 0n) return refuse('amount-below-min', { value: asked, min: fee + step });
  }
  const full = checkWithdrawalRoom(state, user);
  if (full !== null) return refused(full);
  const over = checkLimit(state, user, currency.number, amount);
  if (over !== null) return refused(over);
  const need = amount + fee;
  const { available } = balanceOf(state, user, 'main', currency.number);
  if (need > available) {
    return refuse('funds-insufficient', {
      user,
      account: 'main',
      currency: currency.number,
      need,
      available,
    });
  }

  const id = takeId(state);
  const withdrawal: Withdrawal = {
    id,
    user,
    currency: currency.number,
    chain: command.chain,
    amount,
    fee,
    address,
    ...(payee !== undefined && { payee }),
    memo,
    state: 'processing',
    ...(note !== '' && { note }),
    since: null,
  };
  state.withdrawals.set(id, withdrawal);
  state.requested.push({ user, currency: currency.number, time: state.time, withdrawal });
  emitWithdrawal(state, withdrawal);
  post(state, {
    user,
    account: 'main',
    currency: currency.number,
    available: -need,
    hold: need,
    cause: 'withdrawal-hold',
    reference: id,
  });
  return { kind: 'added', id };
}

/** The chain's minimum or its rate, whichever is higher, up to its maximum if there is one. */
function withdrawalFee(chain: Chain, scale: number, amount: bigint): bigint {
  const rate = chain.withdrawFeeRate ? inUnits(parseDecimal(chain.withdrawFeeRate)!, 8)! : 0n;
  const byRate = divideUp(amount * rate, RATE_ONE);
  const least = inUnits(parseDecimal(chain.withdrawalMinFee)!, scale)!;
  const fee = byRate > least ? byRate : least;
  if (!chain.withdrawMaxFee) return fee;
  const most = inUnits(parseDecimal(chain.withdrawMaxFee)!, scale)!;
  return fee > most ? most : fee;
}

function emitWithdrawal(state: State, withdrawal: Withdrawal): void {
  state.events.push({
    kind: 'withdrawal-set',
    withdrawal: withdrawal.id,
    user: withdrawal.user,
    currency: withdrawal.currency,
    chain: withdrawal.chain,
    amount: withdrawal.amount,
    fee: withdrawal.fee,
    address: withdrawal.address,
    ...(withdrawal.payee !== undefined && { payee: withdrawal.payee }),
    memo: withdrawal.memo,
    state: withdrawal.state,
    ...(withdrawal.note !== undefined && { note: withdrawal.note }),
    ...(withdrawal.claimedBy !== undefined && { claimedBy: withdrawal.claimedBy }),
    ...(withdrawal.claimedAt !== undefined && { claimedAt: withdrawal.claimedAt }),
    ...(withdrawal.payment !== undefined && { payment: withdrawal.payment }),
    ...(withdrawal.txId !== undefined && { txId: withdrawal.txId }),
    ...(withdrawal.failureReason !== undefined && { failureReason: withdrawal.failureReason }),
  });
}

function giveBack(state: State, withdrawal: Withdrawal, end: 'cancelled' | 'failed'): void {
  const held = withdrawal.amount + withdrawal.fee;
  withdrawal.state = end;
  delete withdrawal.payment;
  delete withdrawal.txId;
  withdrawal.since = state.time;
  makeRoomForMovements(state, withdrawal.user);
  emitWithdrawal(state, withdrawal);
  post(state, {
    user: withdrawal.user,
    account: 'main',
    currency: withdrawal.currency,
    available: held,
    hold: -held,
    cause: 'withdrawal-release',
    reference: withdrawal.id,
  });
}

export function cancelWithdrawal(state: State, command: CancelWithdrawal): Outcome {
  const { user, withdrawal: id } = command;
  const unknown = checkUser(state, user);
  if (unknown !== null) return refused(unknown);
  const withdrawal = state.withdrawals.get(id);
  if (withdrawal === undefined || withdrawal.user !== user) {
    return refuse('withdrawal-unknown', { withdrawal: id });
  }
  const over = checkOver(withdrawal) ?? checkPaying(withdrawal);
  if (over !== null) return refused(over);
  giveBack(state, withdrawal, 'cancelled');
  return accepted;
}

function checkOver({ id, state }: Withdrawal): Rejection | null {
  const isOpen = state === 'processing' || state === 'paying';
  return isOpen ? null : reject('withdrawal-closed', { withdrawal: id, state });
}

function checkPaying({ id, state, claimedBy, claimedAt }: Withdrawal): Rejection | null {
  if (state !== 'paying') return null;
  return reject('withdrawal-claimed', { withdrawal: id, by: claimedBy!, at: claimedAt! });
}

export function claimWithdrawal(state: State, { withdrawal: id, by = '' }: ClaimWithdrawal): Outcome {
  const withdrawal = state.withdrawals.get(id);
  if (withdrawal === undefined) return refuse('withdrawal-unknown', { withdrawal: id });
  const { user, currency, chain, address, payee } = withdrawal;
  const wrong =
    checkNotFrozen(state, user, 'withdrawals') ??
    checkOver(withdrawal) ??
    checkPaying(withdrawal) ??
    checkAddress(state, currency, chain, address, payee);
  if (wrong !== null) return refused(wrong);
  withdrawal.state = 'paying';
  withdrawal.claimedBy = by;
  withdrawal.claimedAt = state.time;
  emitWithdrawal(state, withdrawal);
  return accepted;
}

export function unclaimWithdrawal(state: State, { withdrawal: id }: UnclaimWithdrawal): Outcome {
  const withdrawal = state.withdrawals.get(id);
  if (withdrawal === undefined) return refuse('withdrawal-unknown', { withdrawal: id });
  const wrong = checkOver(withdrawal);
  if (wrong !== null) return refused(wrong);
  if (withdrawal.state !== 'paying') return refuse('not-claimed', { withdrawal: id });
  const { payment } = withdrawal;
  if (payment !== undefined) return refuse('payment-begun', { withdrawal: id, payment });
  withdrawal.state = 'processing';
  delete withdrawal.claimedBy;
  delete withdrawal.claimedAt;
  emitWithdrawal(state, withdrawal);
  return accepted;
}

export function advanceWithdrawal(state: State, command: AdvanceWithdrawal): Outcome {
  const { withdrawal: id, payment, txId } = command;
  const wrong =
    checkText('txId', txId ?? 'none', 1, 128, 'printable') ??
    checkOneOf('state', payment, ['signed', 'broadcast']);
  if (wrong !== null) return refused(wrong);
  const withdrawal = state.withdrawals.get(id);
  if (withdrawal === undefined) return refuse('withdrawal-unknown', { withdrawal: id });
  const over = checkOver(withdrawal);
  if (over !== null) return refused(over);
  if (withdrawal.state !== 'paying') return refuse('not-claimed', { withdrawal: id });
  const before = { payment: withdrawal.payment, txId: withdrawal.txId };
  if (before.payment === 'broadcast' && payment === 'signed') {
    return refuse('payment-begun', { withdrawal: id, payment: 'broadcast' });
  }
  withdrawal.payment = payment;
  if (txId !== undefined) withdrawal.txId = txId;
  if (before.payment !== payment || before.txId !== withdrawal.txId) emitWithdrawal(state, withdrawal);
  return accepted;
}

export function settleWithdrawal(state: State, command: SettleWithdrawal): Outcome {
  const { withdrawal: id, sent, txId, failureReason, by = '' } = command;
  const badText =
    checkText('txId', txId ?? 'none', 1, 128, 'printable') ??
    checkText('failureReason', failureReason ?? '', 0, 256, 'any');
  if (badText !== null) return refused(badText);
  if (sent && txId === undefined) {
    return refuse('field-missing', { field: 'txId', because: 'sent' });
  }
  if (sent && failureReason !== undefined) {
    return refuse('field-not-allowed', { field: 'failureReason', because: 'sent' });
  }
  if (!sent && txId !== undefined) return refuse('field-not-allowed', { field: 'txId', because: 'not-sent' });
  const withdrawal = state.withdrawals.get(id);
  if (withdrawal === undefined) return refuse('withdrawal-unknown', { withdrawal: id });
  const over = checkOver(withdrawal);
  if (over !== null) return refused(over);
  if (!sent) {
    const others = checkPaying(withdrawal);
    if (others !== null && withdrawal.claimedBy !== by) return refused(others);
    if (failureReason) withdrawal.failureReason = failureReason;
    giveBack(state, withdrawal, 'failed');
    return accepted;
  }
  if (withdrawal.state !== 'paying') return refuse('not-claimed', { withdrawal: id });
  if (txId !== undefined) withdrawal.txId = txId;
  const { user, currency, amount, fee } = withdrawal;
  withdrawal.state = 'sent';
  withdrawal.since = state.time;
  makeRoomForMovements(state, withdrawal.user);
  emitWithdrawal(state, withdrawal);
  const of = { currency, cause: 'withdrawal', reference: id } as const;
  post(state, { ...of, user, account: 'main', hold: -(amount + fee) });
  post(state, { ...of, user: SYSTEM, account: 'fees', available: fee });
  post(state, { ...of, user: SYSTEM, account: 'outside', available: amount });
  return accepted;
}

// Daily withdrawal limits and address rules.

const DAY_MS = 86_400_000;

export function setWithdrawalLimits(state: State, command: SetWithdrawalLimits): Outcome {
  const { user, tier, limits } = command;
  const unknown = user === undefined ? null : checkUser(state, user);
  if (unknown !== null) return refused(unknown);
  for (const { currency } of limits) {
    const wrong = checkCurrency(state, currency);
    if (wrong !== null) return refused(wrong);
  }
  if ((user === undefined) === (tier === undefined)) {
    return refuse('field-missing', { field: 'tier', because: 'one of the two' });
  }
  const wrong = tier === undefined ? null : checkInteger('tier', tier, 0, 12);
  if (wrong !== null) return refused(wrong);
  for (const { amount } of limits) {
    if (amount !== null && amount < 0n) return refused(valueInvalid('withdrawalPerDay', amount, ''));
  }
  if (user !== undefined && state.users[user]!.parent >= 0) return refuse('not-a-master', { user });
  for (const { currency, amount } of limits) {
    const key = `${user === undefined ? `tier ${tier}` : `user ${user}`} ${currency}`;
    if (amount === null) state.withdrawalLimits.delete(key);
    else state.withdrawalLimits.set(key, amount);
  }
  return accepted;
}

function checkLimit(state: State, user: number, currency: number, amount: bigint): Rejection | null {
  const master = masterOf(state, user);
  const limit =
    state.withdrawalLimits.get(`user ${master} ${currency}`) ??
    state.withdrawalLimits.get(`tier ${state.users[master]!.tier} ${currency}`);
  if (limit === undefined) return null;
  const today = Math.floor(state.time / DAY_MS);
  let used = 0n;
  for (const each of state.requested) {
    const isSame = masterOf(state, each.user) === master && each.currency === currency;
    const isOver = each.withdrawal.state === 'failed' || each.withdrawal.state === 'cancelled';
    if (isSame && !isOver && Math.floor(each.time / DAY_MS) === today) used += each.withdrawal.amount;
  }
  const left = used < limit ? limit - used : 0n;
  return amount > left ? reject('withdrawal-limit', { currency, limit, left }) : null;
}

export function addAddressRule(state: State, command: AddAddressRule): Outcome {
  const { action, address, currency, chain } = command;
  const wrong =
    (currency === undefined ? null : checkCurrency(state, currency)) ??
    checkText('address', address, 1, 256, 'printable') ??
    (chain === undefined ? null : checkText('chain', chain, 1, 64, 'printable')) ??
    checkOneOf('rule', action, ['block', 'allow']);
  if (wrong !== null) return refused(wrong);
  const isThere = [...state.addressRules.values()].some(
    (each) =>
      each.address.toLowerCase() === address.toLowerCase() &&
      each.currency === currency &&
      each.chain === chain,
  );
  if (isThere) return refuse('code-taken', { taken: address });
  state.lastAddressRule += 1;
  state.addressRules.set(state.lastAddressRule, command);
  return { kind: 'added', id: state.lastAddressRule };
}

export function removeAddressRule(state: State, { rule }: RemoveAddressRule): Outcome {
  return state.addressRules.delete(rule) ? accepted : refuse('address-rule-unknown', { rule });
}

/** The most specific matching rule. */
function checkAddress(
  state: State,
  currency: number,
  chain: string,
  address: string,
  payee = address,
): Rejection | null {
  const same = [...state.addressRules.values()].filter(
    (each) => each.address.toLowerCase() === payee.toLowerCase(),
  );
  const both = same.filter((each) => each.currency === currency && each.chain === chain);
  const one = same.filter(
    (each) =>
      (each.currency === currency && each.chain === undefined) ||
      (each.currency === undefined && each.chain === chain),
  );
  const any = same.filter((each) => each.currency === undefined && each.chain === undefined);
  const deciding = [both, one, any].find((each) => each.length > 0) ?? [];
  const isBlocked = deciding.some((each) => each.action === 'block');
  return isBlocked ? reject('address-blocked', { chain, address }) : null;
}

/** The text of a note has no effect. */
export function reportWallet(state: State, { currency, balance, at }: ReportWallet): Outcome {
  const wrong =
    checkCurrency(state, currency) ??
    (balance < 0n ? valueInvalid('balance', balance, 'at least 0') : null) ??
    checkInteger('at', at, 0, state.time);
  return wrong === null ? accepted : refused(wrong);
}
