/** Money that leaves: what is sent and the chain's fee are held until the outside world has answered. */

import { Amount, RATE_ONE } from '../values/amount.ts';
import type { CancelWithdrawal, Chain, RequestWithdrawal, SettleWithdrawal } from '../commands/commands.ts';
import { amountOf, type Currency, movementUnit, rateOf } from '../reference/currencies.ts';
import type { AddedOutcome } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkLength, checkPrintable } from '../values/text.ts';
import { CAUSE, FEES, MAIN, OUTSIDE } from './ledger.ts';
import { checkMovement, findChain, unknownChain } from './money-in.ts';
import { checkMovementRoom, rememberMovement } from './movement-room.ts';
import { isOpen, type Withdrawal } from './withdrawals.ts';

const ADDRESS_LENGTH_MAX = 256;
const NOTE_LENGTH_MAX = 100;
const total = new Amount();
const part = new Amount();
const NOTHING = new Amount();

export function requestWithdrawal(state: State, command: RequestWithdrawal): AddedOutcome | Rejection {
  const { user, currency: number, chain: chainId, address, memo, feeIncluded = false, note = '' } = command;
  const refused =
    state.users.unknown(user) ??
    state.users.frozen(user, state.rules) ??
    state.currencies.unknown(number) ??
    unknownChain(state.currencies.all[number], chainId) ??
    checkPrintable('address', address, 1, ADDRESS_LENGTH_MAX) ??
    checkPrintable('memo', memo, 0, ADDRESS_LENGTH_MAX) ??
    checkLength('note', note, 0, NOTE_LENGTH_MAX);
  if (refused) return refused;
  const currency = state.currencies.all[number];
  const chain = findChain(currency, chainId) as Chain;
  if (!chain.isWithdrawEnabled) return reject('withdrawal-disabled', { currency: number, chain: chainId });
  const wrong = checkMovement(currency, command.amount) ?? checkLeast(chain, currency, command);
  if (wrong) return wrong;
  const full = checkMovementRoom(state, user, 'withdrawal');
  if (full) return full;

  const fee = withdrawalFee(chain, currency, command.amount, feeIncluded);
  const amount = feeIncluded ? command.amount - fee : command.amount;
  const account = state.ledger.account(user, MAIN, number);
  state.ledger.readAvailable(account, part);
  const available = part.toBigInt();
  const need = amount + fee;
  if (need > available) {
    return reject('funds-insufficient', { user, account: 'main', currency: number, need, available });
  }
  const id = state.newId();
  state.movements.add(user);
  const to = { chain: chainId, amount, fee, address, memo, state: 'processing' } as const;
  set(state, { withdrawal: id, user, currency: number, ...to, ...(note !== '' && { note }) });
  total.setBigInt(need);
  state.ledger.hold(account, total, CAUSE.withdrawalHold, id);
  return { kind: 'added', id };
}

export function cancelWithdrawal(state: State, command: CancelWithdrawal): Rejection | null {
  const { user } = command;
  const refused = state.users.unknown(user);
  if (refused) return refused;
  const withdrawal = state.withdrawals.get(command.withdrawal);
  if (withdrawal?.user !== user) return reject('withdrawal-unknown', { withdrawal: command.withdrawal });
  return giveBack(state, withdrawal, 'cancelled');
}

export function settleWithdrawal(state: State, command: SettleWithdrawal): Rejection | null {
  const withdrawal = state.withdrawals.get(command.withdrawal);
  if (!withdrawal) return reject('withdrawal-unknown', { withdrawal: command.withdrawal });
  if (!command.sent) return giveBack(state, withdrawal, 'failed');
  const closed = checkOpen(withdrawal);
  if (closed) return closed;
  const { withdrawal: id, user, currency, amount, fee } = withdrawal;
  set(state, { ...withdrawal, state: 'sent' });
  const { ledger } = state;
  total.setBigInt(amount + fee);
  ledger.spend(ledger.account(user, MAIN, currency), total, NOTHING, CAUSE.withdrawal, id, 0);
  if (fee > 0n) {
    part.setBigInt(fee);
    ledger.credit(ledger.system(FEES, currency), part, CAUSE.withdrawal, id, 0);
  }
  part.setBigInt(amount);
  ledger.credit(ledger.system(OUTSIDE, currency), part, CAUSE.withdrawal, id, 0);
  return null;
}

/** A fee that is taken out of the amount must be smaller than the amount. */
function checkLeast(
  chain: Chain,
  currency: Currency,
  { amount, feeIncluded = false }: RequestWithdrawal,
): Rejection | null {
  const least = amountOf(chain.withdrawalMinSize, currency.scale);
  if (amount < least) return reject('amount-below-min', { value: amount, min: least });
  const fee = feeIncluded ? withdrawalFee(chain, currency, amount, true) : 0n;
  return amount > fee
    ? null
    : reject('amount-below-min', { value: amount, min: fee + movementUnit(currency) });
}

/**
 * A fee that is taken out of the amount is rounded up to the currency's precision, so that the rest, which is sent, is
 * a multiple of it.
 */
export function withdrawalFee(
  chain: Chain,
  currency: Currency,
  amount: bigint,
  feeIncluded: boolean,
): bigint {
  const fee = feeOf(chain, amount, currency.scale);
  const unit = feeIncluded ? movementUnit(currency) : 1n;
  return ((fee + unit - 1n) / unit) * unit;
}

/** At least the minimum, at most the maximum where there is one, in between by the rate. */
function feeOf(chain: Chain, amount: bigint, scale: number): bigint {
  const one = BigInt(RATE_ONE);
  const byRate = (amount * rateOf(chain.withdrawFeeRate) + one - 1n) / one;
  const least = amountOf(chain.withdrawalMinFee, scale);
  const fee = byRate > least ? byRate : least;
  if (chain.withdrawMaxFee === '') return fee;
  const most = amountOf(chain.withdrawMaxFee, scale);
  return fee < most ? fee : most;
}

function giveBack(state: State, withdrawal: Withdrawal, next: 'failed' | 'cancelled'): Rejection | null {
  const closed = checkOpen(withdrawal);
  if (closed) return closed;
  const { withdrawal: id, user, currency, amount, fee } = withdrawal;
  set(state, { ...withdrawal, state: next });
  total.setBigInt(amount + fee);
  const account = state.ledger.account(user, MAIN, currency);
  state.ledger.release(account, total, CAUSE.withdrawalRelease, id);
  return null;
}

function checkOpen({ withdrawal, state }: Withdrawal): Rejection | null {
  return state === 'processing' ? null : reject('withdrawal-closed', { withdrawal, state });
}

function set(state: State, withdrawal: Withdrawal): void {
  state.withdrawals.set(withdrawal);
  if (!isOpen(withdrawal)) rememberMovement(state, withdrawal.user, withdrawal.withdrawal);
  state.events.rare({ kind: 'withdrawal-set', ...withdrawal });
}
