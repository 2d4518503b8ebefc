/** Every symbol's last price as it changes, and by the same subscription whether the line to the exchange is up. */

import { useSyncExternalStore } from 'react';
import { marketFeed } from './connection.ts';
import { FrameSignal } from './frame-signal.ts';
import { queryClient } from './query-client.ts';
import { keepSubscribed } from './subscription.ts';
import { useFrames } from './use-frames.ts';

export type Line = 'connecting' | 'live' | 'lost';

export interface LiveTicker {
  readonly price: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
}

const listeners = new Set<() => void>();
const tickers = new Map<string, LiveTicker>();
const ticked = new FrameSignal();
let line: Line = 'connecting';
let hasBegun = false;

/** Every symbol's last price, as it changes. */
export function useLiveTickers(): ReadonlyMap<string, LiveTicker> {
  useFrames(ticked);
  return tickers;
}

export function useLine(): Line {
  return useSyncExternalStore(subscribe, () => line);
}

function subscribe(listener: () => void): () => void {
  begin();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The subscription to all tickers also tells whether the line is up. */
function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  keepSubscribed<LiveTicker>(
    marketFeed,
    '/market/ticker:all',
    ({ subject, data }) => {
      tickers.set(subject, data);
      ticked.changed();
    },
    (isConnected) => setLine(isConnected ? 'live' : 'lost'),
  );
}

function setLine(next: Line): void {
  if (next === line) return;
  const wasLost = line === 'lost';
  line = next;
  for (const listener of listeners) listener();
  // Nobody knows what happened meanwhile: everything that is shown is asked for again.
  if (wasLost && next === 'live') void queryClient.invalidateQueries();
}
