/** The sort order of the market list. */

import type { SymbolInfo } from '@bourse/client';
import type { DayTicker } from '../../exchange/market-data.ts';

export const MARKET_COLUMNS = ['name', 'volume', 'price', 'change'] as const;
export type MarketColumn = (typeof MARKET_COLUMNS)[number];

type Days = ReadonlyMap<string, DayTicker>;

/**
 * `order` is a column, prefixed with `-` if descending. Markets without a figure come last in both directions. Comparing
 * figures as floats is safe, because only their order matters.
 */
export function inOrder(markets: readonly SymbolInfo[], days: Days, order: string): readonly SymbolInfo[] {
  const isDescending = order.startsWith('-');
  const column = MARKET_COLUMNS.find((each) => each === order.replace('-', ''));
  if (column === undefined) return markets;
  if (column === 'name') {
    const sorted = markets.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
    return isDescending ? sorted.toReversed() : sorted;
  }
  const worth = worthOfQuotes(markets, days);
  const figures = new Map(
    markets.map((market) => [market.symbol, figureOf(column, market, days.get(market.symbol), worth)]),
  );
  return markets.toSorted((a, b) => {
    const [first, second] = [figures.get(a.symbol) ?? null, figures.get(b.symbol) ?? null];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return isDescending ? second - first : first - second;
  });
}

function figureOf(
  column: Exclude<MarketColumn, 'name'>,
  market: SymbolInfo,
  day: DayTicker | undefined,
  worth: ReadonlyMap<string, number>,
): number | null {
  const text = { volume: day?.volValue, price: day?.last, change: day?.changeRate }[column];
  if (typeof text !== 'string') return null;
  if (column !== 'volume') return Number(text);
  const rate = worth.get(market.quoteCurrency);
  return rate === undefined ? null : Number(text) * rate;
}

/** The value of each quote currency in the most common one, so that turnovers in BTC and USDT are comparable. */
function worthOfQuotes(markets: readonly SymbolInfo[], days: Days): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { quoteCurrency } of markets) counts.set(quoteCurrency, (counts.get(quoteCurrency) ?? 0) + 1);
  const [common = ''] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const worth = new Map([[common, 1]]);
  for (const { symbol, baseCurrency, quoteCurrency } of markets) {
    const last = Number(days.get(symbol)?.last ?? 0);
    if (!(last > 0)) continue;
    if (quoteCurrency === common && counts.has(baseCurrency)) worth.set(baseCurrency, last);
    if (baseCurrency === common && !worth.has(quoteCurrency)) worth.set(quoteCurrency, 1 / last);
  }
  return worth;
}
