/** The market that the terminal looks at, for all its parts. */

import type { SymbolInfo } from '@bourse/client';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { publicClient } from '../exchange/connection.ts';
import type { MarketWatch } from '../exchange/market-watch.ts';
import { useMarketWatch } from '../exchange/use-market-watch.ts';
import { useSession } from '../session/session.ts';

/** A price that was clicked; `serial` tells two clicks on the same one apart. */
export interface PickedPrice {
  readonly price: string;
  readonly serial: number;
}

export interface Market {
  readonly symbol: SymbolInfo;
  readonly watch: MarketWatch | undefined;
  readonly picked: PickedPrice;
  readonly pickPrice: (price: string) => void;
}

const Context = createContext<Market | null>(null);

export interface MarketProviderProps {
  readonly symbol: SymbolInfo;
  readonly children: ReactNode;
}

export function MarketProvider({ symbol, children }: MarketProviderProps) {
  const session = useSession();
  const watch = useMarketWatch(symbol.symbol, session?.client ?? publicClient);
  const [picked, setPicked] = useState<PickedPrice>({ price: '', serial: 0 });
  const market = useMemo(
    () => ({
      symbol,
      watch,
      picked,
      pickPrice: (price: string) => setPicked(({ serial }) => ({ price, serial: serial + 1 })),
    }),
    [symbol, watch, picked],
  );
  return <Context value={market}>{children}</Context>;
}

export function useMarket(): Market {
  return useContext(Context)!;
}
