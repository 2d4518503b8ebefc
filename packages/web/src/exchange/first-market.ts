/**
 * What the terminal shows first, asked for by the first script of the page while the others are still on their way: the
 * symbols with their terms, and the market that is looked at. Whoever shows it takes it over.
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

/** The symbol in an address such as /trade/BTC-USDT; else the one that was looked at last. */
export function wantedSymbol(inAddress: string | undefined): string {
  return inAddress ?? (preferences().symbol || MARKET_FIRST);
}

export function beginFirstMarket(symbol: string): void {
  const symbols = publicClient.symbols();
  // Who takes them over sees the failure.
  symbols.catch(() => undefined);
  first = { symbols, watch: new MarketWatch(symbol, publicClient) };
}

/** Undefined for all but the first who asks: what was asked for at the beginning grows old. */
export function takeFirstSymbols(): Promise<readonly SymbolInfo[]> | undefined {
  const { symbols, ...rest } = first;
  first = rest;
  return symbols;
}

/** Undefined where it is none of that market, or was taken before. */
export function takeFirstWatch(symbol: string, client: BourseClient): MarketWatch | undefined {
  const { watch, ...rest } = first;
  first = rest;
  if (watch?.symbol === symbol && client === publicClient) return watch;
  watch?.close();
  return undefined;
}
