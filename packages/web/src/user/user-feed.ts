/**
 * The user's own websocket. A message says that something has changed; what it is now is asked of the exchange, so
 * that the page shows no state that it has computed itself. Several changes at once are one question.
 */

import { useEffect } from 'react';
import { formatExact } from '../decimal/format.ts';
import { queryClient } from '../exchange/query-client.ts';
import { keepSubscribed } from '../exchange/subscription.ts';
import { useSession } from '../session/session.ts';
import { showToast } from '../ui/toast.tsx';

const ASK_AGAIN_MS = 250;

interface OrderMessage {
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly matchPrice?: string;
  readonly matchSize?: string;
}

export function useUserFeed(): void {
  const session = useSession();
  useEffect(() => {
    if (session === null) return undefined;
    const { feed } = session;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askAgain = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['user'] });
      }, ASK_AGAIN_MS);
    };
    const onConnection = (isConnected: boolean): void => {
      if (isConnected) askAgain();
    };
    const stops = [
      keepSubscribed<OrderMessage>(
        feed,
        '/spotMarket/tradeOrdersV2',
        ({ data }) => {
          if (data.type === 'match') showFill(data);
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
      for (const stop of stops) stop();
    };
  }, [session]);
}

function showFill({ symbol, side, matchPrice, matchSize }: OrderMessage): void {
  const [base = '', quote = ''] = symbol.split('-');
  showToast(
    'done',
    `${side === 'buy' ? 'Bought' : 'Sold'} ${formatExact(matchSize)} ${base}`,
    `at ${formatExact(matchPrice)} ${quote}`,
  );
}
