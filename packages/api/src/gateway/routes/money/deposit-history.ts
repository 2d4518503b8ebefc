/** The caller's deposits, newest first, with their fees and the state of their questionnaires. */

import type { Address, DepositSet } from '@bourse/core';
import type { Moved } from '@bourse/engine';
import { Type } from '../../schema.ts';
import type { Catalogue } from '../../../views/catalogue.ts';
import { markedId } from '../../ids.ts';
import {
  asked,
  cutOf,
  type ListCall,
  type LongList,
  type NumberedPage,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageWith,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import {
  DEPOSIT_FILTERS,
  DEPOSIT_STATUS,
  depositAmounts,
  depositStatus,
} from '../../money/deposit-status.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const text = Type.String();
const optional = Type.Optional(text);
const integer = Type.Integer();

export const MOVED_QUERY = { currency: optional, status: optional, ...SPAN_QUERY, ...PAGE_QUERY };
export type MovedCall = ListCall<keyof typeof MOVED_QUERY> & { readonly user: number };

const SHORT = {
  currency: text,
  createAt: integer,
  amount: text,
  fee: text,
  walletTxId: text,
  isInner: Type.Boolean(),
  ...DEPOSIT_STATUS,
};

export function depositHistoryRoutes(services: Services): Route[] {
  const { port, catalogue } = services;
  const common = { method: 'GET', access: 'general', pool: 'manage', weight: 5, shape: 'A' } as const;
  return [
    route({
      ...common,
      id: 'list-deposits',
      path: '/api/v1/deposits',
      summary: "The caller's deposits.",
      query: MOVED_QUERY,
      answer: pagedSchema(
        Type.Object({
          id: text,
          currency: text,
          chain: text,
          address: text,
          memo: text,
          isInner: Type.Boolean(),
          amount: text,
          fee: text,
          walletTxId: text,
          createdAt: integer,
          updatedAt: integer,
          remark: text,
          arrears: Type.Boolean(),
          ...DEPOSIT_STATUS,
        }),
      ),
      async handle(call) {
        const page = pageOf(call);
        return listOf(services, call, page, async (rows) => {
          const currencies = new Set(rows.map(({ event }) => event.currency));
          const addresses = await port.read(({ reference }) =>
            [...currencies].flatMap((currency) => reference.addressesOf(call.user, currency)),
          );
          return rows.map((row) => show(row, addresses, catalogue));
        });
      },
    }),
    route({
      ...common,
      id: 'old-list-deposits',
      path: '/api/v1/hist-deposits',
      summary: "The caller's deposits in the older format, with times in seconds.",
      query: MOVED_QUERY,
      answer: pagedSchema(Type.Object(SHORT)),
      async handle(call) {
        const page = pageOf(call);
        return listOf(services, call, page, (rows) => rows.map((row) => showShort(row, catalogue)));
      },
    }),
  ];
}

async function listOf<Shown>(
  services: Services,
  call: MovedCall,
  page: NumberedPage,
  showRows: LongList<Moved<DepositSet>, Shown>['show'],
) {
  const { history, catalogue, longLists } = services;
  const filter = movedFilter(call, catalogue, DEPOSIT_FILTERS);
  if (!filter) return pageWith<Shown>(page, 0, []);
  await services.historyCaughtUp();
  const items = await longLists.collect({
    user: call.user,
    page: cutOf(page),
    read: (piece) => history.deposits({ ...filter, ...piece }),
    show: showRows,
  });
  return pageWith(page, history.countDeposits(filter), items);
}

/** Null for a filter that matches nothing. */
export function movedFilter<Word extends string>(
  call: MovedCall,
  catalogue: Catalogue,
  filters: ReadonlyMap<string, readonly Word[]>,
) {
  const code = asked(call, 'currency');
  const status = asked(call, 'status');
  const span = spanOf(call);
  const currency = code === undefined ? undefined : catalogue.currency(code);
  const states = status === undefined ? undefined : filters.get(status);
  if ((code !== undefined && !currency) || (status !== undefined && !states)) return null;
  return {
    user: call.user,
    ...span,
    ...(currency && { currency: currency.number }),
    ...(states && { states }),
  };
}

function show(
  { createdAt, updatedAt, event }: Moved<DepositSet>,
  addresses: readonly Address[],
  catalogue: Catalogue,
) {
  const { code, scale } = catalogue.currencyAt(event.currency);
  const to = addresses.find(({ currency, chain }) => currency === event.currency && chain === event.chain);
  return {
    id: markedId('deposit', event.deposit),
    currency: code,
    chain: event.chain,
    address: to?.address ?? '',
    memo: to?.memo ?? '',
    isInner: false,
    ...depositAmounts(event, scale),
    walletTxId: event.txId,
    createdAt,
    updatedAt,
    remark: '',
    arrears: false,
    ...depositStatus(event),
  };
}

function showShort({ createdAt, event }: Moved<DepositSet>, catalogue: Catalogue) {
  const { code, scale } = catalogue.currencyAt(event.currency);
  return {
    currency: code,
    createAt: Math.floor(createdAt / 1000),
    ...depositAmounts(event, scale),
    walletTxId: event.txId,
    isInner: false,
    ...depositStatus(event),
  };
}
