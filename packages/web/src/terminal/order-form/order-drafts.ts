/**
 * What was typed into the order form, for each market: kept outside the components, because panes come and go with the
 * width of the page and with the part that a phone shows.
 */

import { useSyncExternalStore } from 'react';
import { lastPrice } from '../../exchange/live-tickers.ts';
import { emptyDraft, type OrderDraft } from './order-draft.ts';
import { directionOf } from './stop-direction.ts';

const DRAFTS_MAX = 50;

const drafts = new Map<string, OrderDraft>();
const listeners = new Set<() => void>();
/** A market that was not looked at yet begins with the side and kind that were used last. */
let fresh = emptyDraft;

export const orderDraft = (symbol: string): OrderDraft => drafts.get(symbol) ?? fresh;

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
