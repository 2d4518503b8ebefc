/** What the order can be paid with. */

import { formatAt, placesOf } from '../../decimal/format.ts';
import type { OrderSurroundings } from './order-cost.ts';
import type { OrderDraft } from './order-draft.ts';

/** Money has two places at least; cut off, so that not more is told than there is. */
const CENT = '0.01';

export interface AvailableProps {
  readonly draft: OrderDraft;
  readonly around: OrderSurroundings;
}

export function Available({ draft, around }: AvailableProps) {
  const { symbol, quoteAvailable, baseAvailable } = around;
  const [amount, increment, currency] =
    draft.side === 'buy'
      ? [
          quoteAvailable,
          placesOf(symbol.priceIncrement) < 2 ? CENT : symbol.priceIncrement,
          symbol.quoteCurrency,
        ]
      : [baseAvailable, symbol.baseIncrement, symbol.baseCurrency];
  return (
    <p className="flex justify-between gap-3 text-xs whitespace-nowrap text-faint">
      Available
      <span className="truncate text-muted" title={amount === null ? undefined : `${amount} ${currency}`}>
        {formatAt(amount, increment)} {currency}
      </span>
    </p>
  );
}
