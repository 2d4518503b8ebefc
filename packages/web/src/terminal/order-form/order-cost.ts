/**
 * What an order would hold and cost, shown before it is sent. The exchange decides; this repeats its arithmetic
 * exactly, with its published terms and the user's own fee rates, so the hold shown is the hold taken.
 */

import type { SymbolInfo } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import { isMarket, type OrderDraft } from './order-draft.ts';

/** Market and account data that the draft is checked against. Decimals are the exchange's own text. */
export interface OrderSurroundings {
  readonly symbol: SymbolInfo;
  /** Null until the user's own rate has loaded, or if nobody is signed in. */
  readonly takerFeeRate: string | null;
  readonly makerFeeRate: string | null;
  /** The available amount in TRADE; null until it has loaded. */
  readonly baseAvailable: string | null;
  readonly quoteAvailable: string | null;
  readonly last: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
}

export interface OrderCost {
  /** Price times size. For a market order by size it uses the best opposite price, so it is an estimate. */
  readonly value: Decimal;
  readonly isEstimate: boolean;
  readonly takerFee: Decimal;
  readonly makerFee: Decimal;
  /** The amount that placing the order holds. */
  readonly held: Decimal;
  readonly heldCurrency: string;
  /** Null until it has loaded. */
  readonly available: Decimal | null;
}

const one = new Decimal(1n, 0);

export function orderCost(draft: OrderDraft, around: OrderSurroundings): OrderCost | null {
  const { symbol, baseAvailable, quoteAvailable } = around;
  const isBuy = draft.side === 'buy';
  const available = isBuy ? quoteAvailable : baseAvailable;
  const size = Decimal.parse(draft.size);
  const price = priceOf(draft, around);
  const [taker, maker] = [Decimal.of(around.takerFeeRate), Decimal.of(around.makerFeeRate)];
  const isByFunds = isMarket(draft) && draft.isByFunds;
  const funds = isByFunds ? Decimal.parse(draft.funds) : null;
  // Ignore a size that was typed before switching to funds.
  if (funds === null && (isByFunds || size === null || price === null)) return null;

  // The funds of a market buy include the fee.
  const value =
    funds === null
      ? size!.times(price!)
      : isBuy
        ? funds.dividedBy(one.plus(taker), Math.max(symbol.quoteIncrement.length, 12))
        : funds;
  const takerFee = value.times(taker);
  const quoteHeld = funds ?? (isMarket(draft) ? Decimal.of(quoteAvailable) : value.plus(takerFee));
  const baseHeld = funds === null ? size! : Decimal.of(baseAvailable);
  return {
    value,
    isEstimate: isMarket(draft) && funds === null,
    takerFee,
    makerFee: value.times(maker),
    held: isBuy ? quoteHeld : baseHeld,
    heldCurrency: isBuy ? symbol.quoteCurrency : symbol.baseCurrency,
    available: available === null ? null : Decimal.of(available),
  };
}

/** The size, or funds, that `percent` of the available balance buys, up to the symbol's maximum. */
export function amountFor(percent: number, draft: OrderDraft, around: OrderSurroundings): string {
  const { symbol, baseAvailable, quoteAvailable, takerFeeRate } = around;
  if ((draft.side === 'buy' ? quoteAvailable : baseAvailable) === null) return '';
  const share = new Decimal(BigInt(percent), 2);
  if (isMarket(draft) && draft.isByFunds) {
    const best = Decimal.of(around.bestBid);
    const available =
      draft.side === 'buy' ? Decimal.of(quoteAvailable) : Decimal.of(baseAvailable).times(best);
    return amountWithin(available.times(share), symbol.quoteIncrement, symbol.quoteMaxSize);
  }
  const withinBase = (amount: Decimal): string =>
    amountWithin(amount, symbol.baseIncrement, symbol.baseMaxSize);
  if (draft.side === 'sell') return withinBase(Decimal.of(baseAvailable).times(share));
  const price = priceOf(draft, around);
  if (price === null || price.isZero) return '';
  const costOfOne = price.times(one.plus(Decimal.of(takerFeeRate)));
  return withinBase(Decimal.of(quoteAvailable).times(share).dividedBy(costOfOne, 18));
}

function amountWithin(amount: Decimal, increment: string, max: string): string {
  const most = Decimal.of(max);
  return (amount.compare(most) > 0 ? most : amount).floorTo(Decimal.of(increment)).toString();
}

/** The typed amount as a whole percentage of the largest one, for the slider. */
export function percentOf(draft: OrderDraft, around: OrderSurroundings): number {
  if (draft.percent !== null) return draft.percent;
  const amount = Decimal.parse(isMarket(draft) && draft.isByFunds ? draft.funds : draft.size);
  const most = Decimal.of(amountFor(100, draft, around));
  if (amount === null || amount.isZero || most.isZero) return 0;
  const share = amount.times(new Decimal(100n, 0)).dividedBy(most, 0).toString();
  return Math.min(100, Number(share));
}

/** The price used for estimates: the limit, or for a market order the best opposite price. */
export function priceOf(draft: OrderDraft, { bestAsk, bestBid, last }: OrderSurroundings): Decimal | null {
  if (!isMarket(draft)) return Decimal.parse(draft.price);
  if (draft.kind === 'stop-market') return Decimal.parse(draft.stopPrice);
  const text = (draft.side === 'buy' ? bestAsk : bestBid) ?? last;
  return text === null || text === '' ? null : Decimal.of(text);
}
