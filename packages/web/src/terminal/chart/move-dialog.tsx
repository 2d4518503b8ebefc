/** What moving an order on the chart would change, before it is sent. Loaded when the first one is moved. */

import type { SymbolInfo } from '@bourse/client';
import { useState } from 'react';
import { Decimal } from '../../decimal/decimal.ts';
import { formatAt, formatExact } from '../../decimal/format.ts';
import type { MarketWatch } from '../../exchange/market-watch.ts';
import { useSending } from '../../exchange/query-client.ts';
import { useCalmTicker } from '../../exchange/live-tickers.ts';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAct } from '../../user/actions.ts';
import { directionOf, isReached, type StopDirection } from '../order-form/order-draft.ts';
import type { OrderLine } from './order-lines.ts';
import { type Move, moveOf } from './order-move.ts';

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
  // A stop waits for what its price meant when it was chosen: it must not turn round because the market has moved since.
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
    // What was refused stands in a note; the lists show what is there.
    onSettled: onClose,
  });

  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
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
            ? 'The exchange cannot change this kind of order. It is cancelled and a new one placed: two requests, and for a moment there is none. If the second is refused, the order is gone.'
            : 'The order is cancelled and a new one placed in its stead, or neither happens. It goes to the end of the queue at its price.'}
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
          <Button onClick={onClose}>Leave it</Button>
          {moves[0] !== undefined && <ShowMeButton action={moves[0].steps.at(-1)!} />}
        </div>
      </form>
    </Dialog>
  );
}

/** Throws where one is refused; says so where that leaves less than there was. */
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

/** What a stop would do where it is moved to, if that is not what it did before. */
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

/** Whether the order would trade at once where it is moved to. */
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
