/** The market that the terminal looks at, for all its parts. */

import type { SymbolInfo } from '@bourse/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { publicClient } from '../exchange/connection.ts';
import type { MarketWatch } from '../exchange/market-watch.ts';
import { useMarketWatch } from '../exchange/use-market-watch.ts';
import { useSession } from '../session/session.ts';

export interface Market {
  readonly symbol: SymbolInfo;
  readonly watch: MarketWatch | undefined;
}

const Context = createContext<Market | null>(null);

export interface MarketProviderProps {
  /** Undefined until the markets have loaded. */
  readonly symbol: SymbolInfo | undefined;
  readonly children: ReactNode;
}

export function MarketProvider({ symbol, children }: MarketProviderProps) {
  const session = useSession();
  const watch = useMarketWatch(symbol?.symbol ?? '', session?.client ?? publicClient);
  const market = useMemo(() => (symbol === undefined ? null : { symbol, watch }), [symbol, watch]);
  return <Context value={market}>{children}</Context>;
}

export function useMarket(): Market {
  return useContext(Context)!;
}
