/**
 * What was typed into the order form, for each market: kept outside the components, because panes come and go with the
 * width of the page and with the part that a phone shows. A click on a price, or on an order that was filled, fills it in.
 */

import type { Order, SymbolInfo } from '@bourse/client';
import { useSyncExternalStore } from 'react';
import { Decimal } from '../../decimal/decimal.ts';
import { lastPrice } from '../../exchange/live-tickers.ts';
import { directionOf, emptyDraft, type OrderDraft } from './order-draft.ts';

const DRAFTS_MAX = 50;

const drafts = new Map<string, OrderDraft>();
const listeners = new Set<() => void>();
/** A market that was not looked at yet begins with the side and kind that were used last. */
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

export function useOrderDraft(symbol: string): OrderDraft {
  return useSyncExternalStore(subscribe, () => orderDraft(symbol));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The field that the kind of order has: a stop market order has a stop price only. A size may come with it. */
export function takePrice(symbol: string, price: string, size?: string): void {
  const { kind } = orderDraft(symbol);
  changeDraft(symbol, {
    ...(kind === 'stop-market' ? { stopPrice: price } : { price }),
    ...(size !== undefined && { size, isByFunds: false, percent: null }),
    total: null,
  });
}

/** The same from a click that may have meant something else: a price that was typed stays. */
export function offerPrice(symbol: string, price: string): void {
  const { kind, price: typed, stopPrice } = orderDraft(symbol);
  if (kind !== 'market' && (kind === 'stop-market' ? stopPrice : typed) === '') takePrice(symbol, price);
}

const PLACES = 18;
/** In per mille of the average price: where to take profit, where to stop, and the limit behind the stop. */
const AWAY = { profit: 20n, stop: 10n, limit: 15n };

export interface Protection {
  readonly price: string;
  readonly stopPrice: string;
}

/**
 * Take profit and stop loss for an order that was filled: fills the order form with an OCO order, which then waits at the
 * exchange whether or not this page is open.
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
