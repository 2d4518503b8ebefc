/** The market that is looked at, for as long as it is. */

import type { BourseClient } from '@bourse/client';
import { useEffect, useState } from 'react';
import { takeFirstWatch } from './first-market.ts';
import { MarketWatch } from './market-watch.ts';

export function useMarketWatch(symbol: string, client: BourseClient): MarketWatch | undefined {
  const [watch, setWatch] = useState<MarketWatch>();
  useEffect(() => {
    if (symbol === '') return undefined;
    const next = takeFirstWatch(symbol, client) ?? new MarketWatch(symbol, client);
    setWatch(next);
    return () => next.close();
  }, [symbol, client]);
  return watch?.symbol === symbol ? watch : undefined;
}
