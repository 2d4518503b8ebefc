/** The user's orders, fills and balances, in the current market or in all markets. */

import type { Fill, Order } from '@bourse/client';
import { type ReactNode, useState } from 'react';
import { formatExact } from '../../decimal/decimal.ts';
import { BalanceTable } from '../../money/balance-table.tsx';
import { useSession } from '../../session/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { exactTime } from '../../ui/text.ts';
import { useFillsOfOrder, useOpenOrders, useOrder, useStopOrders } from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { OpenOrders } from './open-orders.tsx';
import { DoneOrders, Fills } from './past-orders.tsx';
import { StopOrders } from './stop-orders.tsx';

export function OrdersPanel() {
  const { symbol } = useMarket();
  const session = useSession();
  const [tab, setTab] = useState('open');
  const [isAll, setIsAll] = useState(false);
  const [life, setLife] = useState<Order>();
  const wanted = isAll ? undefined : symbol.symbol;
  const isWanted = (each: { readonly symbol: string }): boolean =>
    wanted === undefined || each.symbol === wanted;
  const open = useOpenOrders().data?.filter(isWanted).length ?? 0;
  const stops = useStopOrders().data?.filter(isWanted).length ?? 0;
  const content = (shown: React.ReactNode): React.ReactNode =>
    session === null ? (
      <Empty icon="user" title="You are not signed in">
        Your orders, fills and balances appear here.
      </Empty>
    ) : (
      shown
    );

  return (
    <>
      <Tabs
        label="Orders and balances"
        value={tab}
        onValue={setTab}
        className="h-full"
        aside={<Checkbox label="All markets" isChecked={isAll} onChecked={setIsAll} />}
        tabs={[
          {
            value: 'open',
            label: `Open orders (${open})`,
            content: content(<OpenOrders symbol={wanted} onLife={setLife} />),
          },
          {
            value: 'stops',
            label: `Stop & OCO (${stops})`,
            content: content(<StopOrders symbol={wanted} />),
          },
          {
            value: 'history',
            label: 'History',
            content: content(<DoneOrders key={wanted} symbol={wanted} onLife={setLife} />),
          },
          { value: 'fills', label: 'Fills', content: content(<Fills key={wanted} symbol={wanted} />) },
          { value: 'balances', label: 'Balances', content: content(<BalanceTable />) },
        ]}
      />
      {life !== undefined && <OrderLife order={life} onClose={() => setLife(undefined)} />}
    </>
  );
}

export interface OrderLifeProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** The history of one order, event by event: arrival, fills, end. */
function OrderLife({ order, onClose }: OrderLifeProps) {
  const now = useOrder(order.id, order.symbol);
  const fills = useFillsOfOrder(order.id, order.symbol);
  const error = now.error ?? fills.error;
  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      title={`Lifecycle of the ${order.side} order`}
      about={<code className="font-mono">{order.id}</code>}
    >
      {error !== null ? (
        <Failed error={error} />
      ) : now.data === undefined || fills.data === undefined ? (
        <Loading label="The order is loading" />
      ) : (
        <Events order={now.data} fills={fills.data.items} />
      )}
    </Dialog>
  );
}

function Events({ order, fills }: { readonly order: Order; readonly fills: readonly Fill[] }) {
  const [base, quote] = order.symbol.split('-');
  const isByFunds = order.type === 'market' && order.size === '0';
  const amount = isByFunds ? `${formatExact(order.funds)} ${quote}` : `${formatExact(order.size)} ${base}`;
  return (
    <ol aria-label="Events" className="flex flex-col">
      <Event time={order.createdAt} title="received">
        {order.side} {amount}{' '}
        {order.type === 'limit' ? `at ${formatExact(order.price)} ${quote}` : 'at market'}
        {order.type === 'limit' && `, ${order.timeInForce}`}
      </Event>
      {fills.toReversed().map((fill) => (
        <Event key={fill.id} time={fill.createdAt} title="match">
          {formatExact(fill.size)} {base} at {formatExact(fill.price)} {quote}, as {fill.liquidity}, fee{' '}
          {formatExact(fill.fee)} {fill.feeCurrency}; trade {fill.tradeId}, against order{' '}
          {fill.counterOrderId}
        </Event>
      ))}
      {order.active ? (
        <Event title="open">
          {formatExact(order.remainSize)} {base} {order.hidden ? 'rest hidden' : 'rest in the book'}
          {order.cancelledSize !== '0' && `; ${formatExact(order.cancelledSize)} were cancelled`}
        </Event>
      ) : (
        <Event time={order.lastUpdatedAt} title={order.cancelExist ? 'canceled' : 'filled'}>
          {order.cancelExist
            ? `${isByFunds ? `${formatExact(order.cancelledFunds)} ${quote}` : `${formatExact(order.cancelledSize)} ${base}`} cancelled: ${order.doneReason ?? ''}`
            : 'completely'}
          ; it {order.inOrderBook ? 'had rested in the book' : 'never rested in the book'}, fees in all{' '}
          {formatExact(order.fee)} {order.feeCurrency}
        </Event>
      )}
    </ol>
  );
}

interface EventProps {
  readonly time?: number;
  readonly title: string;
  readonly children: ReactNode;
}

function Event({ time, title, children }: EventProps) {
  return (
    <li className="relative border-l border-line-strong pb-4 pl-4 last:pb-0">
      <span aria-hidden="true" className="absolute top-1.5 -left-[4.5px] size-2 rounded-full bg-accent" />
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{title}</span>
        <span className="text-xs text-faint">{time === undefined ? 'now' : exactTime(time)}</span>
      </p>
      <p className="text-xs break-words text-muted">{children}</p>
    </li>
  );
}
