/** Money going out: held when asked for, gone or back when the outside world has answered. */

import type {
  CancelWithdrawal,
  Chain,
  RequestWithdrawal,
  SettleWithdrawal,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { divideUp, inUnits, parseDecimal, RATE_ONE } from './decimal.ts';
import { balanceOf, SYSTEM, post } from './ledger.ts';
import { checkWithdrawalRoom, makeRoomForMovements, rememberedSince } from './movements.ts';
import {
  accepted,
  checkAmount,
  checkChain,
  checkCurrency,
  checkNotFrozen,
  checkText,
  checkUser,
  refuse,
  refused,
} from './refusal.ts';
import { takeId, type State, type Withdrawal } from './state.ts';

export function requestWithdrawal(state: State, command: RequestWithdrawal): Outcome {
  const { user, amount: asked, address, memo, feeIncluded = false, note = '' } = command;
  const unknown =
    checkUser(state, user) ?? checkNotFrozen(state, user) ?? checkCurrency(state, command.currency);
  if (unknown !== null) return refused(unknown);
  const currency = state.currencies[command.currency]!;
  const unfit =
    checkChain(currency, command.chain) ??
    checkText('address', address, 1, 256, 'printable') ??
    checkText('memo', memo, 0, 256, 'printable') ??
    checkText('note', note, 0, 100, 'any');
  if (unfit !== null) return refused(unfit);
  const chain = currency.chains.find((each) => each.chainId === command.chain)!;
  if (!chain.isWithdrawEnabled) {
    return refuse('withdrawal-disabled', { currency: currency.number, chain: command.chain });
  }
  const wrong = checkAmount(currency, asked);
  if (wrong !== null) return refused(wrong);
  const min = inUnits(parseDecimal(chain.withdrawalMinSize)!, currency.scale)!;
  if (asked < min) return refuse('amount-below-min', { value: asked, min });
  let fee = withdrawalFee(chain, currency.scale, asked);
  let amount = asked;
  if (feeIncluded) {
    // What is left is sent, so it must be a multiple of what can move.
    const step = 10n ** BigInt(currency.scale - currency.precision);
    fee = divideUp(fee, step) * step;
    amount = asked - fee;
    if (amount <= 0n) return refuse('amount-below-min', { value: asked, min: fee + step });
  }
  const full = checkWithdrawalRoom(state, user);
  if (full !== null) return refused(full);
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
    memo,
    state: 'processing',
    ...(note !== '' && { note }),
    since: null,
  };
  state.withdrawals.set(id, withdrawal);
  tellWithdrawal(state, withdrawal);
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

/** The chain's minimum or its rate, whichever is more, up to its maximum where there is one. */
function withdrawalFee(chain: Chain, scale: number, amount: bigint): bigint {
  const rate = chain.withdrawFeeRate ? inUnits(parseDecimal(chain.withdrawFeeRate)!, 8)! : 0n;
  const byRate = divideUp(amount * rate, RATE_ONE);
  const least = inUnits(parseDecimal(chain.withdrawalMinFee)!, scale)!;
  const fee = byRate > least ? byRate : least;
  if (!chain.withdrawMaxFee) return fee;
  const most = inUnits(parseDecimal(chain.withdrawMaxFee)!, scale)!;
  return fee > most ? most : fee;
}

function tellWithdrawal(state: State, withdrawal: Withdrawal): void {
  state.events.push({
    kind: 'withdrawal-set',
    withdrawal: withdrawal.id,
    user: withdrawal.user,
    currency: withdrawal.currency,
    chain: withdrawal.chain,
    amount: withdrawal.amount,
    fee: withdrawal.fee,
    address: withdrawal.address,
    memo: withdrawal.memo,
    state: withdrawal.state,
    ...(withdrawal.note !== undefined && { note: withdrawal.note }),
  });
}

function giveBack(state: State, withdrawal: Withdrawal, end: 'cancelled' | 'failed'): void {
  const held = withdrawal.amount + withdrawal.fee;
  withdrawal.state = end;
  withdrawal.since = rememberedSince(state);
  makeRoomForMovements(state, withdrawal.user);
  tellWithdrawal(state, withdrawal);
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
  if (withdrawal.state !== 'processing') {
    return refuse('withdrawal-closed', { withdrawal: id, state: withdrawal.state });
  }
  giveBack(state, withdrawal, 'cancelled');
  return accepted;
}

export function settleWithdrawal(state: State, command: SettleWithdrawal): Outcome {
  const { withdrawal: id, sent } = command;
  const withdrawal = state.withdrawals.get(id);
  if (withdrawal === undefined) return refuse('withdrawal-unknown', { withdrawal: id });
  if (withdrawal.state !== 'processing') {
    return refuse('withdrawal-closed', { withdrawal: id, state: withdrawal.state });
  }
  if (!sent) {
    giveBack(state, withdrawal, 'failed');
    return accepted;
  }
  const { user, currency, amount, fee } = withdrawal;
  withdrawal.state = 'sent';
  withdrawal.since = rememberedSince(state);
  makeRoomForMovements(state, withdrawal.user);
  tellWithdrawal(state, withdrawal);
  const of = { currency, cause: 'withdrawal', reference: id } as const;
  post(state, { ...of, user, account: 'main', hold: -(amount + fee) });
  post(state, { ...of, user: SYSTEM, account: 'fees', available: fee });
  post(state, { ...of, user: SYSTEM, account: 'outside', available: amount });
  return accepted;
}
