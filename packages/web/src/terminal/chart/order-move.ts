/**
 * What moving an order's line means: the requests, and what differs afterwards. An order in the book is amended, which the
 * exchange does in one step. Stops and OCO orders have no amendment: they are cancelled and placed anew.
 */

import type { SymbolInfo } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import { formatAt, formatMoney, placesOf } from '../../decimal/format.ts';
import type { Action } from '../../user/actions.ts';
import type { StopOrder } from '../../user/types.ts';
import { alterOrder, cancelOco, cancelStop } from '../orders/order-actions.ts';
import { directionWords, type StopDirection } from '../order-form/order-draft.ts';
import type { LineOrder } from './order-lines.ts';

export interface Move {
  /** One after the other; the first that is refused ends it. */
  readonly steps: readonly Action[];
  readonly rows: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  /** Whether there is a moment without the order. */
  readonly isReplaced: boolean;
  /** Why it must not be sent; '' where it may. */
  readonly error: string;
}

/** `direction` is the one that a moved stop waits for; see `directionTo`. */
export function moveOf(
  of: LineOrder,
  price: string,
  symbol: SymbolInfo,
  last: string | null,
  direction: StopDirection,
): Move {
  const shown = (at: string): string => formatAt(at, symbol.priceIncrement);
  if (of.kind === 'order') {
    const { order } = of;
    const value = (at: string): string => {
      const exact = Decimal.of(at).times(Decimal.of(order.remainSize)).toString();
      return `${formatMoney(exact, symbol.priceIncrement)} ${symbol.quoteCurrency}`;
    };
    return {
      steps: [alterOrder(order, price, order.size)],
      rows: [
        { name: 'Price', before: shown(order.price), after: shown(price) },
        { name: 'Value', before: value(order.price), after: value(price) },
      ],
      isReplaced: false,
      error: '',
    };
  }
  return of.kind === 'stop' ? moveStop(of.stop, price, symbol, direction) : moveOco(of, price, symbol, last);
}

function moveStop(stop: StopOrder, price: string, symbol: SymbolInfo, direction: StopDirection): Move {
  const limit = stop.type === 'limit' ? shifted(stop.price, stop.stopPrice, price, symbol) : null;
  const { side, size, funds, timeInForce, cancelAfter, postOnly, hidden, iceberg, visibleSize } = stop;
  const body = {
    symbol: stop.symbol,
    side,
    type: stop.type,
    ...(limit !== null && { price: limit, timeInForce }),
    ...(size !== null ? { size } : { funds }),
    ...(limit !== null && timeInForce === 'GTT' && { cancelAfter }),
    ...(postOnly && { postOnly }),
    ...(hidden && { hidden }),
    ...(iceberg && { iceberg, visibleSize }),
    ...(stop.stp !== null && { stp: stop.stp }),
    ...(stop.remark !== null && { remark: stop.remark }),
    ...(stop.tags !== null && { tags: stop.tags }),
    stop: direction,
    stopPrice: price,
  };
  const shown = (at: string): string => formatAt(at, symbol.priceIncrement);
  const when = (to: StopDirection, at: string): string => `${directionWords(to)} ${shown(at)}`;
  return {
    steps: [
      cancelStop(stop),
      {
        title: 'Place a stop order',
        method: 'POST',
        path: '/api/v1/stop-order',
        body,
        ccxt: 'privatePostStopOrder',
      },
    ],
    rows: [
      { name: 'When the price', before: when(stop.stop, stop.stopPrice), after: when(direction, price) },
      ...(limit === null ? [] : [{ name: 'Then limit at', before: shown(stop.price), after: shown(limit) }]),
    ],
    isReplaced: true,
    error: '',
  };
}

type LineOco = Extract<LineOrder, { readonly kind: 'oco' }>;

function moveOco(
  { oco, limit, stop, remark, part }: LineOco,
  price: string,
  symbol: SymbolInfo,
  last: string | null,
): Move {
  const isLimit = part === 'limit';
  const shown = (at: string): string => formatAt(at, symbol.priceIncrement);
  const prices = {
    price: isLimit ? price : limit.price,
    stopPrice: isLimit ? stop.stopPrice : price,
    limitPrice: isLimit ? stop.price : shifted(stop.price, stop.stopPrice, price, symbol),
  };
  const body = {
    symbol: oco.symbol,
    side: limit.side,
    ...prices,
    size: limit.size,
    clientOid: crypto.randomUUID(),
    ...(remark !== '' && { remark }),
  };
  return {
    steps: [
      cancelOco(oco),
      {
        title: 'Place an OCO order',
        method: 'POST',
        path: '/api/v3/oco/order',
        body,
        ccxt: 'privatePostOcoOrder',
      },
    ],
    rows: isLimit
      ? [{ name: 'Limit at', before: shown(limit.price), after: shown(price) }]
      : [
          { name: 'Stop when the price reaches', before: shown(stop.stopPrice), after: shown(price) },
          { name: 'Then limit at', before: shown(stop.price), after: shown(prices.limitPrice) },
        ],
    isReplaced: true,
    // The exchange would refuse the new pair after the old one is gone.
    error: ocoError(limit.side === 'sell', prices, last),
  };
}

function ocoError(
  isSell: boolean,
  { price, stopPrice }: { readonly price: string; readonly stopPrice: string },
  last: string | null,
): string {
  if (last === null) return '';
  const [above, below] = isSell ? [price, stopPrice] : [stopPrice, price];
  const isRight =
    Decimal.of(above).compare(Decimal.of(last)) > 0 && Decimal.of(below).compare(Decimal.of(last)) < 0;
  if (isRight) return '';
  return isSell
    ? `Of a sell the limit must be above the last price ${last}, and the stop below.`
    : `Of a buy the limit must be below the last price ${last}, and the stop above.`;
}

/** The limit price keeps its distance from the stop price; it is at least one increment. */
function shifted(limit: string, from: string, to: string, { priceIncrement }: SymbolInfo): string {
  const moved = Decimal.of(limit).plus(Decimal.of(to)).minus(Decimal.of(from));
  const least = Decimal.of(priceIncrement);
  return (moved.compare(least) < 0 ? least : moved).toFixed(placesOf(priceIncrement));
}
