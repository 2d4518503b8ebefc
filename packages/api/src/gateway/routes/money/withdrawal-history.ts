/** The caller's withdrawals, newest first, and one by its id. */

import type { WithdrawalSet } from '@bourse/core';
import type { Moved } from '@bourse/engine';
import { Type } from '../../schema.ts';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatMoney } from '../../decimals.ts';
import { markedId, parseMarkedId } from '../../ids.ts';
import { Refusal } from '../../errors/refusal.ts';
import { shown } from '../../members.ts';
import { cutOf, type NumberedPage, pagedSchema, pageOf, pageWith } from '../../paging.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { uidOf } from './sub-accounts.ts';
import { MOVED_QUERY, type MovedCall, movedFilter } from './deposit-history.ts';
import { chainOf } from './chains.ts';

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

const text = Type.String();
const integer = Type.Integer();
const flag = Type.Boolean();
const unset = Type.Null();
const perhaps = Type.Union([text, unset]);

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
      async handle(call) {
        const page = pageOf(call);
        return listOf(services, call, page, (row) => ({
          ...show(row, catalogue),
          chain: row.event.chain,
          updatedAt: row.updatedAt,
          arrears: false,
          failureReasonMsg: failureOf(row.event),
        }));
      },
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
      async handle(call) {
        const page = pageOf(call);
        return listOf(services, call, page, (row) => {
          const { currency, createdAt, amount, address, walletTxId, isInner, status } = show(row, catalogue);
          const createAt = Math.floor(createdAt / 1000);
          return { currency, createAt, amount, address, walletTxId, isInner, status };
        });
      },
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

async function listOf<Shown>(
  services: Services,
  call: MovedCall,
  page: NumberedPage,
  showOne: (row: Moved<WithdrawalSet>) => Shown,
) {
  const { history, catalogue, longLists } = services;
  const filter = movedFilter(call, catalogue, FILTERS);
  if (!filter) return pageWith<Shown>(page, 0, []);
  await services.historyCaughtUp();
  const items = await longLists.collect({
    user: call.user,
    page: cutOf(page),
    read: (piece) => history.withdrawals({ ...filter, ...piece }),
    show: (rows) => rows.map(showOne),
  });
  return pageWith(page, history.countWithdrawals(filter), items);
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
