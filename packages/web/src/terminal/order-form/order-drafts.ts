/**
 * The drafts of the order form, one per market. They live outside the components, which unmount when the page width
 * or the phone's pane changes. Clicking a price or a filled order fills in the draft.
 */

import type { Order, SymbolInfo } from '@bourse/client';
import { useSyncExternalStore } from 'react';
import { Decimal } from '../../decimal/decimal.ts';
import { lastPrice } from '../../exchange/live-tickers.ts';
import { directionOf, emptyDraft, type OrderDraft } from './order-draft.ts';

const DRAFTS_MAX = 50;

const drafts = new Map<string, OrderDraft>();
const listeners = new Set<() => void>();
/** The draft of a market not visited yet: starts with the side and kind used last. */
let fresh = emptyDraft;

const orderDraft = (symbol: string): OrderDraft => drafts.get(symbol) ?? fresh;

export function changeDraft(symbol: string, change: Partial<OrderDraft>): void {
  const changed = { ...orderDraft(symbol), ...change };
  const isDerived = change.stopPrice !== undefined || change.side !== undefined;
  const next =
    isDerived && change.stop === undefined
      ? { ...changed, stop: directionOf(changed.side, changed.stopPrice, lastPrice(symbol)) }
      : changed;
  drafts.delete(symbol);
  drafts.set(symbol, next);
  if (drafts.size > DRAFTS_MAX) drafts.delete(drafts.keys().next().value!);
  if (next.side !== fresh.side || next.kind !== fresh.kind) {
    fresh = { ...emptyDraft, side: next.side, kind: next.kind };
  }
  for (const listener of listeners) listener();
}

/**
 * Empties the amounts of a sent draft. A response may come late: a draft that has become another order in the meantime
 * keeps them, but not the sent clientOid, which the exchange accepts only once.
 */
export function clearSent(symbol: string, sent: OrderDraft): void {
  const draft = orderDraft(symbol);
  if (isSameOrder(draft, sent)) {
    changeDraft(symbol, {
      size: '',
      funds: '',
      clientOid: '',
      visibleSize: '',
      total: null,
      percent: null,
    });
  } else if (draft.clientOid === sent.clientOid) changeDraft(symbol, { clientOid: '' });
}

/** Compares values: choosing the same side again makes a new draft. Total and percent only say how the size was entered. */
function isSameOrder(a: OrderDraft, b: OrderDraft): boolean {
  const orderOf = (draft: OrderDraft): string => JSON.stringify({ ...draft, total: null, percent: null });
  return orderOf(a) === orderOf(b);
}

export function useOrderDraft(symbol: string): OrderDraft {
  return useSyncExternalStore(subscribe, () => orderDraft(symbol));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Puts the price, and an optional size, into the field that the order kind has: a stop market order has only a stop
 * price.
 */
export function takePrice(symbol: string, price: string, size?: string): void {
  const { kind } = orderDraft(symbol);
  changeDraft(symbol, {
    ...(kind === 'stop-market' ? { stopPrice: price } : { price }),
    ...(size !== undefined && { size, isByFunds: false }),
    total: null,
    percent: null,
  });
}

/** The same for an ambiguous click: keeps a price that the user has typed. */
export function offerPrice(symbol: string, price: string): void {
  const { kind, price: typed, stopPrice } = orderDraft(symbol);
  if (kind !== 'market' && (kind === 'stop-market' ? stopPrice : typed) === '') takePrice(symbol, price);
}

const PLACES = 18;
/** Per mille of the average price: distance of the profit price, the stop price, and the limit behind the stop. */
const AWAY = { profit: 20n, stop: 10n, limit: 15n };

export interface Protection {
  readonly price: string;
  readonly stopPrice: string;
}

/**
 * Take profit and stop loss for a filled order: fills in an OCO order, which the exchange manages whether or not this
 * page is open.
 */
export function protect(order: Order, { priceIncrement }: SymbolInfo): Protection {
  const average = Decimal.of(order.dealFunds).dividedBy(Decimal.of(order.dealSize), PLACES);
  const isLong = order.side === 'buy';
  const at = (away: bigint): string =>
    average
      .times(new Decimal(1000n + away, 3))
      .floorTo(Decimal.of(priceIncrement))
      .toString();
  const [price, stopPrice, limitPrice] = isLong
    ? [at(AWAY.profit), at(-AWAY.stop), at(-AWAY.limit)]
    : [at(-AWAY.profit), at(AWAY.stop), at(AWAY.limit)];
  changeDraft(order.symbol, {
    kind: 'oco',
    side: isLong ? 'sell' : 'buy',
    size: order.dealSize,
    price,
    stopPrice,
    limitPrice,
    total: null,
    percent: null,
  });
  return { price, stopPrice };
}
