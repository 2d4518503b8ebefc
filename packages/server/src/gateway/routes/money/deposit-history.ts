/**
 * The caller's deposits, the newest first. One that waits for the Travel Rule is WAIT_TRM_MGT, or PROCESSING as a filter,
 * and has the travelRuleOId that its questionnaire names.
 */

import type { Address, DepositSet } from '@bourse/core';
import { Type } from '../../schema.ts';
import type { Moved } from '../../../history/history.ts';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatMoney } from '../../decimals.ts';
import { markedId } from '../../ids.ts';
import type { LongList } from '../../long-lists.ts';
import {
  asked,
  cutOf,
  type ListCall,
  type NumberedPage,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageWith,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

type DepositCall = Call<unknown, Record<string, string | undefined>, unknown>;
type State = DepositSet['state'];

const STATUSES: Readonly<Record<State, string>> = { waiting: 'WAIT_TRM_MGT', done: 'SUCCESS' };
/** What the filter may say; another status has no deposits. */
const FILTERS: ReadonlyMap<string, readonly State[]> = new Map([
  ['PROCESSING', ['waiting']],
  ['WAIT_TRM_MGT', ['waiting']],
  ['SUCCESS', ['done']],
]);

const text = Type.String();
const optional = Type.Optional(text);
const integer = Type.Integer();

export const MOVED_QUERY = { currency: optional, status: optional, ...SPAN_QUERY, ...PAGE_QUERY };
const TravelRuleId = Type.Union([text, Type.Null()], {
  description: 'What the questionnaire names; null where none is asked for.',
});
const SHORT = {
  currency: text,
  createAt: integer,
  amount: text,
  walletTxId: text,
  isInner: Type.Boolean(),
  status: text,
  travelRuleOId: TravelRuleId,
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
      query: Type.Object(MOVED_QUERY),
      answer: pagedSchema(
        Type.Object({
          id: text,
          currency: text,
          chain: text,
          status: text,
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
          travelRuleOId: TravelRuleId,
        }),
      ),
      async handle(call: DepositCall) {
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
      summary: "The caller's deposits in the older shape, with seconds.",
      query: Type.Object(MOVED_QUERY),
      answer: pagedSchema(Type.Object(SHORT)),
      async handle(call: DepositCall) {
        const page = pageOf(call);
        return listOf(services, call, page, (rows) => rows.map((row) => showShort(row, catalogue)));
      },
    }),
  ];
}

async function listOf<Shown>(
  services: Services,
  call: ListCall & { user: number },
  page: NumberedPage,
  showRows: LongList<Moved<DepositSet>, Shown>['show'],
) {
  const { history, catalogue, longLists } = services;
  const filter = movedFilter(call, catalogue, FILTERS);
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

/** Null for a filter that nothing can match. */
export function movedFilter<Word extends string>(
  call: ListCall & { readonly user: number },
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
    status: STATUSES[event.state],
    address: to?.address ?? '',
    memo: to?.memo ?? '',
    isInner: false,
    amount: formatMoney(event.amount, scale),
    fee: '0',
    walletTxId: event.txId,
    createdAt,
    updatedAt,
    remark: '',
    arrears: false,
    travelRuleOId: travelRuleIdOf(event),
  };
}

const travelRuleIdOf = ({ travelRuleId }: DepositSet): string | null =>
  travelRuleId === 0 ? null : markedId('travel-rule', travelRuleId);

function showShort({ createdAt, event }: Moved<DepositSet>, catalogue: Catalogue) {
  const { code, scale } = catalogue.currencyAt(event.currency);
  return {
    currency: code,
    createAt: Math.floor(createdAt / 1000),
    amount: formatMoney(event.amount, scale),
    walletTxId: event.txId,
    isInner: false,
    status: STATUSES[event.state],
    travelRuleOId: travelRuleIdOf(event),
  };
}
