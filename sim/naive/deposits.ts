/** Deposit addresses, deposits, and Travel Rule questionnaires that hold some of them up. */

import type {
  AddAddress,
  AskAddress,
  Chain,
  DecideQuestionnaire,
  LoadAddresses,
  ReportDeposit,
  SubmitQuestionnaire,
} from '../../packages/core/src/commands/commands.ts';
import type { DepositOutcome, Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import { divideUp, inUnits, parseDecimal, RATE_ONE } from './decimal.ts';
import { balanceOf, post, SYSTEM } from './ledger.ts';
import {
  accepted,
  checkAmount,
  checkChain,
  checkCurrency,
  checkNotClosed,
  checkNotFrozen,
  checkOneOf,
  checkText,
  checkUser,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import { type Currency, type Deposit, type Questionnaire, type State, takeId } from './state.ts';

function checkOwner(state: State, { user, currency, chain }: AskAddress | AddAddress): Rejection | null {
  return (
    checkUser(state, user) ??
    checkNotFrozen(state, user) ??
    checkCurrency(state, currency) ??
    checkChain(state.currencies[currency]!, chain)
  );
}

const checkPlace = (address: string, memo: string): Rejection | null =>
  checkText('address', address, 1, 128, 'printable') ?? checkText('memo', memo, 0, 64, 'printable');

const isEnabled = (state: State, { currency, chain }: AskAddress | AddAddress): boolean =>
  state.currencies[currency]!.chains.find((each) => each.chainId === chain)!.isDepositEnabled;

const isPlace =
  (chain: string, address: string, memo: string) =>
  (each: { chain: string; address: string; memo: string }): boolean =>
    each.chain === chain && each.address === address && each.memo === memo;

export function addAddress(state: State, command: AddAddress): Outcome {
  const { user, currency, chain, address, memo, index, replaces } = command;
  const wrong = checkOwner(state, command) ?? checkPlace(address, memo);
  if (wrong !== null) return refused(wrong);

  const isSame = (each: { user: number; currency: number; chain: string }): boolean =>
    each.user === user && each.currency === currency && each.chain === chain;
  const before = state.addresses.find(isSame);
  if (before !== undefined && (before.index !== undefined || before.address !== replaces)) {
    return refuse('address-taken', { currency, chain, address: before.address });
  }
  const others = state.addresses.filter(isPlace(chain, address, memo)).some((each) => each.user !== user);
  if (others) return refuse('address-in-use', { chain, address });
  const indexes = state.addresses.filter((each) => each.chain === chain).map((each) => each.index ?? -1);
  const next = Math.max(-1, ...indexes) + 1;
  if (index !== undefined && index !== next) return refuse('address-index', { chain, next });
  if (!isEnabled(state, command)) return refuse('deposit-disabled', { currency, chain });
  const added = {
    kind: 'address-set',
    user,
    currency,
    chain,
    address,
    memo,
    ...(index !== undefined && { index }),
  } as const;
  if (before !== undefined) state.addresses.splice(state.addresses.indexOf(before), 1);
  state.addresses.push(added);
  state.freeAddresses = state.freeAddresses.filter((each) => !isPlace(chain, address, memo)(each));
  state.events.push(added);
  return accepted;
}

export function loadAddresses(state: State, { chain, addresses }: LoadAddresses): Outcome {
  const badChain = checkText('chain', chain, 1, 64, 'printable');
  if (badChain !== null) return refused(badChain);
  const count = addresses.length;
  if (count < 1 || count > 1000) return refused(valueInvalid('addresses', count, '1 to 1000'));
  if (state.freeAddresses.length + count > 100_000) return refused(valueInvalid('addresses', count, 'fewer'));
  for (const { address, memo } of addresses) {
    const wrong = checkPlace(address, memo);
    if (wrong !== null) return refused(wrong);
  }
  const loaded: { chain: string; address: string; memo: string }[] = [];
  for (const { address, memo } of addresses) {
    const known = [...state.addresses, ...state.freeAddresses, ...loaded];
    if (known.some(isPlace(chain, address, memo))) return refuse('address-in-use', { chain, address });
    loaded.push({ chain, address, memo });
  }
  state.freeAddresses.push(...loaded);
  return accepted;
}

/** The naive exchange does not track requests for addresses. */
export function askAddress(state: State, command: AskAddress): Outcome {
  const { user, currency, chain } = command;
  const wrong = checkOwner(state, command);
  if (wrong !== null) return refused(wrong);
  const before = state.addresses.find(
    (each) => each.user === user && each.currency === currency && each.chain === chain,
  );
  if (before !== undefined) return refuse('address-taken', { currency, chain, address: before.address });
  return isEnabled(state, command) ? accepted : refuse('deposit-disabled', { currency, chain });
}

// Deposits, and Travel Rule questionnaires that hold some of them up.

/** The sum of all amounts of a currency. */
export const AMOUNTS_MAX = 2n ** 100n;

export function reportDeposit(state: State, command: ReportDeposit): Outcome {
  const { user, amount, txId, travelRule } = command;
  const unknown = checkUser(state, user) ?? checkCurrency(state, command.currency);
  if (unknown !== null) return refused(unknown);
  const currency = state.currencies[command.currency]!;
  const unfit = checkChain(currency, command.chain) ?? checkText('txId', txId, 1, 128, 'printable');
  if (unfit !== null) return refused(unfit);

  const undone = [...state.deposits.values()].find(
    (each) => each.reversed && each.txId === txId && isSameDeposit(each, command),
  );
  if (undone !== undefined) {
    const by = state.corrections.find(({ reverses }) => reverses?.id === undone.id);
    return refuse('reversed', { id: undone.id, correction: by?.correction ?? 0 });
  }
  const first = state.deposits.get(txId);
  if (first !== undefined) {
    if (isSameDeposit(first, command)) return outcomeOf(first);
    return refuse('deposit-conflict', { txId, deposit: first.id });
  }
  const over = checkNotClosed(state, user);
  if (over !== null) return refused(over);
  const chain = currency.chains.find((each) => each.chainId === command.chain)!;
  if (!chain.isDepositEnabled && !command.isTestMoney) {
    return refuse('deposit-disabled', { currency: currency.number, chain: command.chain });
  }
  const wrong = checkAmount(currency, amount);
  if (wrong !== null) return refused(wrong);
  const min =
    chain.depositMinSize === null ? 0n : inUnits(parseDecimal(chain.depositMinSize)!, currency.scale)!;
  if (amount < min && !command.isTestMoney) return refuse('amount-below-min', { value: amount, min });
  // Everything inside came from `outside`, so its debt is the sum of all other accounts.
  const max = AMOUNTS_MAX + balanceOf(state, SYSTEM, 'outside', currency.number).available;
  if (amount > max) return refuse('amount-above-max', { value: amount, max });

  const id = takeId(state);
  const travelRuleId = travelRule ? takeId(state) : 0;
  const depositState = travelRule ? 'waiting' : 'done';
  const deposit: Deposit = {
    id,
    user,
    currency: currency.number,
    chain: command.chain,
    amount,
    txId,
    state: depositState,
    travelRuleId,
    questionnaires: [],
  };
  const fee = command.isTestMoney ? 0n : depositFee(chain, currency, amount);
  if (fee > 0n) deposit.fee = fee;
  state.deposits.set(txId, deposit);
  emitDeposit(state, deposit);
  const of = { currency: currency.number, cause: 'deposit', reference: id } as const;
  post(state, { ...of, user: SYSTEM, account: 'outside', available: -amount });
  if (travelRule) post(state, { ...of, user: SYSTEM, account: 'waiting', available: amount });
  else creditDeposit(state, deposit);
  return outcomeOf(deposit);
}

/** Rounded up to the currency's precision, and at most the whole amount. */
function depositFee(chain: Chain, currency: Currency, amount: bigint): bigint {
  const rate = chain.depositFeeRate ? inUnits(parseDecimal(chain.depositFeeRate)!, 8)! : 0n;
  const step = 10n ** BigInt(currency.scale - currency.precision);
  const fee = divideUp(amount * rate, RATE_ONE * step) * step;
  return fee > amount ? amount : fee;
}

function creditDeposit(state: State, { id, user, currency, amount, fee = 0n }: Deposit): void {
  const of = { currency, cause: 'deposit', reference: id } as const;
  if (amount > fee) post(state, { ...of, user, account: 'main', available: amount - fee });
  if (fee > 0n) post(state, { ...of, user: SYSTEM, account: 'fees', available: fee });
}

/** The deposit as it is now. */
function outcomeOf({ id, state, travelRuleId }: Deposit): DepositOutcome {
  return { kind: 'deposit', deposit: id, state, travelRuleId };
}

function isSameDeposit(first: Deposit, command: ReportDeposit): boolean {
  return (
    first.user === command.user &&
    first.currency === command.currency &&
    first.chain === command.chain &&
    first.amount === command.amount &&
    first.travelRuleId > 0 === command.travelRule
  );
}

export function emitDeposit(state: State, deposit: Deposit): void {
  state.events.push({
    kind: 'deposit-set',
    deposit: deposit.id,
    user: deposit.user,
    currency: deposit.currency,
    chain: deposit.chain,
    amount: deposit.amount,
    txId: deposit.txId,
    state: deposit.state,
    travelRuleId: deposit.travelRuleId,
    ...(deposit.fee !== undefined && { fee: deposit.fee }),
    ...(deposit.failureCode !== undefined && { failureCode: deposit.failureCode }),
    ...(deposit.returnTxId !== undefined && { returnTxId: deposit.returnTxId }),
    ...(deposit.reversed && { reversed: true as const }),
  });
}

function emitQuestionnaire(state: State, questionnaire: Questionnaire): void {
  state.events.push({
    kind: 'questionnaire-set',
    questionnaire: questionnaire.id,
    travelRuleId: questionnaire.travelRuleId,
    user: questionnaire.user,
    senderType: questionnaire.senderType,
    info: questionnaire.info,
    state: questionnaire.state,
    failureCode: questionnaire.failureCode,
  });
}

export function submitQuestionnaire(state: State, command: SubmitQuestionnaire): Outcome {
  const { user, travelRuleId, senderType, info } = command;
  const wrong =
    checkUser(state, user) ??
    checkNotFrozen(state, user) ??
    checkText('info', info, 1, 10_000, 'any') ??
    checkOneOf('senderType', senderType, ['individual', 'company']);
  if (wrong !== null) return refused(wrong);
  const deposit = [...state.deposits.values()].find(
    (each) => each.user === user && each.travelRuleId > 0 && each.travelRuleId === travelRuleId,
  );
  if (deposit === undefined) return refuse('deposit-unknown', { travelRuleId });
  const latest = deposit.questionnaires.at(-1);
  if (deposit.state === 'returned') {
    return refuse('questionnaire-closed', { questionnaire: latest?.id ?? 0, state: 'returned' });
  }
  if (latest !== undefined && latest.state !== 'fail') {
    return refuse('questionnaire-closed', { questionnaire: latest.id, state: latest.state });
  }
  const id = takeId(state);
  const questionnaire: Questionnaire = {
    id,
    deposit,
    travelRuleId,
    user,
    senderType,
    info,
    state: 'pending',
    failureCode: '',
  };
  deposit.questionnaires.push(questionnaire);
  state.questionnaires.set(id, questionnaire);
  emitQuestionnaire(state, questionnaire);
  deposit.state = 'review';
  delete deposit.failureCode;
  emitDeposit(state, deposit);
  return { kind: 'added', id };
}

export function decideQuestionnaire(state: State, command: DecideQuestionnaire): Outcome {
  const { questionnaire: id, failureCode } = command;
  const wrong = checkText('failureCode', failureCode, command.accepted ? 0 : 1, 64, 'printable');
  if (wrong !== null) return refused(wrong);
  const questionnaire = state.questionnaires.get(id);
  if (questionnaire === undefined) return refuse('questionnaire-unknown', { questionnaire: id });
  if (questionnaire.state !== 'pending') {
    return refuse('questionnaire-closed', { questionnaire: id, state: questionnaire.state });
  }
  questionnaire.state = command.accepted ? 'success' : 'fail';
  questionnaire.failureCode = command.accepted ? '' : failureCode;
  emitQuestionnaire(state, questionnaire);
  const { deposit } = questionnaire;
  if (!command.accepted) {
    deposit.state = 'refused';
    deposit.failureCode = failureCode;
    emitDeposit(state, deposit);
    return accepted;
  }

  deposit.state = 'done';
  delete deposit.failureCode;
  emitDeposit(state, deposit);
  const of = { currency: deposit.currency, cause: 'deposit', reference: deposit.id } as const;
  post(state, { ...of, user: SYSTEM, account: 'waiting', available: -deposit.amount });
  creditDeposit(state, deposit);
  return accepted;
}
