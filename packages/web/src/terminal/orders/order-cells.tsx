/** Columns and cells that the lists of orders and fills share. */

import type { Order, Side } from '@bourse/client';
import { formatExact } from '../../decimal/decimal.ts';
import type { Places } from '../../exchange/market-data.ts';
import { Figure } from '../../ui/figure.tsx';
import { Badge } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { exactTime, listTime } from '../../ui/text.ts';

/** The market's column, for lists of all markets; `symbol` is the one that the list is limited to. */
export const marketColumn = (symbol: string | undefined): readonly Column<{ readonly symbol: string }>[] =>
  symbol === undefined ? [{ key: 'symbol', label: 'Market', isTitle: true, cell: (row) => row.symbol }] : [];

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

/** For example: Limit, GTT 60 s, post only. */
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

/** The filled part and the complete size, or funds. */
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
