/** Every symbol's last price as it changes, and by the same subscription whether the exchange can be reached. */

import { useSyncExternalStore } from 'react';
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
/** Symbols that the present connection has sent a ticker of. */
const heard = new Set<string>();
const ticked = new FrameSignal();
const calmed = new FrameSignal((tell) => setTimeout(tell, CALM_MS));
let state: FeedState = 'connecting';
let hasBegun = false;

/** As it is now; null until one was heard, or where nothing was traded. */
export const lastPrice = (symbol: string): string | null => tickers.get(symbol)?.price ?? null;

/** Called a few times per second while prices change. */
export const onTicker = (listener: () => void): (() => void) => calmed.subscribe(listener);

/** As it changes; undefined until one was heard. */
export function useLastPrice(symbol: string): string | null | undefined {
  return useSyncExternalStore(ticked.subscribe, () => tickers.get(symbol)?.price);
}

/** For what is read and not watched: told some times a second, because a form is much to render for every change. */
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
  // Nobody knows what happened meanwhile, and it may be another world: everything shown is asked for again, and prices
  // that the new connection has not sent are dropped.
  for (const symbol of tickers.keys()) if (!heard.has(symbol)) tickers.delete(symbol);
  ticked.changed();
  calmed.changed();
  void queryClient.invalidateQueries();
}

/** Renders again when the signal tells, at most once a frame. */
export function useFrames(signal: FrameSignal): number {
  return useSyncExternalStore(signal.subscribe, signal.painted);
}
