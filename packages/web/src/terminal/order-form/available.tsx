/** What the order can be paid with. */

import { formatAt } from '../../decimal/format.ts';
import type { OrderSurroundings } from './order-cost.ts';
import type { OrderDraft } from './order-draft.ts';

export interface AvailableProps {
  readonly draft: OrderDraft;
  readonly around: OrderSurroundings;
}

export function Available({ draft, around }: AvailableProps) {
  const { symbol, quoteAvailable, baseAvailable } = around;
  const [amount, increment, currency] =
    draft.side === 'buy'
      ? [quoteAvailable, symbol.priceIncrement, symbol.quoteCurrency]
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
