/** The 24-hour statistics of a symbol in decimals, as tickers and the feed's snapshots show them. */

import type { SymbolSet } from '@bourse/core';
import type { Statistics } from '../views/statistics.ts';
import { formatMoney, formatSmall } from './decimals.ts';
import type { Services } from './services.ts';

const FEE_DECIMALS = 8;
const RATE_DECIMALS = 4;
const AVERAGE_DECIMALS = 8;

/** null without trades: clients would misread an empty string as a number. */
export function figuresOf({ catalogue, market, statistics, clock }: Services, symbol: SymbolSet) {
  const { priceDecimals, sizeDecimals } = symbol;
  const { bestAsk, bestBid } = market.ticker(symbol.symbol);
  const day = statistics.of(symbol.symbol, clock.now());
  const { maker, taker } = catalogue.rates(-1, symbol.symbol);
  const price = (units: number | undefined) => (units ? formatSmall(units, priceDecimals) : null);
  return {
    buy: price(bestBid?.price),
    bestBidSize: bestBid ? formatSmall(bestBid.size, sizeDecimals) : null,
    sell: price(bestAsk?.price),
    bestAskSize: bestAsk ? formatSmall(bestAsk.size, sizeDecimals) : null,
    changeRate: day.open ? changeRate(day) : null,
    changePrice: day.open ? signed(day.last - day.open, priceDecimals) : null,
    high: price(day.high),
    low: price(day.low),
    vol: formatMoney(day.volume, sizeDecimals),
    volValue: formatMoney(day.turnover, catalogue.currencyAt(symbol.quote).scale),
    last: price(day.last),
    averagePrice: averagePrice(day, symbol),
    takerFeeRate: formatSmall(taker, FEE_DECIMALS),
    makerFeeRate: formatSmall(maker, FEE_DECIMALS),
    takerCoefficient: '1',
    makerCoefficient: '1',
  };
}

const signed = (units: number, decimals: number): string =>
  units < 0 ? `-${formatSmall(-units, decimals)}` : formatSmall(units, decimals);

/** Rounded half up at the last decimal; all arithmetic is on exact integers. */
export function changeRate({ open, last }: Statistics): string {
  const change = BigInt(Math.abs(last - open)) * 10n ** BigInt(RATE_DECIMALS + 1);
  const rate = (change / BigInt(open) + 5n) / 10n;
  return `${last < open && rate > 0n ? '-' : ''}${formatMoney(rate, RATE_DECIMALS)}`;
}

/**
 * Turnover divided by volume. Price × size is the amount in quote units, so the quotient is a price in the symbol's
 * units.
 */
function averagePrice({ volume, turnover }: Statistics, { priceDecimals }: SymbolSet): string | null {
  if (volume === 0n) return null;
  const extra = Math.max(0, AVERAGE_DECIMALS - priceDecimals);
  return formatMoney((turnover * 10n ** BigInt(extra)) / volume, priceDecimals + extra);
}
