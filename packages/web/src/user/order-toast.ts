/** The one toast of an order: how much of it is filled, at which average price and fee, and whether it goes on. */

import type { Order, Side, SymbolInfo } from '@bourse/client';
import { navigate } from 'wouter/use-browser-location';
import { Decimal } from '../decimal/decimal.ts';
import { formatExact, formatMoney, placesOf } from '../decimal/format.ts';
import { queryClient } from '../exchange/query-client.ts';
import type { Session } from '../session/session.ts';
import { protect, type Protection } from '../terminal/order-form/order-drafts.ts';
import { showToast, type ToastAction } from '../ui/toast.tsx';

const INCREMENT_UNKNOWN = '0.00000001';
/** An average may lie between two prices of the market. */
const AVERAGE_PLACES_MORE = 2;

export const sideVerb = (side: Side): string => (side === 'buy' ? 'Buy' : 'Sell');

/** Asks for the order, so that the toast shows what the exchange has charged and not what the page reckons. */
export async function showOrder({ client }: Session, orderId: string, symbol: string): Promise<void> {
  const order = await client.http.call<Order>('GET', `/api/v1/hf/orders/${orderId}`, { query: { symbol } });
  showToast('done', ...orderText(order), orderId, protectionOf(order));
}

/** What was bought can be protected with one click, and the order form shows how before it is sent. */
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

/** Of the market's prices; the finest that the exchange knows while its terms are not there. */
const incrementOf = (code: string): string => symbolOf(code)?.priceIncrement ?? INCREMENT_UNKNOWN;

const symbolOf = (code: string): SymbolInfo | undefined =>
  queryClient.getQueryData<readonly SymbolInfo[]>(['symbols'])?.find(({ symbol }) => symbol === code);
