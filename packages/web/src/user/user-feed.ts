/**
 * The user's own websocket, and the toasts of the orders that it reports. A message only triggers a refetch, so the page
 * shows no state that it computed itself. Several messages within a short time cause one refetch.
 */

import type { Order, Side, SymbolInfo } from '@bourse/client';
import { useEffect, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { Decimal, formatExact, formatMoney, placesOf } from '../decimal/decimal.ts';
import { keepSubscribed } from '../exchange/connection.ts';
import { queryClient } from '../exchange/query-client.ts';
import { type Session, useSession } from '../session/session.ts';
import { protect, type Protection } from '../terminal/order-form/order-drafts.ts';
import { showToast, type ToastAction } from '../ui/toast.tsx';

const INCREMENT_UNKNOWN = '0.00000001';
/** An average price may lie between two price increments. */
const AVERAGE_PLACES_MORE = 2;

export const sideVerb = (side: Side): string => (side === 'buy' ? 'Buy' : 'Sell');

/**
 * Shows the toast of an order. Fetches the order first, so that the toast has the fee charged and not an estimate.
 */
export async function showOrder({ client }: Session, orderId: string, symbol: string): Promise<void> {
  const order = await client.http.call<Order>('GET', `/api/v1/hf/orders/${orderId}`, { query: { symbol } });
  showToast('done', ...orderText(order), orderId, protectionOf(order));
}

/** Offers to protect a completed buy: the action fills in the order form, and the user sends it. */
function protectionOf(order: Order): ToastAction | undefined {
  const symbol = symbolOf(order.symbol);
  if (order.active || order.side !== 'buy' || order.dealSize === '0' || symbol === undefined)
    return undefined;
  return {
    label: 'Take profit and stop loss',
    run: () => {
      showProtection(protect(order, symbol));
      navigate(`/trade/${order.symbol}`);
    },
  };
}

export function showProtection({ price, stopPrice }: Protection): void {
  showToast(
    'done',
    'OCO order prepared',
    `Profit at ${formatExact(price)}, stop at ${formatExact(stopPrice)}. Review and send it in the order form.`,
  );
}

export function orderText(order: Order): [title: string, text: string] {
  const { side, symbol, size, dealSize, dealFunds, fee, feeCurrency, active, cancelExist } = order;
  const [base = ''] = symbol.split('-');
  const isByFunds = order.type === 'market' && size === '0';
  const isFilled = dealSize !== '0';
  const rest = active ? 'the rest is in the book' : `the rest was cancelled: ${order.doneReason ?? ''}`;
  const title = active
    ? isFilled
      ? 'partly filled'
      : 'open'
    : !isFilled
      ? 'cancelled'
      : cancelExist && !isByFunds
        ? 'partly filled'
        : 'filled';
  if (!isFilled) {
    return [
      `${sideVerb(side)} order ${title}`,
      active ? `${formatExact(size)} ${base} in the book.` : `Nothing was filled: ${order.doneReason ?? ''}.`,
    ];
  }
  const places = placesOf(incrementOf(symbol)) + AVERAGE_PLACES_MORE;
  const average = Decimal.of(dealFunds).dividedBy(Decimal.of(dealSize), places).toString();
  const amount = `${formatExact(dealSize)}${isByFunds || title === 'filled' ? '' : ` of ${formatExact(size)}`}`;
  return [
    `${sideVerb(side)} order ${title}`,
    `${amount} ${base} at ${formatExact(average)} on average, fee ${formatMoney(fee, incrementOf(symbol))} ${feeCurrency}${
      title === 'partly filled' ? `; ${rest}` : ''
    }.`,
  ];
}

/** The market's price increment; before the terms have loaded, the smallest of the exchange. */
const incrementOf = (code: string): string => symbolOf(code)?.priceIncrement ?? INCREMENT_UNKNOWN;

const symbolOf = (code: string): SymbolInfo | undefined =>
  queryClient.getQueryData<readonly SymbolInfo[]>(['symbols'])?.find(({ symbol }) => symbol === code);

const ASK_AGAIN_MS = 250;
const SHOWN_MAX = 3;
/** The polling interval while the user's feed is disconnected. */
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

/** Whether the user's feed is disconnected. The page then polls, and its data may be one interval old. */
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
    /** Orders that traded since the last refetch, with their symbols. */
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
