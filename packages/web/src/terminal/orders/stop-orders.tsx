/** Stop and OCO orders: waiting and done. */

import { useState } from 'react';
import { formatExact } from '../../decimal/decimal.ts';
import { usePlaces } from '../../exchange/market-data.ts';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Badge, Empty, Failed, Loading, type Tone } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAct } from '../../user/actions.ts';
import {
  type OcoOrder,
  type StopOrder,
  useDoneStops,
  useOcoDetails,
  useOcoOrders,
  useStopOrders,
} from '../../user/user-queries.ts';
import { cancelOco, cancelOcos, cancelStop, cancelStops } from './order-actions.ts';
import { marketColumn, SideCell, TimeCell } from './order-cells.tsx';

const STATUSES: Readonly<Record<StopOrder['status'], { readonly label: string; readonly tone: Tone }>> = {
  NEW: { label: 'Waiting', tone: 'accent' },
  TRIGGERED: { label: 'Triggered', tone: 'up' },
  REJECTED: { label: 'Rejected', tone: 'danger' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
};

export function StopOrders({ symbol }: { readonly symbol: string | undefined }) {
  const [shown, setShown] = useState('waiting');
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-2 px-3 py-1.5">
        <Segments
          label="Which stop orders"
          value={shown}
          onValue={setShown}
          choices={[
            { value: 'waiting', label: 'Waiting' },
            { value: 'oco', label: 'OCO pairs' },
            { value: 'done', label: 'Done' },
          ]}
        />
      </div>
      <div className="min-h-0 flex-1">
        {shown === 'oco' ? (
          <OcoPairs symbol={symbol} />
        ) : (
          <Stops key={shown} isDone={shown === 'done'} symbol={symbol} />
        )}
      </div>
    </div>
  );
}

function Stops({ isDone, symbol }: { readonly isDone: boolean; readonly symbol: string | undefined }) {
  const waiting = useStopOrders();
  const done = useDoneStops();
  const placesOf = usePlaces();
  const act = useAct();
  const list = isDone ? done : waiting;
  const items = isDone ? done.data?.items : waiting.data;
  if (list.isError && items === undefined)
    return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (items === undefined) return <Loading label="Stop orders are loading" />;
  const stops = items.filter((stop) => symbol === undefined || stop.symbol === symbol);
  const all = cancelStops(symbol);
  const counted = count(stops.length, 'stop order') + placeOf(symbol);
  const columns: readonly Column<StopOrder>[] = [
    { key: 'time', label: 'Time', cell: (stop) => <TimeCell ms={stop.createdAt} /> },
    ...marketColumn(symbol),
    { key: 'side', label: 'Side', isTitle: true, cell: (stop) => <SideCell side={stop.side} /> },
    {
      key: 'trigger',
      isTitle: true,
      label: 'Triggers when last',
      cell: (stop) => (
        <>
          {stop.stop === 'loss' ? 'falls to' : 'rises to'}{' '}
          <Figure value={stop.stopPrice} places={placesOf(stop.symbol).price} />
        </>
      ),
    },
    {
      key: 'type',
      label: 'Then',
      cell: (stop) =>
        stop.type === 'limit' ? (
          <>
            limit <Figure value={stop.price} places={placesOf(stop.symbol).price} />
          </>
        ) : (
          'market'
        ),
    },
    {
      key: 'size',
      label: 'Size or funds',
      isFigure: true,
      cell: (stop) => (
        <Figure
          value={stop.size ?? stop.funds}
          places={placesOf(stop.symbol)[stop.size === null ? 'money' : 'size']}
        />
      ),
    },
    ...(isDone
      ? [
          {
            key: 'status',
            label: 'Status',
            cell: ({ status }: StopOrder) => (
              <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>
            ),
          },
        ]
      : []),
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (stop) =>
        !isDone && (
          <span className="flex justify-end gap-1">
            <ShowMeButton action={cancelStop(stop)} size="small" />
            <IconButton
              icon="cross"
              size="small"
              label={`Cancel stop order ${stop.id}`}
              onClick={() =>
                act.mutate(cancelStop(stop), { onSuccess: () => showToast('done', 'Stop order cancelled') })
              }
            />
          </span>
        ),
    },
  ];
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Table
        label={isDone ? 'Done stop orders' : 'Waiting stop orders'}
        columns={columns}
        rows={stops}
        rowKey={(stop) => stop.id}
        className="min-h-0 flex-1"
        empty={
          <Empty icon="clock" title={isDone ? 'No completed stop order' : 'No pending stop order'}>
            {!isDone &&
              'A stop order waits outside the book, and holds nothing, until the last price reaches its stop price.'}
          </Empty>
        }
      />
      {!isDone && stops.length > 0 && (
        <div className="flex shrink-0 justify-end gap-2 border-t border-line px-3 py-1.5">
          <ConfirmButton
            label={`Cancel ${stops.length === 1 ? '' : 'all '}${counted}`}
            question={`Cancel ${counted}?`}
            about="Cancelling the stop of an OCO pair also cancels its limit order."
            yes={`Cancel ${count(stops.length, 'stop order')}`}
            no="Keep them"
            isBusy={act.isPending}
            onConfirm={() =>
              act.mutate(all, {
                onSuccess: () => showToast('done', `${count(stops.length, 'stop order')} cancelled`),
              })
            }
          />
          <ShowMeButton action={all} size="small" />
        </div>
      )}
    </div>
  );
}

function OcoPairs({ symbol }: { readonly symbol: string | undefined }) {
  const pairs = useOcoOrders();
  const act = useAct();
  if (pairs.isError && pairs.data === undefined)
    return <Failed error={pairs.error} onRetry={() => void pairs.refetch()} />;
  if (pairs.data === undefined) return <Loading label="OCO orders are loading" />;
  const shown = pairs.data.filter((pair) => symbol === undefined || pair.symbol === symbol);
  const counted = count(shown.length, 'OCO pair') + placeOf(symbol);
  const columns: readonly Column<OcoOrder>[] = [
    { key: 'time', label: 'Time', cell: (pair) => <TimeCell ms={pair.orderTime} /> },
    ...marketColumn(symbol),
    { key: 'parts', label: 'Parts', isTitle: true, cell: (pair) => <OcoParts orderId={pair.orderId} /> },
    {
      key: 'clientOid',
      label: 'Client id',
      cell: (pair) => pair.clientOid,
      className: 'max-w-40 truncate text-muted',
    },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (pair) => (
        <span className="flex justify-end gap-1">
          <ShowMeButton action={cancelOco(pair)} size="small" />
          <IconButton
            icon="cross"
            size="small"
            label={`Cancel OCO order ${pair.orderId}`}
            onClick={() =>
              act.mutate(cancelOco(pair), { onSuccess: () => showToast('done', 'Both parts cancelled') })
            }
          />
        </span>
      ),
    },
  ];
  const all = cancelOcos(symbol);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Table
        label="OCO orders"
        columns={columns}
        rows={shown}
        rowKey={(pair) => pair.orderId}
        className="min-h-0 flex-1"
        empty={
          <Empty icon="swap" title="No pending OCO order">
            One cancels the other: a limit order and a stop order, of which the first to happen ends the
            other.
          </Empty>
        }
      />
      {shown.length > 0 && (
        <div className="flex shrink-0 justify-end gap-2 border-t border-line px-3 py-1.5">
          <ConfirmButton
            label={`Cancel ${shown.length === 1 ? '' : 'all '}${counted}`}
            question={`Cancel ${counted}?`}
            yes={`Cancel ${count(shown.length, 'OCO pair')}`}
            no="Keep them"
            isBusy={act.isPending}
            onConfirm={() =>
              act.mutate(all, {
                onSuccess: () => showToast('done', `${count(shown.length, 'OCO pair')} cancelled`),
              })
            }
          />
          <ShowMeButton action={all} size="small" />
        </div>
      )}
    </div>
  );
}

const count = (orders: number, name: string): string => `${orders} ${name}${orders === 1 ? '' : 's'}`;

const placeOf = (symbol: string | undefined): string => (symbol === undefined ? '' : ` in ${symbol}`);

function OcoParts({ orderId }: { readonly orderId: string }) {
  const details = useOcoDetails(orderId).data;
  if (details === undefined) return <span className="text-faint">…</span>;
  return (
    <span className="flex gap-x-3 max-sm:flex-col">
      {details.orders.map((part, at) => (
        <span key={part.id}>
          <SideCell side={part.side} /> {formatExact(part.size)} at {formatExact(part.price)}
          {/* The limit order is the first leg and repeats its price as stopPrice. */}
          {at > 0 && <span className="text-muted"> when {formatExact(part.stopPrice)}</span>}
        </span>
      ))}
    </span>
  );
}
