/**
 * The page's lines to the exchange: a client without a key and one websocket for what is public. What belongs to a user
 * goes over the client and the websocket of the session.
 */

import { BourseClient, Feed } from '@bourse/client';
import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';
import { keepSubscribed } from './subscription.ts';

export type Line = 'connecting' | 'live' | 'lost';

export const publicClient = new BourseClient({ url: location.origin });
export const marketFeed = new Feed(publicClient);

const listeners = new Set<() => void>();
let line: Line = 'connecting';
let tickers: ReadonlyMap<string, LiveTicker> = new Map();

export interface LiveTicker {
  readonly price: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
}

/** Every symbol's last price; it tells, too, whether the line is up. */
keepSubscribed<LiveTicker>(
  marketFeed,
  '/market/ticker:all',
  ({ subject, data }) => {
    tickers = new Map(tickers).set(subject, data);
  },
  (isConnected) => setLine(isConnected ? 'live' : 'lost'),
);

export const liveTicker = (symbol: string): LiveTicker | undefined => tickers.get(symbol);

export function useLine(): Line {
  return useSyncExternalStore(subscribe, () => line);
}

function setLine(next: Line): void {
  if (next === line) return;
  const wasLost = line === 'lost';
  line = next;
  for (const listener of listeners) listener();
  // Nobody knows what happened meanwhile: everything that is shown is asked for again.
  if (wasLost && next === 'live') void queryClient.invalidateQueries();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
