/**
 * The terminal's first data, requested by the first script while the others load: the symbols with their terms, and
 * the current market. The component that shows them takes them over.
 */

import type { BourseClient, SymbolInfo } from '@bourse/client';
import { preferences } from '../preferences/preferences.ts';
import { publicClient } from './connection.ts';
import { MarketWatch } from './market-watch.ts';

const MARKET_FIRST = 'BTC-USDT';

interface FirstMarket {
  readonly symbols: Promise<readonly SymbolInfo[]>;
  readonly watch: MarketWatch;
}

let first: Partial<FirstMarket> = {};

/** The symbol in the page's path, such as /trade/BTC-USDT; otherwise the one shown last. */
export function wantedSymbol(inAddress: string | undefined): string {
  return inAddress ?? (preferences().symbol || MARKET_FIRST);
}

export function beginFirstMarket(symbol: string): void {
  const symbols = publicClient.symbols();
  // The code that takes the symbols over handles the failure.
  symbols.catch(() => undefined);
  first = { symbols, watch: new MarketWatch(symbol, publicClient) };
}

/** Undefined for all but the first caller, because the first response becomes stale. */
export function takeFirstSymbols(): Promise<readonly SymbolInfo[]> | undefined {
  const { symbols, ...rest } = first;
  first = rest;
  return symbols;
}

/** Undefined if the watch is of another market, or was taken before. */
export function takeFirstWatch(symbol: string, client: BourseClient): MarketWatch | undefined {
  const { watch, ...rest } = first;
  first = rest;
  if (watch?.symbol === symbol && client === publicClient) return watch;
  watch?.close();
  return undefined;
}
