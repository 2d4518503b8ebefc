/** Corrections: reversals by opposite postings, and moves of money between accounts. */

import { Amount } from '../values/amount.ts';
import type { MoneySide, MoveMoney, ReverseMovement } from '../commands/commands.ts';
import { ACCOUNT_TYPES } from '../events/event-rows.ts';
import type { CorrectionPosting } from '../events/events.ts';
import { type Correction, checkTotal } from './deposits.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';
import { checkMovement, setDeposit } from './money-in.ts';
import { CAUSE, OUTSIDE } from './ledger.ts';

const SYSTEM = -1;
const CLIENT_ID_LENGTH_MAX = 128;
const SYSTEMS: readonly string[] = ['fees', 'suspense'];
const ACCOUNTS: readonly string[] = ['main', 'trade'];
const amount = new Amount();

/** A movement that a reversal may undo. */
interface Reversible {
  readonly kind: 'deposit' | 'withdrawal' | 'correction';
  readonly id: number;
  readonly currency: number;
  readonly amount: bigint;
  /** The opposite postings, without those of zero. */
  readonly postings: readonly CorrectionPosting[];
  /** The state that prevents a reversal; null if it can be reversed. */
  readonly state: string | null;
  /** The deposit that the reversal marks as reversed, or as valid again. */
  readonly deposit?: number;
}

export function reverseMovement(state: State, command: ReverseMovement): Rejection | number {
  const { deposit, withdrawal, correction } = command;
  const named = [deposit, withdrawal, correction].filter((each) => each !== undefined);
  if (named.length !== 1) return reject('field-missing', { field: 'depositId', because: 'one-movement' });
  const found = findReversible(state, command);
  if ('code' in found) return found;
  const { id } = found;
  const by = state.corrections.reversalOf(id);
  if (by !== null) return reject('reversed', { id, correction: by });
  if (found.state !== null) return reject('not-reversible', { id, state: found.state });
  const short =
    checkTxId(state, found) ??
    checkOpen(state, found.postings) ??
    checkTotals(state, found.currency, found.postings) ??
    checkFunds(state, found.currency, found.postings);
  if (short) return short;
  const made = post(state, {
    type: 'reverse',
    currency: found.currency,
    amount: found.amount,
    postings: found.postings,
    reverses: { kind: found.kind, id },
    ...(found.deposit !== undefined && { deposit: found.deposit }),
  });
  if (found.deposit !== undefined) toggle(state, found.deposit);
  return made;
}

export function moveMoney(state: State, command: MoveMoney): Rejection | number {
  const { currency, amount: value, from, to, clientId } = command;
  const refused =
    checkSideUser(state, from) ??
    checkSideUser(state, to) ??
    state.currencies.unknown(currency) ??
    (clientId === undefined ? null : checkPrintable('clientId', clientId, 1, CLIENT_ID_LENGTH_MAX)) ??
    checkSide('from', from) ??
    checkSide('to', to) ??
    (value > 0n ? null : invalidValue('amount', value, 'above 0')) ??
    checkMovement(state.currencies.all[currency], value);
  if (refused) return refused;
  const [source, target] = [sideOf(from, -value), sideOf(to, value)];
  if (source.user === target.user && source.account === target.account) {
    return invalidValue('to', target.account, 'an account other than from');
  }
  const postings = [source, target];
  const before = clientId === undefined ? null : state.corrections.ofClientId(clientId);
  if (before) {
    const isSame =
      before.currency === currency && before.postings.every((each, at) => isEqual(each, postings[at]));
    return isSame
      ? before.correction
      : reject('transfer-conflict', { clientId: clientId as string, transfer: before.correction });
  }
  const short = checkOpen(state, postings) ?? checkFunds(state, currency, postings);
  if (short) return short;
  return post(state, {
    type: 'move',
    currency,
    amount: value,
    postings,
    ...(clientId !== undefined && { clientId }),
  });
}

const isEqual = (a: CorrectionPosting, b: CorrectionPosting): boolean =>
  a.user === b.user && a.account === b.account && a.change === b.change;

function findReversible(state: State, command: ReverseMovement): Reversible | Rejection {
  const { deposit: depositId, withdrawal: withdrawalId, correction: correctionId = 0 } = command;
  if (depositId !== undefined) {
    const found = state.deposits.get(depositId);
    if (!found) return reject('deposit-unknown', { deposit: depositId });
    const { user, currency, amount: value, fee = 0n } = found;
    return {
      kind: 'deposit',
      id: depositId,
      currency,
      amount: value,
      postings: withoutNothing([
        { user, account: 'main', change: fee - value },
        { user: SYSTEM, account: 'fees', change: -fee },
        { user: SYSTEM, account: 'outside', change: value },
      ]),
      state: found.state === 'done' ? null : found.state,
      deposit: depositId,
    };
  }
  if (withdrawalId !== undefined) {
    const found = state.withdrawals.get(withdrawalId);
    if (!found) return reject('withdrawal-unknown', { withdrawal: withdrawalId });
    const { user, currency, amount: value, fee } = found;
    return {
      kind: 'withdrawal',
      id: withdrawalId,
      currency,
      amount: value,
      postings: withoutNothing([
        { user: SYSTEM, account: 'outside', change: -value },
        { user: SYSTEM, account: 'fees', change: -fee },
        { user, account: 'main', change: value + fee },
      ]),
      state: found.state === 'sent' ? null : found.state,
    };
  }
  const found = state.corrections.get(correctionId);
  if (!found) return reject('correction-unknown', { correction: correctionId });
  const { currency, amount: value, postings, deposit } = found;
  return {
    kind: 'correction',
    id: correctionId,
    currency,
    amount: value,
    postings: postings.map((each) => ({ ...each, change: -each.change })),
    state: null,
    ...(deposit !== undefined && { deposit }),
  };
}

const withoutNothing = (postings: CorrectionPosting[]): CorrectionPosting[] =>
  postings.filter(({ change }) => change !== 0n);

/** Rejects reversing a deposit's reversal if the same transaction has been reported again since. */
function checkTxId({ deposits }: State, { deposit = 0 }: Reversible): Rejection | null {
  const found = deposits.get(deposit);
  if (!found?.reversed) return null;
  const { txId } = found;
  const other = deposits.reported(txId);
  return other ? reject('deposit-conflict', { txId, deposit: other.deposit }) : null;
}

function toggle(state: State, id: number): void {
  const found = state.deposits.get(id);
  if (!found) return;
  const { reversed, ...deposit } = found;
  setDeposit(state, reversed ? deposit : { ...deposit, reversed: true });
}

function checkSideUser({ users }: State, side: MoneySide): Rejection | null {
  return 'user' in side ? users.unknown(side.user) : null;
}

function checkSide(field: string, side: MoneySide): Rejection | null {
  if ('user' in side) {
    return ACCOUNTS.includes(side.account) ? null : invalidValue(field, side.account, ACCOUNTS.join(', '));
  }
  return SYSTEMS.includes(side.system) ? null : invalidValue(field, side.system, SYSTEMS.join(', '));
}

const sideOf = (side: MoneySide, change: bigint): CorrectionPosting =>
  'user' in side
    ? { user: side.user, account: side.account, change }
    : { user: SYSTEM, account: side.system, change };

/** A closed user cannot be credited. */
function checkOpen({ users }: State, postings: readonly CorrectionPosting[]): Rejection | null {
  const closed = postings.find(({ user, change }) => user >= 0 && change > 0n && users.all[user].closed);
  return closed ? reject('user-closed', { user: closed.user }) : null;
}

/** The total supply of a currency is bounded, even when money comes back in. */
function checkTotals(
  { ledger }: State,
  currency: number,
  postings: readonly CorrectionPosting[],
): Rejection | null {
  const back = postings.find(({ account, change }) => account === 'outside' && change < 0n);
  if (!back) return null;
  ledger.readAvailable(ledger.system(OUTSIDE, currency), amount);
  return checkTotal(amount, -back.change);
}

/** Only available balances can be debited; `outside` always has enough. */
function checkFunds(
  { ledger }: State,
  currency: number,
  postings: readonly CorrectionPosting[],
): Rejection | null {
  for (const { user, account, change } of postings) {
    if (change > 0n || account === 'outside') continue;
    ledger.readAvailable(ledger.account(user, ACCOUNT_TYPES.indexOf(account), currency), amount);
    const available = amount.toBigInt();
    const need = -change;
    if (need > available) return reject('insufficient', { user, account, currency, need, available });
  }
  return null;
}

function post(state: State, made: Omit<Correction, 'correction'>): number {
  const { ledger } = state;
  const correction = { correction: state.newId(), ...made };
  state.corrections.add(correction);
  state.events.rare({ kind: 'correction-made', ...correction });
  for (const { user, account, change } of made.postings) {
    const number = ledger.account(user, ACCOUNT_TYPES.indexOf(account), made.currency);
    amount.setBigInt(change < 0n ? -change : change);
    if (change < 0n) ledger.debit(number, amount, CAUSE.correction, correction.correction);
    else ledger.credit(number, amount, CAUSE.correction, correction.correction, 0);
  }
  return correction.correction;
}
