/**
 * What operators report about external money movements (deposits, questionnaires, withdrawals), and how the operator
 * API shows them.
 */

import type { Administration, Deposit, Questionnaire, Withdrawal } from '@bourse/core';
import { EVERYBODY } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney } from '../decimals.ts';
import { markedId, userId } from '../ids.ts';
import { line, Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findChain, findCurrency, findMarked, findUser, parseAmount, unknownId } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const Text = Type.String();
const ANY_CURRENCY = '*';
const FAILURE_LENGTH_MAX = 256;

export const MONEY_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'report-deposit',
    method: 'POST',
    path: '/v1/deposits',
    roles: ['finance', 'custodian'],
    policy: 'above',
    summary:
      'Reports a deposit; the same txId again is the same deposit. With `travelRule` it waits for a questionnaire.',
    body: {
      userId: Text,
      currency: Text,
      chain: Type.Optional(Text),
      amount: Text,
      txId: Type.String({ minLength: 1, maxLength: 128 }),
      travelRule: Type.Optional(Type.Boolean()),
    },
    async handle({ services, body, act }) {
      const { number: user } = findUser(services, body.userId);
      const currency = findCurrency(services, body.currency);
      const { chainId: chain } = findChain(currency, body.chain);
      const amount = parseAmount(body.amount, currency, currency.precision);
      checkCap(services, currency.code, amount, currency.scale);
      const { txId, travelRule = false } = body;
      const outcome = await act({
        kind: 'report-deposit',
        user,
        currency: currency.number,
        chain,
        amount,
        txId,
        travelRule,
      });
      if (outcome.kind !== 'deposit') throw new Error(`unexpected outcome '${outcome.kind}' of a deposit`);
      return depositStatus(outcome);
    },
  }),
  operatorRoute({
    id: 'get-deposit',
    method: 'GET',
    path: '/v1/deposits/:depositId',
    summary: 'The current state of a deposit.',
    params: { depositId: Text },
    handle: ({ services, params }) => readDeposit(services, params.depositId),
  }),
  operatorRoute({
    id: 'return-deposit',
    method: 'POST',
    path: '/v1/deposits/:depositId/return',
    roles: ['finance'],
    policy: 'above',
    mayBeEmpty: true,
    summary:
      'Reports that a refused or pending deposit was sent back, optionally with the `txId` of that payment.',
    params: { depositId: Text },
    body: { txId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })) },
    async handle({ services, params, body, act }) {
      const deposit = findMarked('deposit', params.depositId);
      const { txId } = body;
      await act({ kind: 'return-deposit', deposit, ...(txId !== undefined && { txId }) });
      return readDeposit(services, params.depositId);
    },
  }),
  operatorRoute({
    id: 'get-questionnaire',
    method: 'GET',
    path: '/v1/questionnaires/:orderId',
    summary: 'A questionnaire with its answers and its deposit.',
    params: { orderId: Text },
    handle: ({ services, params }) => readQuestionnaire(services, params.orderId),
  }),
  operatorRoute({
    id: 'decide-questionnaire',
    method: 'POST',
    path: '/v1/questionnaires/:orderId/decision',
    roles: ['compliance'],
    policy: 'above',
    summary:
      'Accepts the questionnaire, which credits the deposit, or fails it; then it may be submitted again.',
    params: { orderId: Text },
    body: {
      status: Type.Union([Type.Literal('success'), Type.Literal('fail')]),
      failureCode: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
    },
    async handle({ services, params, body, act }) {
      const questionnaire = findMarked('questionnaire', params.orderId);
      const accepted = body.status === 'success';
      const failureCode = body.failureCode ?? '';
      if (!accepted && failureCode === '') {
        const msg = 'failureCode: required for a questionnaire that fails, such as "sender-unclear".';
        throw operatorRefusal('field-missing', msg);
      }
      await act({
        kind: 'decide-questionnaire',
        questionnaire,
        accepted,
        failureCode: accepted ? '' : failureCode,
      });
      return readQuestionnaire(services, params.orderId);
    },
  }),
  operatorRoute({
    id: 'get-withdrawal',
    method: 'GET',
    path: '/v1/withdrawals/:withdrawalId',
    summary: 'The current state of a withdrawal.',
    params: { withdrawalId: Text },
    handle: ({ services, params }) => readWithdrawal(services, params.withdrawalId),
  }),
  operatorRoute({
    id: 'claim-withdrawal',
    method: 'POST',
    path: '/v1/withdrawals/:withdrawalId/claim',
    roles: ['finance', 'custodian'],
    policy: 'above',
    summary:
      'Claims the withdrawal before it is paid: `paying`. The user can no longer cancel it, and nobody else claims it.',
    params: { withdrawalId: Text },
    body: {},
    async handle({ services, params, act }) {
      await act({ kind: 'claim-withdrawal', withdrawal: findMarked('withdrawal', params.withdrawalId) });
      return readWithdrawal(services, params.withdrawalId);
    },
  }),
  operatorRoute({
    id: 'unclaim-withdrawal',
    method: 'POST',
    path: '/v1/withdrawals/:withdrawalId/unclaim',
    roles: ['finance', 'custodian'],
    policy: 'above',
    summary: 'Releases a claim, because nothing was paid: the withdrawal is `processing` again.',
    params: { withdrawalId: Text },
    body: {},
    async handle({ services, params, act }) {
      await act({ kind: 'unclaim-withdrawal', withdrawal: findMarked('withdrawal', params.withdrawalId) });
      return readWithdrawal(services, params.withdrawalId);
    },
  }),
  operatorRoute({
    id: 'advance-withdrawal',
    method: 'POST',
    path: '/v1/withdrawals/:withdrawalId/advance',
    roles: ['custodian'],
    policy: 'above',
    summary:
      'For custodians: reports that the payment of a claimed withdrawal is `signed`, `broadcast`, `sent` (with its `txId`, unless reported before) or `failed`, which returns the money to the user.',
    params: { withdrawalId: Text },
    body: {
      state: Type.Union(
        (['signed', 'broadcast', 'sent', 'failed'] as const).map((state) => Type.Literal(state)),
      ),
      txId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    },
    async handle({ services, params, body, act }) {
      const withdrawal = findMarked('withdrawal', params.withdrawalId);
      await act(await stepOf(services, withdrawal, body.state as PaymentState, body.txId));
      return readWithdrawal(services, params.withdrawalId);
    },
  }),
  operatorRoute({
    id: 'settle-withdrawal',
    method: 'POST',
    path: '/v1/withdrawals/:withdrawalId/settle',
    roles: ['finance'],
    policy: 'above',
    summary:
      'Reports that a claimed withdrawal was paid, with its `txId`, or that it failed and the money is returned to the user, who sees `failureReason`.',
    params: { withdrawalId: Text },
    body: {
      sent: Type.Boolean(),
      txId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      failureReason: Type.Optional(line(FAILURE_LENGTH_MAX, 1)),
    },
    async handle({ services, params, body, act }) {
      const withdrawal = findMarked('withdrawal', params.withdrawalId);
      const { sent, txId, failureReason } = body;
      await act({
        kind: 'settle-withdrawal',
        withdrawal,
        sent,
        ...(txId !== undefined && { txId }),
        ...(failureReason !== undefined && { failureReason }),
      });
      return readWithdrawal(services, params.withdrawalId);
    },
  }),
];

type PaymentState = 'signed' | 'broadcast' | 'sent' | 'failed';

/** The last step, sent or failed, settles the withdrawal. */
async function stepOf(
  { port }: OperatorServices,
  withdrawal: number,
  state: PaymentState,
  txId: string | undefined,
): Promise<Administration> {
  const given = txId !== undefined && { txId };
  if (state === 'signed' || state === 'broadcast') {
    return { kind: 'advance-withdrawal', withdrawal, payment: state, ...given };
  }
  if (state === 'failed') return { kind: 'settle-withdrawal', withdrawal, sent: false, ...given };
  const known = await port.read(({ reference }) => reference.withdrawal(withdrawal)?.txId);
  return {
    kind: 'settle-withdrawal',
    withdrawal,
    sent: true,
    ...(known !== undefined && { txId: known }),
    ...given,
  };
}

function checkCap({ creditMax }: OperatorServices, code: string, amount: bigint, scale: number): void {
  const cap = Object.hasOwn(creditMax, code) ? creditMax[code] : creditMax[ANY_CURRENCY];
  const [whole, fraction = ''] = (cap ?? '0').split('.');
  const units = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  if (amount <= units) return;
  const msg = `amount: ${formatMoney(amount, scale)} ${code} is above the cap of ${cap ?? 0} for one deposit (creditMax).`;
  throw operatorRefusal('credit-above-cap', msg);
}

async function readDeposit({ port, catalogue }: OperatorServices, text: string) {
  const id = findMarked('deposit', text);
  const deposit = await port.read((exchange) => exchange.reference.deposit(id));
  if (!deposit) throw unknownId('deposit', text);
  return depositDetail(deposit, catalogue);
}

/** Includes the deposit if it is still in memory. */
async function readQuestionnaire({ port, catalogue }: OperatorServices, text: string) {
  const id = findMarked('questionnaire', text);
  const { found, deposit } = await port.read(({ reference }) => {
    const questionnaire = reference.questionnaire(id);
    return {
      found: questionnaire,
      deposit: questionnaire && reference.depositOfTravelRule(questionnaire.travelRuleId),
    };
  });
  if (!found) throw unknownId('questionnaire', text);
  return { ...questionnaireDetail(found), deposit: deposit && depositDetail(deposit, catalogue) };
}

/** The exchange forgets a closed withdrawal after `movementWindowMs`; history keeps it as long as lists show it. */
async function readWithdrawal(services: OperatorServices, text: string) {
  const { port, catalogue, history } = services;
  const id = findMarked('withdrawal', text);
  const found = await port.read((exchange) => exchange.reference.withdrawal(id));
  if (found) return withdrawalDetail(found, catalogue);
  await services.historyCaughtUp();
  const [row] = history.withdrawals({ user: EVERYBODY, after: id + 1, limit: 1 });
  if (row?.id !== id) throw unknownId('withdrawal', text);
  return withdrawalDetail(row.event, catalogue);
}

// Deposits, questionnaires and withdrawals in the operator API's format.

export type DepositStatus = 'waiting' | 'review' | 'refused' | 'credited' | 'returned';
export const DEPOSIT_STATUSES: Readonly<Record<Deposit['state'], DepositStatus>> = {
  waiting: 'waiting',
  review: 'review',
  refused: 'refused',
  done: 'credited',
  returned: 'returned',
};

function depositStatus({
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
