/**
 * Moves an order on the chart: the requests, and a dialog that shows the changes before they are sent. An open order
 * is amended in one step. Stop and OCO orders cannot be amended: they are cancelled and placed again. Loaded with the
 * first move.
 */

import type { SymbolInfo } from '@bourse/client';
import { useState } from 'react';
import { Decimal, formatAt, formatExact, formatMoney, placesOf } from '../../decimal/decimal.ts';
import { useCalmTicker } from '../../exchange/live-tickers.ts';
import type { MarketWatch } from '../../exchange/market-watch.ts';
import { useSending } from '../../exchange/query-client.ts';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DecimalField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { type Action, useAct } from '../../user/actions.ts';
import type { StopOrder } from '../../user/user-queries.ts';
import { directionOf, directionWords, isReached, type StopDirection } from '../order-form/order-draft.ts';
import { alterOrder, cancelOco, cancelStop } from '../orders/order-actions.ts';
import type { LineOrder, OrderLine } from './order-lines.ts';

interface Move {
  /** Sent in sequence; the first rejection ends it. */
  readonly steps: readonly Action[];
  readonly rows: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  /** Whether the order is gone for a moment. */
  readonly isReplaced: boolean;
  /** Why the move must not be sent; '' if it may. */
  readonly error: string;
}

/** `direction` is the direction of a moved stop; see `directionTo`. */
function moveOf(
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
      steps: [alterOrder(order, price)],
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
    // Otherwise the exchange would reject the new pair after the old one is cancelled.
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

/** The limit price keeps its distance from the stop price, but stays at least one increment. */
function shifted(limit: string, from: string, to: string, { priceIncrement }: SymbolInfo): string {
  const moved = Decimal.of(limit).plus(Decimal.of(to)).minus(Decimal.of(from));
  const least = Decimal.of(priceIncrement);
  return (moved.compare(least) < 0 ? least : moved).toFixed(placesOf(priceIncrement));
}

export interface MoveDialogProps {
  readonly line: OrderLine;
  readonly to: string;
  readonly symbol: SymbolInfo;
  readonly watch: MarketWatch | undefined;
  readonly onClose: () => void;
}

export default function MoveDialog({ line, to, symbol, watch, onClose }: MoveDialogProps) {
  const [price, setPriceText] = useState(to);
  const act = useAct();
  const last = useCalmTicker(symbol.symbol)?.price ?? null;
  // Fixes the direction when the move begins: it must not turn because the market has moved since.
  const [lastThen, setLastThen] = useState(last);
  const setPrice = (next: string): void => {
    setPriceText(next);
    setLastThen(last);
  };
  const wanted = Decimal.parse(price);
  const isPrice = wanted !== null && !wanted.isZero && wanted.isMultipleOf(Decimal.of(symbol.priceIncrement));
  const shownPrice = isPrice ? price : line.price;
  const direction = directionOf(line.side, shownPrice, lastThen);
  const moves = line.orders.map((order) => moveOf(order, shownPrice, symbol, last, direction));
  const isReplaced = moves.some((move) => move.isReplaced);
  const error = isPrice
    ? moves.find((move) => move.error !== '')?.error
    : `Must be a positive multiple of priceIncrement ${symbol.priceIncrement}.`;
  const isSame = isPrice && wanted.compare(Decimal.of(line.price)) === 0;
  const warning = !isPrice
    ? ''
    : line.orders.some(({ kind }) => kind === 'stop')
      ? stopWarning(line, direction, price, last, symbol)
      : crossing(line, price, watch, symbol);

  const moving = useSending({
    mutationFn: async () => {
      for (const [at, { steps }] of moves.entries()) await sendAll(act.mutateAsync, steps, at, moves.length);
    },
    onSuccess: () =>
      showToast(
        'done',
        `${moves.length > 1 ? `${moves.length} orders` : 'Order'} moved to ${formatExact(price)}`,
      ),
    // A toast shows a rejection; the lists show the result.
    onSettled: onClose,
  });

  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      isBusy={moving.isPending}
      title={`Move: ${line.text}`}
      about={`In ${symbol.symbol}, from ${formatAt(line.price, symbol.priceIncrement)}`}
    >
      <form
        aria-label="Move an order"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          moving.mutate();
        }}
      >
        <DecimalField
          label="New price"
          value={price}
          onValue={setPrice}
          step={symbol.priceIncrement}
          error={error}
          data-autofocus
        />
        <table className="w-full text-xs">
          <caption className="sr-only">What changes</caption>
          <thead className="text-left text-2xs text-faint">
            <tr>
              <th scope="col" className="py-1 font-normal">
                What changes
              </th>
              <th scope="col" className="text-right font-normal">
                Now
              </th>
              <th scope="col" className="text-right font-normal">
                Then
              </th>
            </tr>
          </thead>
          <tbody>
            {moves.flatMap(({ rows }, at) =>
              rows.map(({ name, before, after }) => (
                <tr key={`${at} ${name}`} className="border-t border-line">
                  <th scope="row" className="py-1.5 text-left font-normal text-muted">
                    {name}
                  </th>
                  <td className="text-right text-muted">{before}</td>
                  <td className="text-right font-medium">{after}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
        {warning !== '' && <p className="text-xs text-warning">{warning}</p>}
        <p className="text-xs text-faint">
          {isReplaced
            ? 'The exchange cannot amend this kind of order. It is cancelled and a new one placed, in two requests: for a moment there is no order, and if the second request is rejected, the order is gone.'
            : 'Cancels the order and places a new one, or does neither. The new order goes to the end of the queue at its price.'}
        </p>
        <div className="flex gap-2">
          <Button
            type="submit"
            kind="primary"
            isBusy={moving.isPending}
            disabled={!isPrice || isSame || (error ?? '') !== ''}
          >
            {isReplaced ? 'Cancel and replace' : 'Move the order'}
          </Button>
          <Button isBusy={moving.isPending} onClick={onClose}>
            Leave it
          </Button>
          {moves[0] !== undefined && <ShowMeButton action={moves[0].steps.at(-1)!} />}
        </div>
      </form>
    </Dialog>
  );
}

/** Throws on a rejection. If that leaves fewer orders than before, a toast reports it. */
async function sendAll(
  send: ReturnType<typeof useAct>['mutateAsync'],
  steps: Move['steps'],
  at: number,
  count: number,
): Promise<void> {
  for (const [number, step] of steps.entries()) {
    try {
      await send(step);
    } catch (error) {
      if (number > 0) {
        showToast('refused', 'The old order is gone', 'It was cancelled, and the new one was not taken.');
      } else if (at > 0)
        showToast('refused', `${at} of ${count} orders moved`, 'The others stay where they are.');
      throw error;
    }
  }
}

/** Warns if the moved stop would behave differently than before. */
function stopWarning(
  line: OrderLine,
  direction: StopDirection,
  price: string,
  last: string | null,
  { priceIncrement }: SymbolInfo,
): string {
  if (isReached(direction, price, last)) {
    return `It would trigger now: the last price is ${formatAt(last, priceIncrement)}.`;
  }
  const isTurned = line.orders.some((order) => order.kind === 'stop' && order.stop.stop !== direction);
  if (!isTurned) return '';
  return direction === 'entry'
    ? 'It would wait for a rise; until now it waits for a fall.'
    : 'It would wait for a fall; until now it waits for a rise.';
}

/** Whether the moved order would trade at once. */
function crossing(
  line: OrderLine,
  price: string,
  watch: MarketWatch | undefined,
  { priceIncrement }: SymbolInfo,
): string {
  const [first] = line.orders;
  if (first?.kind === 'oco' && first.part === 'stop') return '';
  const isBuy = line.side === 'buy';
  const best = watch?.levels(isBuy ? 'asks' : 'bids', 1)[0]?.[0];
  if (best === undefined) return '';
  const order = Decimal.of(price).compare(Decimal.of(best));
  if (isBuy ? order < 0 : order > 0) return '';
  return `It would trade at once: the best ${isBuy ? 'ask' : 'bid'} is ${formatAt(best, priceIncrement)}.`;
}
