/** Every change of the caller's balances, except holds: of all accounts by page, of TRADE by cursor. */

import { DAY_MS } from '@bourse/core';
import type { LedgerCause, LedgerRow } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatMoney } from '../../decimals.ts';
import { markedId } from '../../ids.ts';
import { idsOfOrders, type OrderIds } from '../../orders/order-finder.ts';
import {
  queryValue,
  queryWord,
  type QueryOf,
  CURSOR_QUERY,
  cursorOf,
  cutOf,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageWith,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const SPAN_MS_MAX = DAY_MS;
const HF_LIMIT = 100;

const text = Type.String();
const optional = Type.Optional(text);

/** The family's names for causes. It has more of them; a filter by one of those matches nothing. */
const BIZ_TYPES: Readonly<Record<LedgerCause, string>> = {
  trade: 'TRADE_EXCHANGE',
  deposit: 'DEPOSIT',
  transfer: 'TRANSFER',
  'sub-transfer': 'SUB_TRANSFER',
  withdrawal: 'WITHDRAW',
  correction: 'CORRECTION',
};

/** The only state: an entry is written when the money has moved. */
const COMPLETED = 'Completed';

const ENTRY = {
  id: text,
  currency: text,
  amount: text,
  fee: text,
  balance: text,
  accountType: wordOf('MAIN', 'TRADE', 'TRADE_HF'),
  bizType: text,
  direction: wordOf('in', 'out'),
  status: text,
  context: text,
};

const FILTER_QUERY = {
  currency: optional,
  direction: Type.Optional(wordOf('in', 'out')),
  bizType: optional,
};

export function ledgerRoutes(services: Services): Route[] {
  const { history, catalogue } = services;
  const show = async (rows: readonly LedgerRow[]) => {
    const ids = await idsOfOrders(
      services,
      rows.flatMap(({ order }) => (order > 0 ? [order] : [])),
    );
    return rows.map((row) => showEntry(row, catalogue, ids));
  };
  return [
    route({
      id: 'list-ledger',
      method: 'GET',
      path: '/api/v1/accounts/ledgers',
      summary: 'Changes of all balances, newest first, up to a day per request.',
      access: 'general',
      pool: 'manage',
      weight: 2,
      shape: 'A',
      query: { ...FILTER_QUERY, ...SPAN_QUERY, ...PAGE_QUERY },
      answer: pagedSchema(Type.Object({ ...ENTRY, createdAt: Type.Integer() })),
      async handle(call) {
        const page = pageOf(call);
        const filter = filterOf(call, catalogue);
        const span = spanOf(call, SPAN_MS_MAX);
        if (!filter) return pageWith(page, 0, []);
        await services.historyCaughtUp();
        const entries = await services.longLists.collect({
          user: call.user,
          page: cutOf(page),
          read: (piece) => history.ledger({ ...filter, ...span, ...piece }),
          show,
        });
        return pageWith(page, history.countLedger({ ...filter, ...span }), entries);
      },
    }),
    route({
      id: 'list-trade-ledger',
      method: 'GET',
      path: '/api/v1/hf/accounts/ledgers',
      summary: 'Changes of the balances in TRADE accounts, newest first.',
      access: 'general',
      pool: 'spot',
      weight: 2,
      shape: 'A',
      query: { ...FILTER_QUERY, ...CURSOR_QUERY, ...SPAN_QUERY },
      answer: Type.Array(Type.Object({ ...ENTRY, tax: text, createdAt: text })),
      async handle(call) {
        const filter = filterOf(call, catalogue);
        const span = spanOf(call);
        const page = cursorOf(call, HF_LIMIT);
        if (!filter) return [];
        await services.historyCaughtUp();
        const entries = await services.longLists.collect({
          user: call.user,
          page,
          read: (piece) => history.ledger({ ...filter, account: 'trade', ...span, ...piece }),
          show,
        });
        return entries.map((entry) => ({
          ...entry,
          tax: '0',
          accountType: 'TRADE_HF',
          createdAt: String(entry.createdAt),
        }));
      },
    }),
  ];
}

/** Null for a filter that matches nothing. */
function filterOf(
  call: QueryOf<keyof typeof FILTER_QUERY> & { readonly user: number },
  catalogue: Catalogue,
) {
  const code = queryValue(call, 'currency');
  const direction = queryWord(call, 'direction', ['in', 'out']);
  const bizType = queryValue(call, 'bizType');
  const currency = code === undefined ? undefined : catalogue.currency(code);
  const causes = (Object.keys(BIZ_TYPES) as LedgerCause[]).filter((cause) => BIZ_TYPES[cause] === bizType);
  const isKnown = (code === undefined || currency) && (bizType === undefined || causes.length > 0);
  if (!isKnown) return null;
  return {
    user: call.user,
    ...(currency && { currency: currency.number }),
    ...(direction && { direction }),
    ...(bizType !== undefined && { causes }),
  };
}

/** `amount` is the absolute change of the balance: inflows are net of the fee, outflows include it. */
function showEntry(row: LedgerRow, catalogue: Catalogue, ids: OrderIds) {
  const { code, scale } = catalogue.currencyAt(row.currency);
  const isIn = row.change > 0n;
  return {
    id: String(row.id),
    currency: code,
    amount: formatMoney(isIn ? row.change : -row.change, scale),
    fee: formatMoney(row.fee, scale),
    balance: formatMoney(row.balance, scale),
    accountType: row.account.toUpperCase(),
    bizType: BIZ_TYPES[row.cause],
    direction: isIn ? 'in' : 'out',
    status: COMPLETED,
    createdAt: row.time,
    context: contextOf(row, catalogue, ids),
  };
}

function contextOf(
  { cause, order, trade, symbol, reference, time }: LedgerRow,
  catalogue: Catalogue,
  ids: OrderIds,
) {
  if (cause === 'trade') {
    const { code } = catalogue.symbolAt(symbol);
    return JSON.stringify({ symbol: code, orderId: ids(order, time), tradeId: String(trade) });
  }
  const kind = cause === 'sub-transfer' ? 'transfer' : cause;
  return JSON.stringify({ orderId: markedId(kind, reference) });
}
