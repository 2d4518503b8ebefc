/** Open orders: cancel one, those of a market, or all; alter one; show its history. And the dead man's switch. */

import type { Order } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Decimal, formatExact } from '../../decimal/decimal.ts';
import { usePlaces, useSymbol } from '../../exchange/market-data.ts';
import { useSession } from '../../session/session.ts';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { DecimalField, TextField } from '../../ui/field.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Empty, Failed, Loading, sentenceOf } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { clockTime } from '../../ui/text.ts';
import { showToast } from '../../ui/toast.tsx';
import { useAct } from '../../user/actions.ts';
import { useOpenOrders } from '../../user/user-queries.ts';
import {
  alterOrder,
  cancelAllOrders,
  cancelOrder,
  cancelOrders,
  cancelPart,
  setSwitch,
} from './order-actions.ts';
import { FilledCell, KindCell, marketColumn, SideCell, TimeCell } from './order-cells.tsx';

/** Rows that a browser draws without delay. */
const LISTED_MAX = 500;

export interface OpenOrdersProps {
  /** Undefined for all symbols. */
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
  const orders = open.data.filter((order) => symbol === undefined || order.symbol === symbol);
  const cancelEvery = symbol === undefined ? cancelAllOrders : cancelOrders(symbol);

  const counted = `${count(orders.length)}${symbol === undefined ? '' : ` in ${symbol}`}`;

  const columns: readonly Column<Order>[] = [
    { key: 'time', label: 'Time', cell: (order) => <TimeCell ms={order.createdAt} /> },
    ...marketColumn(symbol),
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
            label={`Lifecycle of order ${order.id}`}
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
        rows={orders.slice(0, LISTED_MAX)}
        rowKey={(order) => order.id}
        className="min-h-0 flex-1"
        empty={
          <Empty title="No open order" className="flex-1">
            A limit order that is not filled at once waits here.
          </Empty>
        }
      />
      <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-3 py-1.5">
        {orders.length > LISTED_MAX && (
          <p className="mr-auto text-xs text-muted">
            The newest {LISTED_MAX} of {orders.length} are listed.
          </p>
        )}
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

const OFF = -1;

interface SwitchState {
  readonly timeout: number;
  /** Seconds since 1970. */
  readonly triggerTime: number;
}

/** The dead man's switch: the exchange cancels all orders unless the page renews the timeout. */
function SwitchButton() {
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const [seconds, setSeconds] = useState('60');
  const act = useAct();
  const state = useQuery({
    queryKey: ['user', session?.credentials.apiKey, 'switch'],
    queryFn: () =>
      session!.client.http.call<SwitchState | null>('GET', '/api/v1/hf/orders/dead-cancel-all/query'),
    enabled: session !== null,
  }).data;
  const isOn = state !== undefined && state !== null && state.timeout > 0;
  const timeout = Number(seconds);
  const isRight = /^\d+$/.test(seconds) && timeout >= 5 && timeout <= 86_400;
  const set = (value: number): void =>
    act.mutate(setSwitch(value), {
      onSuccess: () => {
        setIsOpen(false);
        showToast('done', value === OFF ? 'Switch off' : `Switch set: ${value} s`);
      },
    });
  return (
    <>
      <Button size="small" kind="quiet" onClick={() => setIsOpen(true)}>
        Dead man's switch: {isOn ? `at ${clockTime(state.triggerTime * 1000)}` : 'off'}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpen={setIsOpen}
        isBusy={act.isPending}
        title="Dead man's switch"
        about="Cancels all your orders unless you set it again before the time is over."
      >
        <form
          aria-label="Dead man's switch"
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            set(timeout);
          }}
        >
          <TextField
            label="Seconds from now"
            inputMode="numeric"
            value={seconds}
            onValue={(value) => setSeconds(value.trim())}
            error={isRight ? undefined : 'From 5 to 86400 seconds.'}
          />
          <div className="flex gap-2">
            <Button type="submit" kind="primary" isBusy={act.isPending} disabled={!isRight}>
              Set
            </Button>
            <Button isBusy={act.isPending} disabled={!isOn} onClick={() => set(OFF)}>
              Turn off
            </Button>
            <ShowMeButton action={setSwitch(isRight ? timeout : 60)} />
          </div>
        </form>
      </Dialog>
    </>
  );
}

export interface AlterDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Amends price or size in one step, or cancels a part, which keeps the place in the queue. */
function AlterDialog({ order, onClose }: AlterDialogProps) {
  const symbol = useSymbol(order.symbol);
  const [price, setPrice] = useState(order.price);
  // Without the cancelled part, which the exchange counts in `order.size`.
  const [sizeBefore] = useState(() =>
    Decimal.of(order.dealSize).plus(Decimal.of(order.remainSize)).toString(),
  );
  const [size, setSize] = useState(sizeBefore);
  const [part, setPart] = useState('');
  const act = useAct();
  const alter = alterOrder(order, price, size === sizeBefore ? undefined : size);
  const cancel = cancelPart(order, part);
  const wrong = (text: string, increment: string | undefined, name: string): string | undefined => {
    if (text === '' || increment === undefined) return undefined;
    const value = Decimal.parse(text);
    return value !== null && !value.isZero && value.isMultipleOf(Decimal.of(increment))
      ? undefined
      : `Must be a positive multiple of ${name} ${increment}.`;
  };
  const priceError = wrong(price, symbol?.priceIncrement, 'priceIncrement');
  const sizeError = wrong(size, symbol?.baseIncrement, 'baseIncrement');
  const partError = wrong(part, symbol?.baseIncrement, 'baseIncrement');
  const isSame = price === order.price && size === sizeBefore;

  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      isBusy={act.isPending}
      title={`Alter the ${order.side} order`}
      about={`${order.symbol}, ${formatExact(order.remainSize)} open at ${formatExact(order.price)}`}
    >
      <form
        aria-label="New price and size"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(alter, {
            onSuccess: () => {
              showToast('done', 'Order altered', 'A new order has replaced it.');
              onClose();
            },
          });
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <DecimalField
            label="New price"
            value={price}
            onValue={setPrice}
            step={symbol?.priceIncrement}
            error={priceError}
          />
          <DecimalField
            label="New size, including the filled part"
            value={size}
            onValue={setSize}
            step={symbol?.baseIncrement}
            error={sizeError}
          />
        </div>
        <p className="text-xs text-faint">
          Cancels the order and places a new one, or does neither. The new order goes to the end of the queue
          at its price.
        </p>
        <div className="flex gap-2">
          <Button
            type="submit"
            kind="primary"
            isBusy={act.isPending}
            disabled={
              isSame || price === '' || size === '' || priceError !== undefined || sizeError !== undefined
            }
          >
            Alter
          </Button>
          <ShowMeButton action={alter} />
        </div>
      </form>
      <form
        aria-label="Cancel a part"
        className="mt-4 flex flex-col gap-3 border-t border-line pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(cancel, {
            onSuccess: () => {
              showToast('done', 'Part cancelled', 'The rest keeps its place in the queue.');
              onClose();
            },
          });
        }}
      >
        <DecimalField
          label="Or cancel a part; the rest keeps its place"
          value={part}
          onValue={setPart}
          step={symbol?.baseIncrement}
          error={partError}
          suffix={symbol?.baseCurrency}
        />
        <div className="flex gap-2">
          <Button type="submit" isBusy={act.isPending} disabled={part === '' || partError !== undefined}>
            Cancel this part
          </Button>
          <ShowMeButton action={cancel} />
        </div>
      </form>
      {act.isError && (
        <p role="alert" className="mt-3 text-xs break-words text-danger">
          {sentenceOf(act.error)}
        </p>
      )}
    </Dialog>
  );
}
