/** Of a market order, what the book as it is would give: average, worst price and slippage. */

import type { Level } from '@bourse/client';
import { formatRate, placesOf } from '../../decimal/format.ts';
import { Figure } from '../../ui/figure.tsx';
import type { OrderSurroundings } from './order-cost.ts';
import type { OrderDraft } from './order-draft.ts';
import { marketEstimate } from './order-warnings.ts';

export interface MarketEstimateProps {
  readonly draft: OrderDraft;
  readonly around: OrderSurroundings;
  /** The side of the book that is taken. */
  readonly opposite: readonly Level[];
  readonly isLive: boolean;
}

export function MarketEstimate({ draft, around, opposite, isLive }: MarketEstimateProps) {
  const { symbol } = around;
  const estimate = marketEstimate(draft, around, opposite);
  if (estimate === null) return null;
  const price = placesOf(symbol.priceIncrement);
  return (
    <>
      {!isLive && <p className="px-2.5 text-xs text-warning">From an order book that is not up to date:</p>}
      <dl
        aria-label="Estimate from the book"
        className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 px-2.5 text-xs [&>dd]:text-right [&>dt]:text-faint"
      >
        <dt>Size</dt>
        <dd>
          ≈{' '}
          <Figure
            value={estimate.size.toString()}
            places={placesOf(symbol.baseIncrement)}
            unit={symbol.baseCurrency}
          />
        </dd>
        <dt>Average</dt>
        <dd>
          ≈ <Figure value={estimate.average.toString()} places={price} />
        </dd>
        <dt>Worst price</dt>
        <dd>
          <Figure value={estimate.worst} places={price} />
        </dd>
        <dt>Slippage</dt>
        <dd>{formatRate(estimate.slippage.toString()).replace('+', '')}</dd>
      </dl>
    </>
  );
}
