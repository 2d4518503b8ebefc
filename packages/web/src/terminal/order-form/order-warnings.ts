/** What is allowed and probably not meant: such an order is sent only after a question. */

import type { Level } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import { formatAt, formatRate } from '../../decimal/format.ts';
import { type Estimate, estimateFill } from './estimate.ts';
import type { OrderSurroundings } from './order-cost.ts';
import type { OrderDraft } from './order-draft.ts';
import { triggersNow } from './stop-direction.ts';

/** One per cent away from the best price. */
const SLIPPAGE_MAX = new Decimal(1n, 2);
/** A limit that is further through the market than this was hardly meant. */
const THROUGH_MAX = new Decimal(2n, 2);
/** Further behind its stop, a limit has probably a digit too many or too few. */
const BEHIND_STOP_MAX = new Decimal(10n, 2);
const RATE_PLACES = 6;

export function marketEstimate(
  draft: OrderDraft,
  around: OrderSurroundings,
  opposite: readonly Level[],
): Estimate | null {
  if (draft.kind !== 'market') return null;
  const amount = Decimal.parse(draft.isByFunds ? draft.funds : draft.size);
  if (amount === null || amount.isZero) return null;
  const one = new Decimal(1n, 0);
  // The funds of a buy have the fee inside.
  const isFeeInside = draft.isByFunds && draft.side === 'buy';
  const net = isFeeInside ? amount.dividedBy(one.plus(Decimal.of(around.takerFeeRate)), 18) : amount;
  return estimateFill(opposite, net, draft.isByFunds);
}

/** `isLive`: whether the book follows the exchange at this moment. */
export function orderWarnings(
  draft: OrderDraft,
  around: OrderSurroundings,
  opposite: readonly Level[],
  isLive: boolean,
): readonly string[] {
  const { symbol, last } = around;
  if (triggersNow(draft, last)) {
    return [`Its stop would trigger now: the last price is ${formatAt(last, symbol.priceIncrement)}.`];
  }
  if (draft.kind === 'market' && !isLive) {
    return ['The order book is not up to date: nobody can say at which price this order would trade.'];
  }
  const estimate = marketEstimate(draft, around, opposite);
  if (estimate !== null && !estimate.isFilled) {
    return [
      `The book has only ${estimate.size.toString()} ${symbol.baseCurrency}; the rest would be cancelled.`,
    ];
  }
  if (estimate !== null && estimate.slippage.compare(SLIPPAGE_MAX) > 0) {
    const verb = draft.side === 'buy' ? 'cost' : 'bring';
    return [
      `The average price would be ${rate(estimate.slippage)} away from the best one; the last part would ${verb} ${formatAt(estimate.worst, symbol.priceIncrement)}.`,
    ];
  }
  const behind = behindStop(draft);
  if (behind !== null && behind.compare(BEHIND_STOP_MAX) > 0) {
    const word = draft.side === 'buy' ? 'above' : 'below';
    return [
      `Its limit is ${rate(behind)} ${word} the stop price ${formatAt(draft.stopPrice, symbol.priceIncrement)}.`,
    ];
  }
  const best = opposite[0]?.[0];
  const price = Decimal.parse(draft.price);
  if (draft.kind !== 'limit' || draft.isPostOnly || best === undefined || price === null) return [];
  const through = draft.side === 'buy' ? price.minus(Decimal.of(best)) : Decimal.of(best).minus(price);
  const share = through.dividedBy(Decimal.of(best), RATE_PLACES);
  if (share.compare(THROUGH_MAX) <= 0) return [];
  const word = draft.side === 'buy' ? 'above the best ask' : 'below the best bid';
  return [`The price is ${rate(share)} ${word} ${formatAt(best, symbol.priceIncrement)}.`];
}

/** How far the limit of a stop is on the costly side of its stop price, as a share of that. */
function behindStop({ kind, side, price, limitPrice, stopPrice }: OrderDraft): Decimal | null {
  if (kind !== 'stop-limit' && kind !== 'oco') return null;
  const [stop, limit] = [Decimal.parse(stopPrice), Decimal.parse(kind === 'oco' ? limitPrice : price)];
  if (stop === null || limit === null || stop.isZero) return null;
  return (side === 'buy' ? limit.minus(stop) : stop.minus(limit)).dividedBy(stop, RATE_PLACES);
}

const rate = (share: Decimal): string => formatRate(share.toString()).replace('+', '');
