/** What is allowed and probably not meant: such an order is sent only after a question. */

import type { Level } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import { formatAt, formatRate } from '../../decimal/format.ts';
import type { OrderSurroundings } from './order-cost.ts';
import { type OrderDraft, triggersNow } from './order-draft.ts';

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

interface Estimate {
  readonly size: Decimal;
  readonly funds: Decimal;
  readonly average: Decimal;
  readonly worst: string;
  /** How far the average is from the best price, such as 0.0123. */
  readonly slippage: Decimal;
  /** Whether the book has enough. */
  readonly isFilled: boolean;
}

const PLACES = 18;

/** `levels` of the side that is taken, best first; `amount` is a size, or funds without the fee. */
function estimateFill(levels: readonly Level[], amount: Decimal, isByFunds: boolean): Estimate | null {
  let [left, size, funds] = [amount, Decimal.zero, Decimal.zero];
  let worst = '';
  for (const [price, available] of levels) {
    if (left.units <= 0n) break;
    const [at, most] = [Decimal.of(price), Decimal.of(available)];
    const wanted = isByFunds ? left.dividedBy(at, PLACES) : left;
    const taken = wanted.compare(most) < 0 ? wanted : most;
    size = size.plus(taken);
    funds = funds.plus(taken.times(at));
    left = left.minus(isByFunds ? (taken === most ? most.times(at) : left) : taken);
    worst = price;
  }
  if (size.isZero) return null;
  const average = funds.dividedBy(size, PLACES);
  const best = Decimal.of(levels[0]![0]);
  const apart = average.compare(best) < 0 ? best.minus(average) : average.minus(best);
  return {
    size,
    funds,
    average,
    worst,
    slippage: apart.dividedBy(best, RATE_PLACES),
    isFilled: left.units <= 0n,
  };
}
