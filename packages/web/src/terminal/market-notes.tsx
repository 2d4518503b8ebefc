/** Notices about the market: a halt, a call auction, a stopped sandbox clock, active faults. */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keepSubscribed, marketFeed } from '../exchange/connection.ts';
import { queryClient } from '../exchange/query-client.ts';
import { callSandbox, useIsSandbox } from '../session/sandbox.ts';
import { Badge } from '../ui/states.tsx';
import { useMarket } from './market-context.tsx';

interface DaySnapshot {
  readonly data: { readonly trading: boolean };
}

/** Refetches the market's terms when the feed reports that it was halted or opened. */
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
  /** Null if nothing would trade. */
  readonly price: string | null;
  readonly size: string;
  /** Milliseconds since 1970; null after the end. */
  readonly endsAt: number | null;
}

/** The running call auction with its indicative price; null if there is none. */
function useAuction(): Auction | null {
  const { symbol } = useMarket().symbol;
  const [told, setTold] = useState<{ readonly symbol: string; readonly auction: Auction } | null>(null);
  useEffect(
    () =>
      keepSubscribed<Auction>(
        marketFeed,
        `/market/auction:${symbol}`,
        ({ data }) => setTold({ symbol, auction: data }),
        // It may have ended in the meantime: a new connection reports only running auctions.
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

/** The control API has no feed, so it is polled; changes made in the page's own drawer refetch at once. */
const ASKED_EVERY_MS = 1_000;
/** The interval if the sandbox has another token than the published one, because every call is then rejected. */
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

/** One short sentence for each way in which the sandbox differs from a venue now. */
function useSandboxNotes(): readonly string[] {
  const clock = useAsked<ClockState>('/clock');
  const faults = useAsked<readonly object[]>('/faults')?.length ?? 0;
  return [
    ...(clock?.mode === 'manual' ? ['Clock paused'] : []),
    ...(clock?.mode === 'scaled' ? [`Clock x${clock.speed}`] : []),
    ...(faults > 0 ? [`${faults} ${faults === 1 ? 'fault' : 'faults'} active`] : []),
  ];
}
