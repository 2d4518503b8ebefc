/**
 * The user's own websocket. A message says that something has changed; what it is now is asked of the exchange, so
 * that the page shows no state that it has computed itself. Several changes at once are one question.
 */

import { useEffect, useSyncExternalStore } from 'react';
import { queryClient } from '../exchange/query-client.ts';
import { keepSubscribed } from '../exchange/connection.ts';
import { useSession } from '../session/session.ts';
import { showOrder } from './order-toast.ts';

const ASK_AGAIN_MS = 250;
const SHOWN_MAX = 3;
/** How often everything is asked again while nothing is pushed. */
export const LOST_ASK_MS = 5_000;

interface OrderMessage {
  readonly symbol: string;
  readonly orderId: string;
  readonly type: string;
}

const listeners = new Set<() => void>();
let isLost = false;

function setLost(next: boolean): void {
  if (next === isLost) return;
  isLost = next;
  for (const listener of listeners) listener();
}

/** Whether the user's own changes are not pushed: the page then asks for them, and what it shows may be that old. */
export function useIsUserFeedLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLost,
  );
}

export function useUserFeed(): void {
  const session = useSession();
  useEffect(() => {
    if (session === null) return undefined;
    const { feed } = session;
    /** Orders that traded since the last question, with their symbols. */
    const matched = new Map<string, string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askAgain = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        // A bot may trade with the same key: only the latest are shown.
        for (const [orderId, symbol] of [...matched].slice(-SHOWN_MAX)) {
          showOrder(session, orderId, symbol).catch(() => undefined);
        }
        matched.clear();
        void queryClient.invalidateQueries({ queryKey: ['user'] });
      }, ASK_AGAIN_MS);
    };
    let asking: ReturnType<typeof setInterval> | undefined;
    const onConnection = (isConnected: boolean): void => {
      setLost(!isConnected);
      if (isConnected) {
        clearInterval(asking);
        asking = undefined;
        askAgain();
      } else asking ??= setInterval(askAgain, LOST_ASK_MS);
    };
    const stops = [
      keepSubscribed<OrderMessage>(
        feed,
        '/spotMarket/tradeOrdersV2',
        ({ data }) => {
          if (data.type === 'match') matched.set(data.orderId, data.symbol);
          askAgain();
        },
        onConnection,
      ),
      keepSubscribed(feed, '/account/balance', askAgain),
      keepSubscribed(feed, '/account/deposits', askAgain),
      keepSubscribed(feed, '/spotMarket/advancedOrders', askAgain),
    ];
    return () => {
      clearTimeout(timer);
      clearInterval(asking);
      setLost(false);
      for (const stop of stops) stop();
    };
  }, [session]);
}
