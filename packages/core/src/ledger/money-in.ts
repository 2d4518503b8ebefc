/** Inbound money: deposit addresses, deposits and their questionnaires. */

import type {
  AddAddress,
  AskAddress,
  Chain,
  DecideQuestionnaire,
  LoadAddresses,
  ReportDeposit,
  ReturnDeposit,
  SubmitQuestionnaire,
} from '../commands/commands.ts';
import type { AddedOutcome, DepositOutcome } from '../commands/outcomes.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import { type Address, type Owned, placeKey } from './custody.ts';
import {
  checkTotal,
  checkTxId,
  type Deposit,
  isOpen,
  isSameDeposit,
  type Questionnaire,
} from './deposits.ts';
import { CAUSE, FEES, MAIN, OUTSIDE, WAITING } from './ledger.ts';
import {
  amountOf,
  type Currency,
  findChain,
  movementUnit,
  rateOf,
  unknownChain,
} from '../reference/currencies.ts';
import type { State } from '../state.ts';
import { Amount, RATE_ONE } from '../values/amount.ts';
import { bigNeighbours, checkPrintable, invalidValue, pick } from '../values/checks.ts';

const amount = new Amount();
const outside = new Amount();

export function reportDeposit(state: State, command: ReportDeposit): DepositOutcome | Rejection {
  const { user, currency, chain, txId, travelRule } = command;
  const refused =
    state.users.unknown(user) ??
    state.currencies.unknown(currency) ??
    unknownChain(state.currencies.all[currency], chain) ??
    checkTxId(txId);
  if (refused) return refused;
  const undone = state.deposits.reversed(command);
  if (undone) {
    const { deposit: id } = undone;
    return reject('reversed', { id, correction: state.corrections.reversalOf(id) ?? 0 });
  }
  const before = state.deposits.reported(txId);
  if (before) {
    if (isSameDeposit(before, command)) return outcomeOf(before);
    return reject('deposit-conflict', { txId, deposit: before.deposit });
  }
  const wrong = state.users.closed(user) ?? checkDeposit(state, command);
  if (wrong) return wrong;

  const fee = depositFee(state, command);
  const deposit: Deposit = {
    deposit: state.newId(),
    user,
    currency,
    chain,
    amount: command.amount,
    txId,
    state: travelRule ? 'waiting' : 'done',
    travelRuleId: travelRule ? state.newId() : 0,
    ...(fee > 0n && { fee }),
  };
  setDeposit(state, deposit);
  const { ledger } = state;
  amount.setBigInt(deposit.amount);
  ledger.debit(ledger.system(OUTSIDE, currency), amount, CAUSE.deposit, deposit.deposit);
  if (travelRule) ledger.credit(ledger.system(WAITING, currency), amount, CAUSE.deposit, deposit.deposit, 0);
  else credit(state, deposit);
  return outcomeOf(deposit);
}

/** Uses the rate when the deposit is reported, whenever it is credited. Rounded up to the currency's precision. */
function depositFee(state: State, command: ReportDeposit): bigint {
  const { amount: value, isTestMoney = false } = command;
  if (isTestMoney) return 0n;
  const currency = state.currencies.all[command.currency];
  const { depositFeeRate } = findChain(currency, command.chain) as Chain;
  const step = BigInt(RATE_ONE) * movementUnit(currency);
  const fee = ((value * rateOf(depositFeeRate) + step - 1n) / step) * movementUnit(currency);
  return fee < value ? fee : value;
}

/** Credits the deposit minus its fee. */
function credit({ ledger }: State, { deposit, user, currency, amount: value, fee = 0n }: Deposit): void {
  if (fee < value) {
    amount.setBigInt(value - fee);
    ledger.credit(ledger.account(user, MAIN, currency), amount, CAUSE.deposit, deposit, 0);
  }
  if (fee === 0n) return;
  amount.setBigInt(fee);
  ledger.credit(ledger.system(FEES, currency), amount, CAUSE.deposit, deposit, 0);
}

function checkDeposit(state: State, command: ReportDeposit): Rejection | null {
  const { currency: number, chain: chainId, amount: value, isTestMoney = false } = command;
  const currency = state.currencies.all[number];
  const chain = findChain(currency, chainId) as Chain;
  if (!chain.isDepositEnabled && !isTestMoney)
    return reject('deposit-disabled', { currency: number, chain: chainId });
  const refused = checkMovement(currency, value);
  if (refused) return refused;
  const min = amountOf(chain.depositMinSize, currency.scale);
  if (value < min && !isTestMoney) return reject('amount-below-min', { value, min });
  state.ledger.readAvailable(state.ledger.system(OUTSIDE, number), outside);
  return checkTotal(outside, value);
}

export function submitQuestionnaire(state: State, command: SubmitQuestionnaire): AddedOutcome | Rejection {
  const { user, travelRuleId, senderType, info } = command;
  const refused =
    state.users.unknown(user) ?? state.users.frozen(user) ?? state.deposits.checkSubmit(command);
  if (refused) return refused;
  const id = state.newId();
  setQuestionnaire(state, {
    questionnaire: id,
    travelRuleId,
    user,
    senderType,
    info,
    state: 'pending',
    failureCode: '',
  });
  review(state, travelRuleId, 'review');
  return { kind: 'added', id };
}

export function decideQuestionnaire(state: State, command: DecideQuestionnaire): Rejection | null {
  const { accepted, failureCode } = command;
  const refused = state.deposits.checkDecision(command);
  if (refused) return refused;
  const questionnaire = state.deposits.questionnaire(command.questionnaire) as Questionnaire;
  if (!accepted) {
    setQuestionnaire(state, { ...questionnaire, state: 'fail', failureCode });
    review(state, questionnaire.travelRuleId, 'refused', failureCode);
    return null;
  }
  setQuestionnaire(state, { ...questionnaire, state: 'success' });
  const deposit = state.deposits.ofTravelRule(questionnaire.travelRuleId) as Deposit;
  setDeposit(state, { ...withoutFailure(deposit), state: 'done' });
  amount.setBigInt(deposit.amount);
  state.ledger.debit(state.ledger.system(WAITING, deposit.currency), amount, CAUSE.deposit, deposit.deposit);
  credit(state, deposit);
  return null;
}

/** Returns a deposit that was refused, or whose questionnaire was not submitted. */
export function returnDeposit(state: State, { deposit: id, txId }: ReturnDeposit): Rejection | null {
  const wrong = txId === undefined ? null : checkTxId(txId);
  if (wrong) return wrong;
  const deposit = state.deposits.get(id);
  if (!deposit) return reject('deposit-unknown', { deposit: id });
  const { state: before, currency } = deposit;
  if (before !== 'refused' && before !== 'waiting') {
    return reject('not-returnable', { deposit: id, state: before });
  }
  setDeposit(state, {
    ...deposit,
    state: 'returned',
    ...(txId !== undefined && { returnTxId: txId }),
  });
  const { ledger } = state;
  amount.setBigInt(deposit.amount);
  ledger.debit(ledger.system(WAITING, currency), amount, CAUSE.deposit, id);
  ledger.credit(ledger.system(OUTSIDE, currency), amount, CAUSE.deposit, id, 0);
  return null;
}

/** An amount that moves is a positive multiple of the currency's precision. */
export function checkMovement(currency: Currency, value: bigint): Rejection | null {
  const unit = movementUnit(currency);
  if (value > 0n && value % unit === 0n) return null;
  return reject('amount-increment', { value, ...bigNeighbours(value, unit) });
}

/** Updates the review state of a waiting deposit; `failureCode` only if it was refused. */
function review(state: State, travelRuleId: number, next: 'review' | 'refused', failureCode = ''): void {
  const deposit = withoutFailure(state.deposits.ofTravelRule(travelRuleId) as Deposit);
  setDeposit(state, { ...deposit, state: next, ...(failureCode !== '' && { failureCode }) });
}

function withoutFailure(deposit: Deposit): Deposit {
  const { failureCode: _, ...rest } = deposit;
  return rest;
}

export function setDeposit(state: State, deposit: Deposit): void {
  state.deposits.set(deposit);
  if (!isOpen(deposit)) state.assignments.delete(deposit.deposit);
  state.events.rare({ kind: 'deposit-set', ...deposit });
}

function setQuestionnaire(state: State, questionnaire: Questionnaire): void {
  state.deposits.setQuestionnaire(questionnaire);
  if (questionnaire.state !== 'pending') state.assignments.delete(questionnaire.questionnaire);
  state.events.rare({ kind: 'questionnaire-set', ...questionnaire });
}

function outcomeOf({ deposit, state, travelRuleId }: Deposit): DepositOutcome {
  return { kind: 'deposit', deposit, state, travelRuleId };
}

// Deposit addresses: assign one to a user, request one, load a list.

const ADDRESS_LENGTH_MAX = 128;
const MEMO_LENGTH_MAX = 64;
const CHAIN_LENGTH_MAX = 64;
const LOADED_MAX = 1000;
/** For all chains together. */
const FREE_MAX = 100_000;
const FIELDS = [
  'user',
  'currency',
  'chain',
  'address',
  'memo',
  'index',
] as const satisfies readonly (keyof AddAddress)[];

const checkAddress = ({ address, memo }: Pick<AddAddress, 'address' | 'memo'>): Rejection | null =>
  checkPrintable('address', address, 1, ADDRESS_LENGTH_MAX) ??
  checkPrintable('memo', memo, 0, MEMO_LENGTH_MAX);

const addressOf = (command: AddAddress): Address => pick(command, FIELDS);

export function addAddress(state: State, command: AddAddress): Rejection | null {
  const { user, currency, chain, address, index, replaces } = command;
  const refused = unknownOwner(state, command) ?? checkAddress(command);
  if (refused) return refused;
  const { addresses } = state;
  const before = addresses.find(user, currency, chain);
  // An address derived from the key keeps its index permanently.
  const isReplaced = before?.index === undefined && before?.address === replaces;
  if (before && !isReplaced) {
    return reject('address-taken', { currency, chain, address: before.address });
  }
  const owner = addresses.ownerOf(command);
  if (owner !== undefined && owner !== user) return reject('address-in-use', { chain, address });
  const next = addresses.nextIndex(chain);
  if (index !== undefined && index !== next) return reject('address-index', { chain, next });
  const disabled = checkEnabled(state, command);
  if (disabled) return disabled;
  const added = addressOf(command);
  addresses.add(added);
  state.events.rare({ kind: 'address-set', ...added });
  return null;
}

/** Loads all of them or none. */
export function loadAddresses(state: State, { chain, addresses }: LoadAddresses): Rejection | null {
  const wrong = checkPrintable('chain', chain, 1, CHAIN_LENGTH_MAX);
  if (wrong) return wrong;
  const { length } = addresses;
  if (length < 1 || length > LOADED_MAX) {
    return invalidValue('addresses', length, `from 1 to ${LOADED_MAX} addresses`);
  }
  if (state.addresses.freeCount + length > FREE_MAX) {
    return invalidValue('addresses', length, `at most ${FREE_MAX} unassigned addresses`);
  }
  const places = addresses.map(({ address, memo }) => ({ chain, address, memo }));
  for (const place of places) {
    const refused = checkAddress(place);
    if (refused) return refused;
  }
  const seen = new Set<string>();
  for (const place of places) {
    const isKnown = state.addresses.ownerOf(place) !== undefined || state.addresses.isFree(place);
    if (isKnown || seen.has(placeKey(place)))
      return reject('address-in-use', { chain, address: place.address });
    seen.add(placeKey(place));
  }
  for (const place of places) state.addresses.load(place);
  return null;
}

/** Idempotent. */
export function askAddress(state: State, { user, currency, chain }: AskAddress): Rejection | null {
  const asked = { user, currency, chain };
  const refused = unknownOwner(state, asked);
  if (refused) return refused;
  const before = state.addresses.find(user, currency, chain);
  if (before) return reject('address-taken', { currency, chain, address: before.address });
  const disabled = checkEnabled(state, asked);
  if (disabled) return disabled;
  state.addresses.ask(asked);
  return null;
}

const unknownOwner = (state: State, { user, currency, chain }: Owned): Rejection | null =>
  state.users.unknown(user) ??
  state.users.frozen(user) ??
  state.currencies.unknown(currency) ??
  unknownChain(state.currencies.all[currency], chain);

function checkEnabled(state: State, { currency, chain }: Owned): Rejection | null {
  const isEnabled = findChain(state.currencies.all[currency], chain)?.isDepositEnabled ?? false;
  return isEnabled ? null : reject('deposit-disabled', { currency, chain });
}
