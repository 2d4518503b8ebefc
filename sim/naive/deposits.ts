/** Deposits, and Travel Rule questionnaires that hold some of them up. */

import type {
  Chain,
  DecideQuestionnaire,
  ReportDeposit,
  SubmitQuestionnaire,
} from '../../packages/core/src/commands/commands.ts';
import type { DepositOutcome, Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { divideUp, inUnits, parseDecimal, RATE_ONE } from './decimal.ts';
import { balanceOf, SYSTEM, post } from './ledger.ts';
import {
  accepted,
  checkAmount,
  checkChain,
  checkCurrency,
  checkOneOf,
  checkText,
  checkUser,
  checkNotClosed,
  checkNotFrozen,
  refuse,
  refused,
} from './refusal.ts';
import { takeId, type Currency, type Deposit, type Questionnaire, type State } from './state.ts';

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
