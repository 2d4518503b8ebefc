/** Orders and fills of one user, as the user's own lists show them. */

import { useState } from 'react';
import { formatExact } from '../../decimal/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import type { Action } from '../action/action.ts';
import { type Actions, useActions } from '../action/use-action.tsx';
import { Answered, pathWith, useOperatorQuery } from '../operator/queries.tsx';
import { timeOf, valueLabel } from '../words.ts';
import { Page } from './page.tsx';

interface Order {
  readonly id: string;
  readonly clientOid: string;
  readonly symbol: string;
  readonly type: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly dealSize: string;
  readonly active: boolean;
  readonly cancelExist: boolean;
  readonly remark: string | null;
  readonly createdAt: number;
}

interface Fill {
  readonly id: number;
  readonly orderId: string;
  readonly tradeId: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly liquidity: string;
  readonly price: string;
  readonly size: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly createdAt: number;
}

type List = 'active' | 'done' | 'fills';

const sideColumn = {
  key: 'side',
  label: 'Side',
  cell: ({ side }: { readonly side: 'buy' | 'sell' }) => (
    <Badge tone={side === 'buy' ? 'up' : 'down'}>{side === 'buy' ? 'Buy' : 'Sell'}</Badge>
  ),
};

export function UserOrders({ userId }: { readonly userId: string }) {
  const [list, setList] = useState<List>('active');
  const [symbol, setSymbol] = useState('');
  const actions = useActions();
  const base = `/v1/users/${encodeURIComponent(userId)}`;
  return (
    <Page
      title="Orders and fills"
      actions={
        <Segments
          label="Which"
          value={list}
          onValue={(value) => setList(value as List)}
          choices={[
            { value: 'active', label: 'Active' },
            { value: 'done', label: 'Done' },
            { value: 'fills', label: 'Fills' },
          ]}
        />
      }
    >
      <div className="border-b border-line px-3 py-2">
        <TextField
          label="Symbol"
          isLabelHidden
          placeholder="Symbol, such as BTC-USDT"
          value={symbol}
          onValue={(value) => setSymbol(value.toUpperCase())}
          className="max-w-72"
        />
      </div>
      {list === 'fills' ? (
        <Fills path={pathWith(`${base}/fills`, { symbol })} />
      ) : (
        <Orders path={pathWith(`${base}/orders`, { status: list, symbol })} actions={actions} />
      )}
      {actions.dialog}
    </Page>
  );
}

/** Describes the order as the user's own lists do, so that operator and user recognise it. */
const cancelOf = ({ id, side, symbol, price, size, dealSize }: Order): Action => ({
  call: 'cancel-order',
  title: `Cancel order ${id}`,
  consequence: `Ends the order to ${side} ${formatExact(size)} in ${symbol}${price === '' || price === '0' ? '' : ` at ${formatExact(price)}`}, of which ${formatExact(dealSize)} are filled. Its hold is released, and the user sees your reason.`,
  given: { order: id },
  isDangerous: true,
});

function Orders({ path, actions }: { readonly path: string; readonly actions: Actions }) {
  const orders = useOperatorQuery<{ readonly items: readonly Order[] }>(path);
  return (
    <Answered query={orders} label="the orders">
      {({ items }) => (
        <Table
          label="Orders"
          rows={items}
          rowKey={({ id }) => id}
          empty={<Empty title="No orders" />}
          columns={[
            { key: 'time', label: 'Time', cell: ({ createdAt }) => timeOf(createdAt) },
            { key: 'symbol', label: 'Symbol', cell: (row) => row.symbol },
            sideColumn,
            { key: 'type', label: 'Type', cell: ({ type }) => valueLabel(type) },
            { key: 'price', label: 'Price', amount: ({ price }) => price },
            { key: 'size', label: 'Size', amount: ({ size }) => size },
            { key: 'deal', label: 'Filled', amount: ({ dealSize }) => dealSize },
            { key: 'state', label: 'State', cell: (order) => <Badge>{stateOf(order)}</Badge> },
            { key: 'remark', label: 'Remark', cell: ({ remark }) => remark ?? '' },
            { key: 'id', label: 'Id', cell: ({ id }) => <code className="text-faint">{id}</code> },
            {
              key: 'do',
              label: 'Do',
              isAction: true,
              cell: (order) => order.active && actions.button(cancelOf(order), 'Cancel'),
            },
          ]}
        />
      )}
    </Answered>
  );
}

function stateOf({ active, cancelExist }: Order): string {
  if (active) return 'Active';
  return cancelExist ? 'Cancelled' : 'Filled';
}

function Fills({ path }: { readonly path: string }) {
  const fills = useOperatorQuery<{ readonly items: readonly Fill[] }>(path);
  return (
    <Answered query={fills} label="the fills">
      {({ items }) => (
        <Table
          label="Fills"
          rows={items}
          rowKey={({ id }) => String(id)}
          empty={<Empty title="No fills" />}
          columns={[
            { key: 'time', label: 'Time', cell: ({ createdAt }) => timeOf(createdAt) },
            { key: 'symbol', label: 'Symbol', cell: (row) => row.symbol },
            sideColumn,
            { key: 'as', label: 'As', cell: ({ liquidity }) => valueLabel(liquidity) },
            { key: 'price', label: 'Price', amount: ({ price }) => price },
            { key: 'size', label: 'Size', amount: ({ size }) => size },
            { key: 'fee', label: 'Fee', amount: ({ fee }) => fee, unit: ({ feeCurrency }) => feeCurrency },
            { key: 'trade', label: 'Trade', isFigure: true, cell: ({ tradeId }) => tradeId },
            {
              key: 'order',
              label: 'Order',
              cell: ({ orderId }) => <code className="text-faint">{orderId}</code>,
            },
          ]}
        />
      )}
    </Answered>
  );
}
