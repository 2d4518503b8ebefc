/**
 * Every symbol's live last price; the same subscription reports whether the exchange can be reached. Price alerts are
 * checked against it while a page is open.
 */

import { useEffect, useSyncExternalStore } from 'react';
import { Decimal, formatExact } from '../decimal/decimal.ts';
import { preferences, type PriceAlert, setPreferences } from '../preferences/preferences.ts';
import { showToast } from '../ui/toast.tsx';
import { keepSubscribed, marketFeed } from './connection.ts';
import { FrameSignal } from './frame-signal.ts';
import { queryClient } from './query-client.ts';

export type FeedState = 'connecting' | 'live' | 'lost';

export interface LiveTicker {
  readonly price: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
}

const CALM_MS = 250;

const listeners = new Set<() => void>();
const tickers = new Map<string, LiveTicker>();
/** Symbols whose ticker the current connection has sent. */
const heard = new Set<string>();
const ticked = new FrameSignal();
const calmed = new FrameSignal((tell) => setTimeout(tell, CALM_MS));
let state: FeedState = 'connecting';
let hasBegun = false;

/** The last price now; null before the first ticker, or if nothing has traded. */
export const lastPrice = (symbol: string): string | null => tickers.get(symbol)?.price ?? null;

/** Called a few times per second while prices change. */
const onTicker = (listener: () => void): (() => void) => calmed.subscribe(listener);

/** The live last price; undefined before the first ticker. */
export function useLastPrice(symbol: string): string | null | undefined {
  return useSyncExternalStore(ticked.subscribe, () => tickers.get(symbol)?.price);
}

/**
 * The ticker, updated a few times per second: for components such as forms that are too large to render on every
 * change.
 */
export function useCalmTicker(symbol: string): LiveTicker | undefined {
  return useSyncExternalStore(calmed.subscribe, () => tickers.get(symbol));
}

export function useConnectionState(): FeedState {
  return useSyncExternalStore(subscribe, () => state);
}

function subscribe(listener: () => void): () => void {
  begin();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The subscription to all tickers also tells whether the exchange can be reached. */
function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  keepSubscribed<LiveTicker>(
    marketFeed,
    '/market/ticker:all',
    ({ subject, data }) => {
      tickers.set(subject, data);
      heard.add(subject);
      ticked.changed();
      calmed.changed();
    },
    (isConnected) => {
      if (!isConnected) heard.clear();
      setState(isConnected ? 'live' : 'lost');
    },
  );
}

function setState(next: FeedState): void {
  if (next === state) return;
  const wasLost = state === 'lost';
  state = next;
  for (const listener of listeners) listener();
  if (!wasLost || next !== 'live') return;
  // Anything may have happened in the meantime, even a restore: refetch everything shown, and drop prices that the
  // new connection has not sent.
  for (const symbol of tickers.keys()) if (!heard.has(symbol)) tickers.delete(symbol);
  ticked.changed();
  calmed.changed();
  void queryClient.invalidateQueries();
}

/** Rerenders when the signal changes, at most once per frame. */
export function useFrames(signal: FrameSignal): number {
  return useSyncExternalStore(signal.subscribe, signal.painted);
}

const isSameAlert = (a: PriceAlert, b: PriceAlert): boolean =>
  a.symbol === b.symbol && a.price === b.price && a.when === b.when;

export function removeAlert(alert: PriceAlert): void {
  setPreferences({ alerts: preferences().alerts.filter((each) => !isSameAlert(each, alert)) });
}

/** An alert above the current price waits for a rise, one below it for a fall. */
export function addAlert(symbol: string, price: string): void {
  const last = lastPrice(symbol);
  const when = last !== null && Decimal.of(price).compare(Decimal.of(last)) < 0 ? 'falls' : 'rises';
  const alert = { symbol, price, when } as const;
  setPreferences({ alerts: [...preferences().alerts.filter((each) => !isSameAlert(each, alert)), alert] });
}

/** Checks the price alerts of this browser while the page is open. */
export function usePriceAlerts(): void {
  useEffect(() => onTicker(look), []);
}

function look(): void {
  for (const alert of preferences().alerts) {
    const last = lastPrice(alert.symbol);
    if (last === null) continue;
    const order = Decimal.of(last).compare(Decimal.of(alert.price));
    if (alert.when === 'rises' ? order < 0 : order > 0) continue;
    removeAlert(alert);
    showToast(
      'done',
      `${alert.symbol} at ${formatExact(last)}`,
      `Your alert: the price ${alert.when} to ${formatExact(alert.price)}.`,
    );
  }
}
