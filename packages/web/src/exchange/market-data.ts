/** Public data that is requested, not streamed: symbols with their terms, 24-hour figures, currencies. */

import type { SymbolInfo } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { placesOf } from '../decimal/decimal.ts';
import { publicClient } from './connection.ts';
import { takeFirstSymbols } from './first-market.ts';
import { queryClient } from './query-client.ts';

const DAY_FIGURES_MS = 3_000;
const TERMS_MS = 60_000;

/** A symbol and its last 24 hours. */
export interface DayTicker {
  readonly symbol: string;
  readonly symbolName: string;
  readonly last: string | null;
  readonly changeRate: string | null;
  readonly changePrice: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly vol: string | null;
  readonly volValue: string | null;
}

const symbolsQuery = {
  queryKey: ['symbols'],
  queryFn: () => takeFirstSymbols() ?? publicClient.symbols(),
  staleTime: TERMS_MS,
};

/** Loads the symbols before the terminal renders, so that its first paint shows them. */
export function loadSymbols(): Promise<void> {
  return queryClient.prefetchQuery(symbolsQuery);
}

export function useSymbols() {
  return useQuery({ ...symbolsQuery, refetchInterval: TERMS_MS });
}

export function useSymbol(code: string): SymbolInfo | undefined {
  return useSymbols().data?.find(({ symbol }) => symbol === code);
}

/** Decimal places of a market's columns; before its terms have loaded, the exchange's maximum. */
export interface Places {
  readonly price: number;
  readonly size: number;
  /** For amounts in the quote currency, rounded for display. */
  readonly money: number;
}

const PLACES_UNKNOWN = 8;

export function usePlaces(): (code: string) => Places {
  const symbols = useSymbols().data;
  return (code) => {
    const found = symbols?.find(({ symbol }) => symbol === code);
    if (found === undefined) return { price: PLACES_UNKNOWN, size: PLACES_UNKNOWN, money: PLACES_UNKNOWN };
    const price = placesOf(found.priceIncrement);
    return { price, size: placesOf(found.baseIncrement), money: Math.max(2, price) };
  };
}

export function useDayTickers() {
  return useQuery({
    queryKey: ['day-tickers'],
    queryFn: async () => {
      const { ticker } = await publicClient.http.call<{ readonly ticker: readonly DayTicker[] }>(
        'GET',
        '/api/v1/market/allTickers',
      );
      return new Map(ticker.map((each) => [each.symbol, each]));
    },
    refetchInterval: DAY_FIGURES_MS,
  });
}

/** The IP address of this page's requests, as an API key's allow-list would see it. */
export function useOwnAddress() {
  return useQuery({
    queryKey: ['own-address'],
    queryFn: () => publicClient.http.call<string>('GET', '/api/v1/my-ip'),
    staleTime: TERMS_MS,
  });
}

/** A currency and its chains. */
export interface CurrencyInfo {
  readonly currency: string;
  readonly fullName: string;
  readonly precision: number;
  readonly chains: readonly ChainInfo[] | null;
}

export interface ChainInfo {
  readonly chainId: string;
  readonly chainName: string;
  readonly depositMinSize: string | null;
  /** '' if there is no fee. */
  readonly depositFeeRate: string;
  readonly withdrawalMinSize: string;
  readonly withdrawalMinFee: string;
  readonly withdrawFeeRate: string;
  /** '' if there is no maximum. */
  readonly withdrawMaxFee: string;
  readonly isWithdrawEnabled: boolean;
  readonly isDepositEnabled: boolean;
  readonly confirms: number;
  readonly contractAddress: string;
}

export function useCurrencies() {
  return useQuery({
    queryKey: ['currencies'],
    queryFn: () => publicClient.http.call<readonly CurrencyInfo[]>('GET', '/api/v3/currencies'),
    staleTime: TERMS_MS,
  });
}
