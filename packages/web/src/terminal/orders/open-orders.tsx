/** Orders that may still trade: cancel one, some or all, alter, look at one's life. */

import { useState } from 'react';
import { usePlaces } from '../../exchange/market-data.ts';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAct } from '../../user/actions.ts';
import type { Order } from '@bourse/client';
import { useOpenOrders } from '../../user/user-queries.ts';
import { AlterDialog } from './alter-dialog.tsx';
import { cancelAllOrders, cancelOrder, cancelOrders } from './order-actions.ts';
import { FilledCell, KindCell, SideCell, TimeCell } from './order-cells.tsx';
import { SwitchButton } from './switch-button.tsx';

export interface OpenOrdersProps {
  /** Undefined: of all symbols. */
  readonly symbol: string | undefined;
  readonly onLife: (order: Order) => void;
}

export function OpenOrders({ symbol, onLife }: OpenOrdersProps) {
  const open = useOpenOrders();
  const act = useAct();
  const placesOf = usePlaces();
  const [altered, setAltered] = useState<Order>();
  if (open.isError && open.data === undefined)
    return <Failed error={open.error} onRetry={() => void open.refetch()} />;
  if (open.data === undefined) return <Loading label="Open orders are loading" />;
  const orders = open.data.items.filter((order) => symbol === undefined || order.symbol === symbol);
  const cancelEvery = symbol === undefined ? cancelAllOrders : cancelOrders(symbol);

  const counted = `${count(orders.length)}${symbol === undefined ? '' : ` in ${symbol}`}`;

  const columns: readonly Column<Order>[] = [
    { key: 'time', label: 'Time', cell: (order) => <TimeCell ms={order.createdAt} /> },
    ...(symbol === undefined
      ? [
          {
            key: 'symbol',
            label: 'Market',
            isTitle: true,
            cell: (order: { readonly symbol: string }) => order.symbol,
          },
        ]
      : []),
    { key: 'side', label: 'Side', isTitle: true, cell: (order) => <SideCell side={order.side} /> },
    { key: 'kind', label: 'Kind', cell: (order) => <KindCell order={order} /> },
    {
      key: 'price',
      label: 'Price',
      isFigure: true,
      isTitle: true,
      cell: (order) => <Figure value={order.price} places={placesOf(order.symbol).price} />,
    },
    {
      key: 'filled',
      label: 'Filled / size',
      isFigure: true,
      cell: (order) => <FilledCell order={order} placesIn={placesOf(order.symbol)} />,
    },
    {
      key: 'remark',
      label: 'Remark',
      cell: (order) => order.remark,
      className: 'text-muted max-w-40 truncate',
    },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (order) => (
        <span className="flex justify-end gap-1">
          <IconButton
            icon="clock"
            size="small"
            label={`Life of order ${order.id}`}
            onClick={() => onLife(order)}
          />
          <IconButton
            icon="pencil"
            size="small"
            label={`Alter order ${order.id}`}
            onClick={() => setAltered(order)}
          />
          <ShowMeButton action={cancelOrder(order)} size="small" />
          <IconButton
            icon="cross"
            size="small"
            label={`Cancel order ${order.id}`}
            onClick={() =>
              act.mutate(cancelOrder(order), { onSuccess: () => showToast('done', 'Order cancelled') })
            }
          />
        </span>
      ),
    },
  ];

  return (
    <div className="flex h-full min-h-0 flex-col">
      <Table
        label="Open orders"
        columns={columns}
        rows={orders}
        rowKey={(order) => order.id}
        className="min-h-0 flex-1"
        empty={
          <Empty title="No open order" className="flex-1">
            A limit order that is not filled at once waits here.
          </Empty>
        }
      />
      <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-3 py-1.5">
        <SwitchButton />
        {orders.length > 0 && (
          <>
            <ConfirmButton
              label={`Cancel ${orders.length === 1 ? '' : 'all '}${counted}`}
              question={`Cancel ${counted}?`}
              about="They leave the book at once and lose their place in the queue."
              yes={`Cancel ${count(orders.length)}`}
              no="Keep them"
              isBusy={act.isPending}
              onConfirm={() =>
                act.mutate(cancelEvery, {
                  onSuccess: () => showToast('done', `${count(orders.length)} cancelled`),
                })
              }
            />
            <ShowMeButton action={cancelEvery} size="small" />
          </>
        )}
      </div>
      {altered !== undefined && <AlterDialog order={altered} onClose={() => setAltered(undefined)} />}
    </div>
  );
}

const count = (orders: number): string => `${orders} ${orders === 1 ? 'order' : 'orders'}`;
