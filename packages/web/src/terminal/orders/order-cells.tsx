/** Cells that several lists of orders share. */

import type { Order, Side } from '@bourse/client';
import { formatExact } from '../../decimal/format.ts';
import type { Places } from '../../exchange/market-data.ts';
import { Badge } from '../../ui/badge.tsx';
import { Figure } from '../../ui/figure.tsx';
import { exactTime, listTime } from '../../ui/times.ts';

export function TimeCell({ ms }: { readonly ms: number }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)} className="text-muted">
      {listTime(ms)}
    </time>
  );
}

export function SideCell({ side }: { readonly side: Side }) {
  return <span className={side === 'buy' ? 'text-up' : 'text-down'}>{side === 'buy' ? 'Buy' : 'Sell'}</span>;
}

/** limit GTT 60 s, post only, iceberg ... */
export function KindCell({ order }: { readonly order: Order }) {
  const { type, timeInForce, cancelAfter, postOnly, hidden, iceberg, visibleSize, stp } = order;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1">
      {type === 'limit' ? 'Limit' : 'Market'}
      {type === 'limit' && timeInForce !== 'GTC' && (
        <Badge>{timeInForce === 'GTT' ? `GTT ${cancelAfter} s` : timeInForce}</Badge>
      )}
      {postOnly && <Badge>post only</Badge>}
      {iceberg ? <Badge>iceberg {formatExact(visibleSize)}</Badge> : hidden && <Badge>hidden</Badge>}
      {stp !== '' && <Badge>{stp}</Badge>}
    </span>
  );
}

/** Filled of how much. */
export function FilledCell({ order, placesIn }: { readonly order: Order; readonly placesIn: Places }) {
  const { size, funds, dealSize, dealFunds, type } = order;
  const isByFunds = type === 'market' && size === '0';
  const places = isByFunds ? placesIn.money : placesIn.size;
  return (
    <span>
      <span className="whitespace-nowrap">
        <Figure value={isByFunds ? dealFunds : dealSize} places={places} />
        <span className="text-faint"> /</span>
      </span>{' '}
      <Figure value={isByFunds ? funds : size} places={places} />
    </span>
  );
}
