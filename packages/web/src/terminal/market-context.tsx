/** The terminal's current market, as a React context. */

import type { BourseClient, SymbolInfo } from '@bourse/client';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { publicClient } from '../exchange/connection.ts';
import { takeFirstWatch } from '../exchange/first-market.ts';
import { MarketWatch } from '../exchange/market-watch.ts';
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

/** Watches the current market while it is shown. */
function useMarketWatch(symbol: string, client: BourseClient): MarketWatch | undefined {
  const [watch, setWatch] = useState<MarketWatch>();
  useEffect(() => {
    if (symbol === '') return undefined;
    const next = takeFirstWatch(symbol, client) ?? new MarketWatch(symbol, client);
    setWatch(next);
    return () => next.close();
  }, [symbol, client]);
  return watch?.symbol === symbol ? watch : undefined;
}
