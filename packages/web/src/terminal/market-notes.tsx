/** What a trader has to know of the market besides its figures: that it is halted, that the clock stands, that faults act. */

import { useEffect } from 'react';
import { marketFeed } from '../exchange/connection.ts';
import { queryClient } from '../exchange/query-client.ts';
import { keepSubscribed } from '../exchange/subscription.ts';
import { useSandboxNotes } from '../session/sandbox-state.ts';
import { Badge } from '../ui/badge.tsx';
import { useMarket } from './market-context.tsx';

interface DaySnapshot {
  readonly data: { readonly trading: boolean };
}

/** The feed says when the market is halted or opened; its terms are then asked for again. */
export function useMarketState(): void {
  const { symbol, enableTrading } = useMarket().symbol;
  useEffect(
    () =>
      keepSubscribed<DaySnapshot>(marketFeed, `/market/snapshot:${symbol}`, ({ data }) => {
        if (data.data.trading !== enableTrading)
          void queryClient.invalidateQueries({ queryKey: ['symbols'] });
      }),
    [symbol, enableTrading],
  );
}

export function useMarketNotes(): readonly string[] {
  const { enableTrading } = useMarket().symbol;
  const notes = useSandboxNotes();
  return enableTrading ? notes : ['Halted', ...notes];
}

export function MarketNotes() {
  const notes = useMarketNotes();
  return (
    <span role="status" className="flex gap-1.5 empty:hidden">
      {notes.map((note) => (
        <Badge key={note} tone="warning">
          {note}
        </Badge>
      ))}
    </span>
  );
}
