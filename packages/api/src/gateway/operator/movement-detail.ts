/** Deposits, questionnaires and withdrawals in the operator API's format. */

import type { Deposit, Questionnaire, Withdrawal } from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney } from '../decimals.ts';
import { markedId, userId } from '../ids.ts';

export type DepositStatus = 'waiting' | 'review' | 'refused' | 'credited' | 'returned';
export const DEPOSIT_STATUSES: Readonly<Record<Deposit['state'], DepositStatus>> = {
  waiting: 'waiting',
  review: 'review',
  refused: 'refused',
  done: 'credited',
  returned: 'returned',
};

export function depositStatus({
  deposit,
  state,
  travelRuleId,
}: Pick<Deposit, 'deposit' | 'state' | 'travelRuleId'>) {
  return {
    depositId: markedId('deposit', deposit),
    status: DEPOSIT_STATUSES[state],
    travelRuleOId: travelRuleId === 0 ? null : markedId('travel-rule', travelRuleId),
  };
}

export function depositDetail(deposit: Deposit, catalogue: Catalogue) {
  const { code, scale } = catalogue.currencyAt(deposit.currency);
  return {
    ...depositStatus(deposit),
    failureCode: deposit.failureCode ?? null,
    userId: userId(deposit.user),
    currency: code,
    chain: deposit.chain,
    amount: formatMoney(deposit.amount, scale),
    fee: formatMoney(deposit.fee ?? 0n, scale),
    txId: deposit.txId,
    returnTxId: deposit.returnTxId ?? null,
    reversed: deposit.reversed ?? false,
  };
}

export function questionnaireDetail(questionnaire: Questionnaire) {
  return {
    orderId: markedId('questionnaire', questionnaire.questionnaire),
    travelRuleOId: markedId('travel-rule', questionnaire.travelRuleId),
    userId: userId(questionnaire.user),
    type: questionnaire.senderType,
    complianceInfo: questionnaire.info,
    status: questionnaire.state,
    failureCode: questionnaire.failureCode || null,
  };
}

export function withdrawalDetail(withdrawal: Withdrawal, catalogue: Catalogue) {
  const { code, scale } = catalogue.currencyAt(withdrawal.currency);
  return {
    withdrawalId: markedId('withdrawal', withdrawal.withdrawal),
    userId: userId(withdrawal.user),
    currency: code,
    chain: withdrawal.chain,
    amount: formatMoney(withdrawal.amount, scale),
    fee: formatMoney(withdrawal.fee, scale),
    address: withdrawal.address,
    memo: withdrawal.memo,
    status: withdrawal.state,
    claimedBy: withdrawal.claimedBy ?? null,
    claimedAt: withdrawal.claimedAt === undefined ? null : new Date(withdrawal.claimedAt).toISOString(),
    payment: withdrawal.payment ?? null,
    txId: withdrawal.txId ?? null,
    failureReason: withdrawal.failureReason ?? null,
  };
}
