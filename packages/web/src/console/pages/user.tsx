/** One user: state, money, keys, orders and fills. */

import { useState } from 'react';
import { Link } from 'wouter';
import { formatExact } from '../../decimal/decimal.ts';
import { TextField } from '../../ui/field.tsx';
import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { type Actions, useActions } from '../action/action-dialog.tsx';
import type { Action } from '../action/action.ts';
import { DepositEffect } from '../action/effects.tsx';
import { Answered, pathWith, useOperatorQuery, type UserRow, useUserNames } from '../operator/queries.tsx';
import { isFrozen, userState } from '../user-state.ts';
import { timeOf, valueLabel } from '../words.ts';
import { Statement } from './money.tsx';
import { Page } from './page.tsx';
import { UserStanding } from './user-standing.tsx';

interface Balance {
  /** MAIN or TRADE. */
  readonly type: string;
  readonly currency: string;
  readonly available: string;
  readonly holds: string;
}

export function User({ userId }: { readonly userId: string }) {
  const path = `/v1/users/${encodeURIComponent(userId)}`;
  const user = useOperatorQuery<UserRow>(path);
  const balances = useOperatorQuery<Balance[]>(`${path}/balances`);
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  return (
    <div className="flex flex-col gap-3">
      <Answered query={user} label="the user">
        {(row) => (
          <section
            aria-label={row.name}
            className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border border-line bg-panel px-4 py-3"
          >
            <div>
              <Link href="/console/users" className="text-xs text-muted hover:text-text">
                Users
              </Link>
              <h2 className="text-base font-semibold">{row.name}</h2>
            </div>
            <p className="text-xs text-muted">
              {row.userId}
              {row.parentId !== null && <>, sub-account of {nameOf(row.parentId)}</>}
            </p>
            <p className="text-xs text-muted">Tier {row.tier}</p>
            <Badge tone={isFrozen(row) ? 'danger' : 'up'}>{userState(row)}</Badge>
            <span className="flex min-w-[min(30rem,100%)] flex-1 flex-wrap justify-end gap-2">
              {button(row.frozen ? unfreezingOf(row) : freezingOf(row))}
              {button({
                call: 'cancel-user-orders',
                title: `Cancel orders of ${row.name}`,
                consequence:
                  'Cancels all orders of the user, or those in one symbol. The user sees the reason.',
                given: { userId },
                isDangerous: true,
              })}
              {button({
                call: 'close-user',
                title: `Close ${row.name}`,
                consequence: 'Permanent: keys and sessions end. Only possible without money and orders.',
                given: { userId },
                isDangerous: true,
              })}
              {button({
                call: 'change-user',
                title: `Change the tier of ${row.name}`,
                consequence: 'The user gets the rate limits of the tier immediately.',
                given: { userId },
                before: { tier: row.tier, frozen: row.frozen },
              })}
              {row.parentId === null &&
                button({
                  call: 'add-user',
                  title: `Add a sub-account of ${row.name}`,
                  consequence: 'A sub-account without keys and money.',
                  given: { parentId: userId },
                })}
            </span>
          </section>
        )}
      </Answered>
      <div className="grid items-start gap-3 xl:grid-cols-2">
        <Page
          title="Balances"
          actions={button({
            call: 'report-deposit',
            title: 'Report a deposit',
            effect: (body) => <DepositEffect body={body} />,
            consequence:
              'The money is credited to MAIN, or waits for a questionnaire where the Travel Rule asks for one. The same txId is credited once.',
            given: { userId },
          })}
        >
          <Answered query={balances} label="the balances">
            {(rows) => (
              <Table
                label="Accounts"
                className="max-h-[26rem]"
                rows={rows}
                rowKey={({ type, currency }) => `${type} ${currency}`}
                empty={<Empty icon="wallet" title="All accounts are empty" />}
                columns={[
                  { key: 'account', label: 'Account', cell: ({ type }) => type },
                  { key: 'currency', label: 'Currency', cell: ({ currency }) => currency },
                  { key: 'available', label: 'Available', amount: (row) => row.available },
                  { key: 'hold', label: 'Held', amount: (row) => row.holds },
                ]}
              />
            )}
          </Answered>
        </Page>
        <UserKeys userId={userId} />
      </div>
      <UserOrders userId={userId} />
      <Statement
        path={`${path}/statement`}
        name={user.data?.name ?? userId}
        about="Opening balance, every entry of the period and closing balance of each account and currency."
      />
      <UserStanding userId={userId} name={user.data?.name ?? userId} />
      {dialog}
    </div>
  );
}

const freezingOf = ({ userId, name }: UserRow): Action => ({
  call: 'freeze-user',
  title: `Freeze ${name}`,
  consequence: 'Blocks what the level covers. Resting orders stay, and the user may cancel them.',
  given: { userId, withSubAccounts: true },
  suggested: { level: 'all' },
  isDangerous: true,
});

/** Freezes that sub-accounts have of their own may have other reasons: as in the API, they stay unless asked for. */
const unfreezingOf = ({ userId, name, parentId }: UserRow): Action => ({
  call: 'unfreeze-user',
  title: `Unfreeze ${name}`,
  ...(parentId === null
    ? {
        consequence:
          'The user may trade and withdraw again, and so may sub-accounts that were frozen only with it. “With sub-accounts” also lifts the freezes that sub-accounts have of their own.',
        suggested: { withSubAccounts: false },
      }
    : { consequence: 'The user may trade and withdraw again.', left: ['withSubAccounts'] }),
  given: { userId },
});

interface Key {
  readonly apiKey: string;
  readonly version: number;
  readonly permissions: readonly string[];
  readonly ipAllowList: readonly string[];
}

/** The API keys of one user, without their secrets: a secret is shown once, when it is made. */
function UserKeys({ userId }: { readonly userId: string }) {
  const keys = useOperatorQuery<Key[]>(`/v1/users/${encodeURIComponent(userId)}/keys`);
  const { button, dialog } = useActions();
  return (
    <Page
      title="Keys"
      actions={button({
        call: 'add-key',
        title: 'Add a key',
        consequence: 'The secret is shown once, in the response. Pass it on before you close the dialog.',
        given: { userId },
        suggested: { permissions: ['General'] },
      })}
    >
      <Answered query={keys} label="the keys">
        {(rows) => (
          <Table
            label="Keys of the user"
            rows={rows}
            rowKey={({ apiKey }) => apiKey}
            empty={<Empty icon="key" title="No key: this user cannot sign anything" />}
            columns={[
              { key: 'key', label: 'Key', cell: ({ apiKey }) => <code>{apiKey}</code> },
              { key: 'may', label: 'May', cell: ({ permissions }) => permissions.join(', ') || 'nothing' },
              { key: 'from', label: 'From', cell: ({ ipAllowList }) => ipAllowList.join(', ') || 'anywhere' },
              {
                key: 'do',
                label: 'Actions',
                cell: (row) => (
                  <span className="flex gap-1">
                    {button(
                      {
                        call: 'change-key',
                        title: `Change the key ${row.apiKey}`,
                        consequence: 'Permissions and IP allow-list apply immediately.',
                        given: { apiKey: row.apiKey },
                        before: row,
                      },
                      'Change',
                    )}
                    {button(
                      {
                        call: 'remove-key',
                        title: `Remove the key ${row.apiKey}`,
                        consequence:
                          'The key is rejected immediately, and its order entry connections are closed.',
                        given: { apiKey: row.apiKey },
                        isDangerous: true,
                      },
                      'Remove',
                    )}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}

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

/** The user's orders and fills, as the user's own lists show them. */
function UserOrders({ userId }: { readonly userId: string }) {
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
              label: 'Actions',
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
