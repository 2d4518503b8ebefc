/**
 * Withdrawals: requested, cancellable while PROCESSING (the money and the chain's fee are held), WALLET_PROCESSING
 * while an operator pays them, then SUCCESS (sent) or FAILURE (not sent, or cancelled; the money is released). Only to
 * external addresses, with the fee on top of the amount (EXTERNAL) or deducted from it (INTERNAL).
 */

import {
  type Chain,
  type Currency,
  movementUnit,
  type Rejection,
  withdrawalFee,
  type WithdrawalSet,
} from '@bourse/core';
import { type Moved, submit } from '@bourse/engine';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatMoney, moneyOf } from '../../decimals.ts';
import { explain } from '../../errors/explain.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { markedId, parseMarkedId } from '../../ids.ts';
import { currencyOf, shown } from '../../members.ts';
import { addressFault, payeeOf } from '../../money/addresses.ts';
import { queryValue, pagedSchema } from '../../paging.ts';
import { errorText, withDetail } from '../../result.ts';
import { type Call, route, type Route } from '../../route.ts';
import { line, Type } from '../../schema.ts';
import type { Services } from '../../services.ts';
import { chainOf, chainOrFirst } from './deposit-addresses.ts';
import { listMoved, MOVED_QUERY, type MovedList } from './deposits.ts';
import { uidOf } from './sub-accounts.ts';
import { amountOf } from './transfers.ts';

interface WithdrawalBody {
  readonly currency: string;
  readonly chain?: string;
  readonly amount: string;
  readonly memo?: string;
  readonly isInner?: boolean;
  readonly remark?: string;
  readonly feeDeductType?: string;
}

const REMARK_LENGTH_MAX = 100;

const text = Type.String();
const optional = Type.Optional(text);
const perhaps = Type.Union([text, Type.Null()]);

const BODY = {
  currency: text,
  amount: text,
  chain: optional,
  memo: optional,
  isInner: Type.Optional(Type.Boolean({ description: 'Must be false.' })),
  remark: Type.Optional(line(REMARK_LENGTH_MAX)),
  feeDeductType: Type.Optional(
    Type.String({
      description:
        'EXTERNAL (default): the fee is added to the amount. INTERNAL: it is deducted from the amount.',
    }),
  ),
};

export function withdrawalRoutes(services: Services): Route[] {
  const { port, catalogue } = services;
  const ask = {
    method: 'POST',
    access: 'withdrawal',
    pool: 'manage',
    weight: 5,
    shape: 'A',
    answer: Type.Object({ withdrawalId: text }),
  } as const;
  return [
    route({
      ...ask,
      id: 'old-withdraw',
      path: '/api/v1/withdrawals',
      summary: 'Requests a withdrawal from MAIN to an address.',
      body: { ...BODY, address: text },
      handle: (call) => withdraw(services, call, call.body.address),
    }),
    route({
      ...ask,
      id: 'withdraw',
      path: '/api/v3/withdrawals',
      summary: 'Requests a withdrawal from MAIN to an address.',
      body: {
        ...BODY,
        toAddress: text,
        withdrawType: Type.Optional(Type.String({ description: 'Must be ADDRESS.' })),
      },
      handle(call) {
        const { withdrawType = 'ADDRESS', toAddress } = call.body;
        if (withdrawType !== 'ADDRESS') throw invalid(`withdrawType ${shown(withdrawType)} must be ADDRESS.`);
        return withdraw(services, call, toAddress);
      },
    }),
    route({
      id: 'cancel-withdrawal',
      method: 'DELETE',
      path: '/api/v1/withdrawals/:withdrawalId',
      summary: 'Cancels a withdrawal that is still PROCESSING.',
      access: 'withdrawal',
      pool: 'manage',
      weight: 20,
      isIdempotent: true,
      shape: 'A',
      params: { withdrawalId: text },
      answer: Type.Null(),
      async handle({ user, params, once }) {
        const withdrawal = parseMarkedId('withdrawal', params.withdrawalId);
        if (withdrawal < 0)
          throw new Refusal(
            'withdrawal-unknown',
            `${shown(params.withdrawalId)} is not the id of a withdrawal.`,
          );
        const command = { kind: 'cancel-withdrawal', user, withdrawal } as const;
        const { outcome } = await submit(port, { ...command, ...(once && { once }) }, user);
        if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { purpose: 'cancel' });
        return null;
      },
    }),
    route({
      id: 'get-withdrawal-quotas',
      method: 'GET',
      path: '/api/v1/withdrawals/quotas',
      summary:
        'The amount that can be withdrawn: the available MAIN balance minus the fee, or 0 with the reason. There are no other quotas.',
      access: 'general',
      pool: 'manage',
      weight: 20,
      shape: 'A',
      query: { currency: text, chain: optional },
      answer: Type.Object({
        currency: text,
        limitBTCAmount: perhaps,
        usedBTCAmount: perhaps,
        quotaCurrency: text,
        limitQuotaCurrencyAmount: text,
        usedQuotaCurrencyAmount: text,
        remainAmount: text,
        availableAmount: text,
        withdrawMinFee: text,
        innerWithdrawMinFee: text,
        withdrawMinSize: text,
        isWithdrawEnabled: Type.Boolean(),
        precision: Type.Integer(),
        chain: text,
        reason: perhaps,
        lockedAmount: text,
      }),
      handle: (call) => quotasOf(services, call),
    }),
  ];
}

async function withdraw(
  { port, catalogue }: Services,
  { user, key, body, once }: Call<unknown, unknown, WithdrawalBody>,
  address: string,
): Promise<{ withdrawalId: string }> {
  const { isInner = false, feeDeductType, memo = '', remark = '', amount } = body;
  if (isInner) throw invalid('isInner must be false: withdrawals go only to external addresses.');
  if (feeDeductType && feeDeductType !== 'EXTERNAL' && feeDeductType !== 'INTERNAL')
    throw invalid(`feeDeductType ${shown(feeDeductType)} must be EXTERNAL or INTERNAL.`);
  const currency = currencyOf(catalogue, body.currency);
  const { chainId: chain, chainName } = chainOrFirst(currency, body.chain);
  const like = addressFault(chain, address);
  if (like !== null) {
    throw invalid(
      `${shown(address)} is not an address on ${chainName}. Expected ${like}, with its checksum.`,
    );
  }
  const { session } = catalogue.key(key) ?? {};
  const { outcome } = await submit(
    port,
    {
      kind: 'request-withdrawal',
      user,
      currency: currency.number,
      chain,
      amount: amountOf(amount, currency),
      address,
      ...payeeOfWithdrawal(address),
      memo,
      ...(feeDeductType === 'INTERNAL' && { feeIncluded: true }),
      ...(remark !== '' && { note: remark }),
      ...(session !== undefined && { session }),
      ...(once && { once }),
    },
    user,
  );
  if (outcome.kind === 'rejected')
    throw explain(outcome.rejection, catalogue, { currency, purpose: 'transfer' });
  if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of a withdrawal`);
  return { withdrawalId: markedId('withdrawal', outcome.id) };
}

async function quotasOf(
  { port, catalogue, clock }: Services,
  call: Call<unknown, { currency: string; chain?: string }, unknown>,
) {
  const { user } = call;
  const currency = currencyOf(catalogue, call.query.currency);
  const chain = chainOrFirst(currency, queryValue(call, 'chain'));
  const { available, hold, frozen, today, until } = await port.read((exchange) => ({
    ...exchange.balance(user, 'main', currency.number),
    frozen: exchange.reference.frozenFor(user, 'withdrawals'),
    today: exchange.reference.leftToday(user, currency.number),
    until: exchange.reference.withdrawalsLockedUntil(user),
  }));
  const bar = barOf(currency, chain, frozen, until > clock.now() ? until : 0);
  const refusal = bar && explain(bar, catalogue);
  const most = bar ? 0n : mostOf(available, chain, currency);
  const money = (units: bigint) => formatMoney(units, currency.scale);
  const free = money(today !== null && today.left < most ? today.left : most);
  return {
    currency: currency.code,
    limitBTCAmount: null,
    usedBTCAmount: null,
    quotaCurrency: currency.code,
    limitQuotaCurrencyAmount: today === null ? free : money(today.limit),
    usedQuotaCurrencyAmount: today === null ? '0' : money(today.used),
    remainAmount: free,
    availableAmount: free,
    withdrawMinFee: chain.withdrawalMinFee,
    innerWithdrawMinFee: '0',
    withdrawMinSize: chain.withdrawalMinSize,
    isWithdrawEnabled: chain.isWithdrawEnabled,
    precision: currency.precision,
    chain: chain.chainName,
    reason: refusal && withDetail(errorText(call.dialect, refusal), refusal.detail),
    lockedAmount: money(hold),
  };
}

/**
 * Why the core would reject a withdrawal of any amount. A locked address book is not a reason: listed addresses pass.
 */
function barOf(
  { number: currency }: Currency,
  { chainId: chain, isWithdrawEnabled }: Chain,
  frozen: Rejection | null,
  until: number,
): Rejection | null {
  if (frozen) return frozen;
  if (!isWithdrawEnabled) return { code: 'withdrawal-disabled', currency, chain };
  return until > 0 ? { code: 'withdrawals-locked', until } : null;
}

/**
 * The largest amount that can be withdrawn with the fee on top; 0 if there is none. Amount plus fee increases with
 * the amount.
 */
function mostOf(available: bigint, chain: Chain, currency: Currency): bigint {
  const unit = movementUnit(currency);
  let least = 0n;
  let most = available / unit;
  while (least < most) {
    const middle = (least + most + 1n) / 2n;
    const amount = middle * unit;
    if (amount + withdrawalFee(chain, currency, amount, false) <= available) least = middle;
    else most = middle - 1n;
  }
  const smallest = moneyOf(chain.withdrawalMinSize, currency.scale);
  return least * unit >= smallest ? least * unit : 0n;
}

/** Omitted if the address is already in its canonical form. */
function payeeOfWithdrawal(address: string): { readonly payee?: string } {
  const payee = payeeOf(address);
  return payee === address ? {} : { payee };
}

// The caller's withdrawals, newest first, and one by its id.

type State = WithdrawalSet['state'];

const STATUSES: Readonly<Record<State, string>> = {
  processing: 'PROCESSING',
  paying: 'WALLET_PROCESSING',
  sent: 'SUCCESS',
  failed: 'FAILURE',
  cancelled: 'FAILURE',
};
/** Valid status filters; any other status has no withdrawals. */
const FILTERS: ReadonlyMap<string, readonly State[]> = new Map<string, readonly State[]>([
  ['PROCESSING', ['processing']],
  ['WALLET_PROCESSING', ['paying']],
  ['SUCCESS', ['sent']],
  ['FAILURE', ['failed', 'cancelled']],
]);

const integer = Type.Integer();
const flag = Type.Boolean();
const unset = Type.Null();

const WITHDRAWAL = {
  id: text,
  currency: text,
  status: text,
  address: text,
  memo: text,
  isInner: flag,
  amount: text,
  fee: text,
  walletTxId: perhaps,
  createdAt: integer,
  remark: text,
};

export function withdrawalHistoryRoutes(services: Services): Route[] {
  const { catalogue, history } = services;
  const common = { method: 'GET', access: 'general', pool: 'manage', weight: 20, shape: 'A' } as const;
  const list = { ...common, query: MOVED_QUERY } as const;
  const withdrawals: MovedList<State, Moved<WithdrawalSet>> = {
    filters: FILTERS,
    read: (filter) => history.withdrawals(filter),
    count: (filter) => history.countWithdrawals(filter),
  };
  return [
    route({
      ...list,
      id: 'list-withdrawals',
      path: '/api/v1/withdrawals',
      summary: "The caller's withdrawals.",
      answer: pagedSchema(
        Type.Object({
          ...WITHDRAWAL,
          chain: text,
          updatedAt: integer,
          arrears: flag,
          failureReasonMsg: perhaps,
        }),
      ),
      handle: (call) =>
        listMoved(services, call, withdrawals, (rows) =>
          rows.map((row) => ({
            ...show(row, catalogue),
            chain: row.event.chain,
            updatedAt: row.updatedAt,
            arrears: false,
            failureReasonMsg: failureOf(row.event),
          })),
        ),
    }),
    route({
      ...list,
      id: 'old-list-withdrawals',
      path: '/api/v1/hist-withdrawals',
      summary: "The caller's withdrawals in the older format, with times in seconds.",
      answer: pagedSchema(
        Type.Object({
          currency: text,
          createAt: integer,
          amount: text,
          address: text,
          walletTxId: perhaps,
          isInner: flag,
          status: text,
        }),
      ),
      handle: (call) =>
        listMoved(services, call, withdrawals, (rows) =>
          rows.map((row) => {
            const { currency, createdAt, amount, address, walletTxId, isInner, status } = show(
              row,
              catalogue,
            );
            const createAt = Math.floor(createdAt / 1000);
            return { currency, createAt, amount, address, walletTxId, isInner, status };
          }),
        ),
    }),
    route({
      ...common,
      id: 'get-withdrawal',
      path: '/api/v1/withdrawals/:withdrawalId',
      summary: "One of the caller's withdrawals, by its id.",
      params: { withdrawalId: text },
      answer: Type.Object({
        ...WITHDRAWAL,
        uid: integer,
        chainId: text,
        chainName: text,
        currencyName: text,
        failureReason: text,
        failureReasonMsg: perhaps,
        addressRemark: unset,
        cancelType: text,
        taxes: unset,
        taxDescription: unset,
        returnStatus: text,
        returnAmount: unset,
        returnCurrency: text,
      }),
      async handle({ user, params }) {
        const id = parseMarkedId('withdrawal', params.withdrawalId);
        await services.historyCaughtUp();
        const [row] = id < 0 ? [] : history.withdrawals({ user, after: id + 1, limit: 1 });
        if (row?.id === id) return showWhole(row, catalogue);
        throw new Refusal('withdrawal-unknown', `You have no withdrawal ${shown(params.withdrawalId)}.`);
      },
    }),
  ];
}

function show({ createdAt, event }: Moved<WithdrawalSet>, catalogue: Catalogue) {
  const { code, scale } = catalogue.currencyAt(event.currency);
  return {
    id: markedId('withdrawal', event.withdrawal),
    currency: code,
    status: STATUSES[event.state],
    address: event.address,
    memo: event.memo,
    isInner: false,
    amount: formatMoney(event.amount, scale),
    fee: formatMoney(event.fee, scale),
    walletTxId: event.txId ?? null,
    createdAt,
    remark: event.note ?? '',
  };
}

function showWhole(row: Moved<WithdrawalSet>, catalogue: Catalogue) {
  const { event } = row;
  const currency = catalogue.currencyAt(event.currency);
  const { chainId, chainName } = chainOf(currency, event.chain);
  const isOpen = event.state === 'processing';
  const isReturned = event.state === 'failed' || event.state === 'cancelled';
  return {
    ...show(row, catalogue),
    uid: uidOf(event.user),
    chainId,
    chainName,
    currencyName: currency.name,
    failureReason: isReturned ? event.state : '',
    failureReasonMsg: failureOf(event),
    addressRemark: null,
    cancelType: isOpen ? 'CANCELABLE' : 'NON_CANCELABLE',
    taxes: null,
    taxDescription: null,
    returnStatus: isReturned ? 'RETURNED' : 'NOT_RETURN',
    returnAmount: null,
    returnCurrency: currency.code,
  };
}

/** Why the money was returned, in the operator's words if there are any. */
function failureOf({ state, failureReason }: WithdrawalSet): string | null {
  if (state === 'cancelled') return 'You cancelled it.';
  return state === 'failed' ? (failureReason ?? 'It could not be paid.') : null;
}
