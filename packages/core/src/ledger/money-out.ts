/** Outbound money: the amount and the chain's fee are held until the payment is settled. */

import { NO_WITHDRAWALS } from '../access/users.ts';
import { Amount, RATE_ONE } from '../values/amount.ts';
import type {
  AdvanceWithdrawal,
  CancelWithdrawal,
  Chain,
  ClaimWithdrawal,
  RequestWithdrawal,
  SettleWithdrawal,
  UnclaimWithdrawal,
} from '../commands/commands.ts';
import {
  amountOf,
  type Currency,
  movementUnit,
  rateOf,
  findChain,
  unknownChain,
} from '../reference/currencies.ts';
import type { AddedOutcome } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPerson, recordWithdrawal, checkAddressRules, checkLimit } from './withdrawal-rules.ts';
import { checkLength, checkPrintable, invalidValue } from '../values/checks.ts';
import { CAUSE, FEES, MAIN, OUTSIDE } from './ledger.ts';
import { checkMovement } from './money-in.ts';
import { checkWithdrawalRoom, rememberMovement, isOpen, type Withdrawal } from './movements.ts';

const ADDRESS_LENGTH_MAX = 256;
const NOTE_LENGTH_MAX = 100;
const TX_ID_LENGTH_MAX = 128;
const FAILURE_LENGTH_MAX = 256;
const total = new Amount();
const part = new Amount();
const NOTHING = new Amount();

export function requestWithdrawal(state: State, command: RequestWithdrawal): AddedOutcome | Rejection {
  const {
    user,
    currency: number,
    chain: chainId,
    address,
    payee,
    memo,
    feeIncluded = false,
    note = '',
  } = command;
  const refused =
    state.users.unknown(user) ??
    state.users.barred(user, NO_WITHDRAWALS) ??
    state.currencies.unknown(number) ??
    unknownChain(state.currencies.all[number], chainId) ??
    checkPrintable('address', address, 1, ADDRESS_LENGTH_MAX) ??
    (payee === undefined ? null : checkPrintable('payee', payee, 1, ADDRESS_LENGTH_MAX)) ??
    checkPrintable('memo', memo, 0, ADDRESS_LENGTH_MAX) ??
    checkLength('note', note, 0, NOTE_LENGTH_MAX);
  if (refused) return refused;
  const currency = state.currencies.all[number];
  const chain = findChain(currency, chainId) as Chain;
  if (!chain.isWithdrawEnabled) return reject('withdrawal-disabled', { currency: number, chain: chainId });
  const barred = checkPerson(state, command) ?? checkAddressRules(state, command);
  if (barred) return barred;
  const wrong = checkMovement(currency, command.amount) ?? checkLeast(chain, currency, command);
  if (wrong) return wrong;
  const full = checkWithdrawalRoom(state, user);
  if (full) return full;

  const fee = withdrawalFee(chain, currency, command.amount, feeIncluded);
  const amount = feeIncluded ? command.amount - fee : command.amount;
  const over = checkLimit(state, user, number, amount);
  if (over) return over;
  const account = state.ledger.account(user, MAIN, number);
  state.ledger.readAvailable(account, part);
  const available = part.toBigInt();
  const need = amount + fee;
  if (need > available) {
    return reject('funds-insufficient', { user, account: 'main', currency: number, need, available });
  }
  const id = state.newId();
  const to = { chain: chainId, amount, fee, address, ...(payee !== undefined && { payee }) } as const;
  const more = { memo, state: 'processing', ...(note !== '' && { note }) } as const;
  set(state, { withdrawal: id, user, currency: number, ...to, ...more });
  total.setBigInt(need);
  state.ledger.hold(account, total, CAUSE.withdrawalHold, id);
  const master = state.users.masterOf(user);
  state.withdrawalLimits.count({ withdrawal: id, master, currency: number, amount }, state.time);
  recordWithdrawal(state, command);
  return { kind: 'added', id };
}

/** Cancels the user's unclaimed withdrawals. */
export function stopWithdrawals(state: State, user: number): void {
  for (const each of state.withdrawals.listOpenOf(user)) {
    if (each.state === 'processing') giveBack(state, each, 'cancelled');
  }
}

export function cancelWithdrawal(state: State, command: CancelWithdrawal): Rejection | null {
  const { user } = command;
  const refused = state.users.unknown(user);
  if (refused) return refused;
  const withdrawal = state.withdrawals.get(command.withdrawal);
  if (withdrawal?.user !== user) return reject('withdrawal-unknown', { withdrawal: command.withdrawal });
  return checkOpen(withdrawal) ?? checkUnclaimed(withdrawal) ?? giveBack(state, withdrawal, 'cancelled');
}

/** Rejected even for the current claimant: two people may share a name, and both would pay. */
export function claimWithdrawal(state: State, command: ClaimWithdrawal): Rejection | null {
  const withdrawal = state.withdrawals.get(command.withdrawal);
  if (!withdrawal) return reject('withdrawal-unknown', { withdrawal: command.withdrawal });
  // Freezes and address blocks that were set after the request still prevent the payment.
  const refused =
    state.users.barred(withdrawal.user, NO_WITHDRAWALS) ??
    checkOpen(withdrawal) ??
    checkUnclaimed(withdrawal) ??
    checkAddressRules(state, withdrawal);
  if (refused) return refused;
  set(state, { ...withdrawal, state: 'paying', claimedBy: command.by ?? '', claimedAt: state.time });
  return null;
}

export function unclaimWithdrawal(state: State, command: UnclaimWithdrawal): Rejection | null {
  const withdrawal = state.withdrawals.get(command.withdrawal);
  if (!withdrawal) return reject('withdrawal-unknown', { withdrawal: command.withdrawal });
  const refused = checkOpen(withdrawal) ?? checkClaimed(withdrawal) ?? checkNotBegun(withdrawal);
  if (refused) return refused;
  const { claimedBy: _, claimedAt: __, ...rest } = withdrawal;
  set(state, { ...rest, state: 'processing' });
  return null;
}

/** Idempotent: repeating a step changes nothing. */
export function advanceWithdrawal(state: State, command: AdvanceWithdrawal): Rejection | null {
  const { withdrawal: id, payment, txId } = command;
  const wrong =
    (txId === undefined ? null : checkPrintable('txId', txId, 1, TX_ID_LENGTH_MAX)) ??
    (payment === 'signed' || payment === 'broadcast'
      ? null
      : invalidValue('state', payment, 'signed or broadcast'));
  if (wrong) return wrong;
  const withdrawal = state.withdrawals.get(id);
  if (!withdrawal) return reject('withdrawal-unknown', { withdrawal: id });
  const refused = checkOpen(withdrawal) ?? checkClaimed(withdrawal);
  if (refused) return refused;
  if (withdrawal.payment === 'broadcast' && payment === 'signed') return checkNotBegun(withdrawal);
  if (withdrawal.payment === payment && (txId === undefined || txId === withdrawal.txId)) return null;
  set(state, { ...withdrawal, payment, ...(txId !== undefined && { txId }) });
  return null;
}

export function settleWithdrawal(state: State, command: SettleWithdrawal): Rejection | null {
  const wrong = checkSettlement(command);
  if (wrong) return wrong;
  const withdrawal = state.withdrawals.get(command.withdrawal);
  if (!withdrawal) return reject('withdrawal-unknown', { withdrawal: command.withdrawal });
  const { sent, txId, failureReason = '', by = '' } = command;
  const refused = checkOpen(withdrawal);
  if (refused) return refused;
  if (!sent) return checkNotOthers(withdrawal, by) ?? giveBack(state, withdrawal, 'failed', failureReason);
  const unclaimed = checkClaimed(withdrawal);
  if (unclaimed) return unclaimed;
  const { withdrawal: id, user, currency, amount, fee } = withdrawal;
  set(state, { ...withdrawal, state: 'sent', ...(txId !== undefined && { txId }) });
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

/** Only a sent withdrawal has a transaction, and only a failed one a reason. */
function checkSettlement(command: SettleWithdrawal): Rejection | null {
  const { sent, txId, failureReason } = command;
  const wrong =
    (txId === undefined ? null : checkPrintable('txId', txId, 1, TX_ID_LENGTH_MAX)) ??
    (failureReason === undefined ? null : checkLength('failureReason', failureReason, 0, FAILURE_LENGTH_MAX));
  if (wrong) return wrong;
  if (sent) {
    if (txId === undefined) return reject('field-missing', { field: 'txId', because: 'sent' });
    return failureReason === undefined
      ? null
      : reject('field-not-allowed', { field: 'failureReason', because: 'sent' });
  }
  return txId === undefined ? null : reject('field-not-allowed', { field: 'txId', because: 'not-sent' });
}

/** A fee that is deducted from the amount must be smaller than the amount. */
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

/** A fee deducted from the amount is rounded up to the currency's precision, so the rest has that precision too. */
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

/** The rate, at least the minimum, at most the maximum if there is one. */
function feeOf(chain: Chain, amount: bigint, scale: number): bigint {
  const one = BigInt(RATE_ONE);
  const byRate = (amount * rateOf(chain.withdrawFeeRate) + one - 1n) / one;
  const least = amountOf(chain.withdrawalMinFee, scale);
  const fee = byRate > least ? byRate : least;
  if (chain.withdrawMaxFee === '') return fee;
  const most = amountOf(chain.withdrawMaxFee, scale);
  return fee < most ? fee : most;
}

function giveBack(
  state: State,
  withdrawal: Withdrawal,
  next: 'failed' | 'cancelled',
  failureReason = '',
): null {
  const { payment: _, txId: __, ...unpaid } = withdrawal;
  const { withdrawal: id, user, currency, amount, fee } = withdrawal;
  set(state, { ...unpaid, state: next, ...(failureReason !== '' && { failureReason }) });
  total.setBigInt(amount + fee);
  const account = state.ledger.account(user, MAIN, currency);
  state.ledger.release(account, total, CAUSE.withdrawalRelease, id);
  state.withdrawalLimits.uncount(id);
  return null;
}

function checkOpen(withdrawal: Withdrawal): Rejection | null {
  const { withdrawal: id, state } = withdrawal;
  return isOpen(withdrawal) ? null : reject('withdrawal-closed', { withdrawal: id, state });
}

function checkUnclaimed({ withdrawal, state, claimedBy = '', claimedAt = 0 }: Withdrawal): Rejection | null {
  if (state !== 'paying') return null;
  return reject('withdrawal-claimed', { withdrawal, by: claimedBy, at: claimedAt });
}

function checkClaimed({ withdrawal, state }: Withdrawal): Rejection | null {
  return state === 'paying' ? null : reject('not-claimed', { withdrawal });
}

function checkNotBegun({ withdrawal, payment }: Withdrawal): Rejection | null {
  return payment === undefined ? null : reject('payment-begun', { withdrawal, payment });
}

/** Only the claimant may fail a claimed withdrawal: others may have read it before it was claimed. */
function checkNotOthers(withdrawal: Withdrawal, by: string): Rejection | null {
  return withdrawal.claimedBy === by ? null : checkUnclaimed(withdrawal);
}

function set(state: State, withdrawal: Withdrawal): void {
  state.withdrawals.set(withdrawal);
  if (!isOpen(withdrawal)) {
    rememberMovement(state, withdrawal.user, withdrawal.withdrawal);
    state.assignments.delete(withdrawal.withdrawal);
  }
  state.events.rare({ kind: 'withdrawal-set', ...withdrawal });
}
