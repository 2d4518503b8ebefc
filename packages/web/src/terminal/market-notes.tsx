/** What a trader has to know of the market besides its figures: that it is halted, that the clock stands, that faults act. */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keepSubscribed, marketFeed } from '../exchange/connection.ts';
import { queryClient } from '../exchange/query-client.ts';
import { callSandbox, useIsSandbox } from '../session/sandbox.ts';
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

interface Auction {
  /** null where nothing would trade. */
  readonly price: string | null;
  readonly size: string;
  /** Milliseconds; null when it has ended. */
  readonly endsAt: number | null;
}

/** The call auction that runs, with its indicative price; null where none does. */
function useAuction(): Auction | null {
  const { symbol } = useMarket().symbol;
  const [told, setTold] = useState<{ readonly symbol: string; readonly auction: Auction } | null>(null);
  useEffect(
    () =>
      keepSubscribed<Auction>(
        marketFeed,
        `/market/auction:${symbol}`,
        ({ data }) => setTold({ symbol, auction: data }),
        // It may have ended meanwhile, and a new connection reports only running auctions.
        (isConnected) => isConnected || setTold(null),
      ),
    [symbol],
  );
  return told?.symbol === symbol && told.auction.endsAt !== null ? told.auction : null;
}

function auctionNote({ price, size, endsAt }: Auction): string {
  const until = new Date(endsAt ?? 0).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return price === null ? `Auction until ${until}` : `Auction until ${until}: ${size} at ${price}`;
}

export function useMarketNotes(): readonly string[] {
  const { enableTrading } = useMarket().symbol;
  const auction = useAuction();
  const notes = useSandboxNotes();
  if (!enableTrading) return ['Halted', ...notes];
  return auction ? [auctionNote(auction), ...notes] : notes;
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

interface ClockState {
  readonly mode: 'real' | 'scaled' | 'manual';
  readonly speed: number;
  readonly time: number;
}

/** The control interface has no feed, so it is asked; what the page's own drawer changes is asked for at once. */
const ASKED_EVERY_MS = 1_000;
/** With another token than the published one it answers nothing but refusals. */
const REFUSED_MS = 30_000;

function useAsked<T>(path: string) {
  const isSandbox = useIsSandbox();
  return useQuery({
    queryKey: ['sandbox', path],
    queryFn: () => callSandbox<T>('GET', path),
    enabled: isSandbox === true,
    retry: false,
    refetchInterval: ({ state }) => (state.error === null ? ASKED_EVERY_MS : REFUSED_MS),
  }).data;
}

/** One short sentence for each thing that is not as at a venue. */
function useSandboxNotes(): readonly string[] {
  const clock = useAsked<ClockState>('/clock');
  const faults = useAsked<readonly object[]>('/faults')?.length ?? 0;
  return [
    ...(clock?.mode === 'manual' ? ['Clock paused'] : []),
    ...(clock?.mode === 'scaled' ? [`Clock x${clock.speed}`] : []),
    ...(faults > 0 ? [`${faults} ${faults === 1 ? 'fault' : 'faults'} active`] : []),
  ];
}
