/** Done orders with the reason of a cancellation, and fills. Both are paged and can be saved as CSV. */

import type { Fill, Order } from '@bourse/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formatFeeRate } from '../../decimal/decimal.ts';
import { usePlaces, useSymbol } from '../../exchange/market-data.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Badge, Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { saveCsv } from '../../ui/text.ts';
import { showProtection } from '../../user/user-feed.ts';
import { useDoneOrders, useFills } from '../../user/user-queries.ts';
import { protect } from '../order-form/order-drafts.ts';
import { FilledCell, KindCell, marketColumn, SideCell, TimeCell } from './order-cells.tsx';

export interface PastOrdersProps {
  readonly symbol: string | undefined;
  readonly onLife: (order: Order) => void;
}

export function DoneOrders({ symbol, onLife }: PastOrdersProps) {
  const [lastId, setLastId] = useState<number>();
  const done = useDoneOrders(symbol, lastId);
  const placesOf = usePlaces();
  if (done.isError && done.data === undefined)
    return <Failed error={done.error} onRetry={() => void done.refetch()} />;
  if (done.data === undefined) return <Loading label="Done orders are loading" />;
  const { items } = done.data;
  const columns: readonly Column<Order>[] = [
    { key: 'time', label: 'Done', cell: (order) => <TimeCell ms={order.lastUpdatedAt} /> },
    ...marketColumn(symbol),
    { key: 'side', label: 'Side', isTitle: true, cell: (order) => <SideCell side={order.side} /> },
    { key: 'kind', label: 'Kind', mayWrap: true, cell: (order) => <KindCell order={order} /> },
    {
      key: 'price',
      label: 'Price',
      isFigure: true,
      isTitle: true,
      cell: (order) =>
        order.type === 'market' ? (
          'market'
        ) : (
          <Figure value={order.price} places={placesOf(order.symbol).price} />
        ),
    },
    {
      key: 'filled',
      label: 'Filled / size',
      isFigure: true,
      mayWrap: true,
      cell: (order) => <FilledCell order={order} placesIn={placesOf(order.symbol)} />,
    },
    { key: 'end', label: 'How it ended', mayWrap: true, cell: (order) => <End order={order} /> },
    {
      key: 'fee',
      label: 'Fee',
      isFigure: true,
      cell: (order) => (
        <Figure value={order.fee} places={placesOf(order.symbol).money} unit={order.feeCurrency} />
      ),
    },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (order) => (
        <span className="flex justify-end gap-1">
          {order.dealSize !== '0' && <ProtectButton order={order} />}
          <IconButton
            icon="clock"
            size="small"
            label={`Lifecycle of order ${order.id}`}
            onClick={() => onLife(order)}
          />
        </span>
      ),
    },
  ];
  return (
    <Paged
      lastId={lastId}
      nextId={items.length > 0 ? done.data.lastId : undefined}
      onPage={setLastId}
      onCsv={() => saveCsv('orders.csv', orderHead, items.map(orderRow))}
    >
      <Table
        label="Done orders"
        columns={columns}
        rows={items}
        rowKey={(order) => order.id}
        empty={<Empty icon="clock" title="No completed order yet" />}
      />
    </Paged>
  );
}

function ProtectButton({ order }: { readonly order: Order }) {
  const symbol = useSymbol(order.symbol);
  const [, navigate] = useLocation();
  if (symbol === undefined) return null;
  return (
    <IconButton
      icon="shield"
      size="small"
      label={`Take profit and stop loss for order ${order.id}`}
      onClick={() => {
        showProtection(protect(order, symbol));
        navigate(`/trade/${order.symbol}`);
      }}
    />
  );
}

export function End({ order }: { readonly order: Order }) {
  if (order.active) return <Badge tone="accent">open</Badge>;
  if (!order.cancelExist) return <Badge tone="up">filled</Badge>;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <Badge>{order.dealSize === '0' ? 'cancelled' : 'rest cancelled'}</Badge>
      <span className="text-muted">{order.doneReason}</span>
    </span>
  );
}

export function Fills({ symbol }: { readonly symbol: string | undefined }) {
  const [lastId, setLastId] = useState<number>();
  const fills = useFills(symbol, lastId);
  const placesOf = usePlaces();
  if (fills.isError && fills.data === undefined)
    return <Failed error={fills.error} onRetry={() => void fills.refetch()} />;
  if (fills.data === undefined) return <Loading label="Fills are loading" />;
  const { items } = fills.data;
  const columns: readonly Column<Fill>[] = [
    { key: 'time', label: 'Time', cell: (fill) => <TimeCell ms={fill.createdAt} /> },
    ...marketColumn(symbol),
    { key: 'side', label: 'Side', isTitle: true, cell: (fill) => <SideCell side={fill.side} /> },
    {
      key: 'price',
      label: 'Price',
      isFigure: true,
      isTitle: true,
      cell: (fill) => <Figure value={fill.price} places={placesOf(fill.symbol).price} />,
    },
    {
      key: 'size',
      label: 'Size',
      isFigure: true,
      cell: (fill) => <Figure value={fill.size} places={placesOf(fill.symbol).size} />,
    },
    {
      key: 'funds',
      label: 'Funds',
      isFigure: true,
      cell: (fill) => <Figure value={fill.funds} places={placesOf(fill.symbol).money} />,
    },
    {
      key: 'fee',
      label: 'Fee',
      isFigure: true,
      cell: (fill) => (
        <Figure value={fill.fee} places={placesOf(fill.symbol).money} unit={fill.feeCurrency} />
      ),
    },
    {
      key: 'liquidity',
      label: 'As',
      cell: (fill) => (
        <span className="text-muted">
          {fill.liquidity}, {formatFeeRate(fill.feeRate)}
        </span>
      ),
    },
    {
      key: 'trade',
      label: 'Trade',
      isFigure: true,
      cell: (fill) => String(fill.tradeId),
      className: 'text-faint',
    },
  ];
  return (
    <Paged
      lastId={lastId}
      nextId={items.length > 0 ? fills.data.lastId : undefined}
      onPage={setLastId}
      onCsv={() => saveCsv('fills.csv', fillHead, items.map(fillRow))}
    >
      <Table
        label="Fills"
        columns={columns}
        rows={items}
        rowKey={(fill) => String(fill.id)}
        empty={<Empty icon="swap" title="No trades yet" />}
      />
    </Paged>
  );
}

interface PagedProps {
  readonly lastId: number | undefined;
  readonly nextId: number | undefined;
  readonly onPage: (lastId: number | undefined) => void;
  readonly onCsv: () => void;
  readonly children: React.ReactNode;
}

function Paged({ lastId, nextId, onPage, onCsv, children }: PagedProps) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="min-h-0 flex-1">{children}</div>
      {(nextId !== undefined || lastId !== undefined) && (
        <div className="flex shrink-0 items-center justify-end gap-2 border-t border-line px-3 py-1.5">
          {lastId !== undefined && (
            <Button size="small" kind="quiet" onClick={() => onPage(undefined)}>
              Newest
            </Button>
          )}
          <Button size="small" kind="quiet" disabled={nextId === undefined} onClick={() => onPage(nextId)}>
            Older
          </Button>
          <Button size="small" disabled={nextId === undefined} onClick={onCsv}>
            Save as CSV
          </Button>
        </div>
      )}
    </div>
  );
}

const orderHead = [
  'id',
  'createdAt',
  'doneAt',
  'symbol',
  'side',
  'type',
  'timeInForce',
  'price',
  'size',
  'funds',
  'dealSize',
  'dealFunds',
  'fee',
  'feeCurrency',
  'doneReason',
  'clientOid',
  'remark',
];

const orderRow = (order: Order): string[] => [
  order.id,
  new Date(order.createdAt).toISOString(),
  new Date(order.lastUpdatedAt).toISOString(),
  order.symbol,
  order.side,
  order.type,
  order.timeInForce,
  order.price,
  order.size,
  order.funds,
  order.dealSize,
  order.dealFunds,
  order.fee,
  order.feeCurrency,
  order.doneReason ?? '',
  order.clientOid,
  order.remark,
];

const fillHead = [
  'id',
  'time',
  'symbol',
  'side',
  'price',
  'size',
  'funds',
  'fee',
  'feeCurrency',
  'liquidity',
  'orderId',
  'tradeId',
];

const fillRow = (fill: Fill): string[] => [
  String(fill.id),
  new Date(fill.createdAt).toISOString(),
  fill.symbol,
  fill.side,
  fill.price,
  fill.size,
  fill.funds,
  fill.fee,
  fill.feeCurrency,
  fill.liquidity,
  fill.orderId,
  String(fill.tradeId),
];
