/** Markets with their states and terms. */

import { formatExact } from '../../decimal/decimal.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuLine } from '../../ui/menu.tsx';
import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { type Actions, useActions } from '../action/action-dialog.tsx';
import type { Action } from '../action/action.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { timeOf } from '../words.ts';
import { Page, Totals } from './page.tsx';
import { Notices, Schedule } from './schedule.tsx';

interface Market {
  readonly symbol: string;
  readonly name: string;
  readonly state: keyof typeof STATES;
  readonly enableTrading: boolean;
  readonly baseIncrement: string;
  readonly priceIncrement: string;
  readonly baseMinSize: string;
  readonly baseMaxSize: string;
  readonly minFunds: string | null;
  readonly priceLimitRate: string;
}

const STATES = {
  open: {
    label: 'Open',
    tone: 'up',
    effect: 'Orders are accepted and matched; open orders may be filled immediately.',
  },
  'post-only': {
    label: 'Post only',
    tone: 'warning',
    effect: 'Orders that rest are accepted; nothing trades.',
  },
  'cancel-only': {
    label: 'Cancel only',
    tone: 'warning',
    effect: 'New orders are rejected; open orders stay and can be cancelled.',
  },
  halted: {
    label: 'Halted',
    tone: 'danger',
    effect: 'Orders and cancels are rejected. Open orders stay, with their holds.',
  },
  auction: { label: 'Auction', tone: 'warning', effect: '' },
  delisted: {
    label: 'Delisted',
    tone: 'danger',
    effect: 'All orders are cancelled and their holds released. A delisted market does not come back.',
  },
} as const;

export function Markets() {
  const markets = useOperatorQuery<Market[]>('/v1/symbols');
  const actions = useActions();
  return (
    <div className="flex flex-col gap-3">
      <Page
        title="Markets"
        about="A state applies immediately. Changed terms apply to new orders; open orders stay as they are."
        actions={
          <>
            <Pause actions={actions} />
            {actions.button({
              call: 'add-symbol',
              title: 'Add a market',
              consequence: 'Lists the market; halted unless you choose another state.',
            })}
          </>
        }
      >
        <Answered query={markets} label="the markets">
          {(rows) => (
            <>
              <Totals
                label="Market totals"
                totals={Object.entries(STATES).map(([name, { label }]) => ({
                  name: label,
                  count: rows.filter(({ state }) => state === name).length,
                  isWarning: name !== 'open',
                }))}
              />
              <Table
                label="Listed markets"
                rows={rows}
                rowKey={({ symbol }) => symbol}
                empty={<Empty title="No markets listed yet" />}
                columns={[
                  { key: 'symbol', label: 'Symbol', cell: ({ symbol }) => <strong>{symbol}</strong> },
                  {
                    key: 'state',
                    label: 'State',
                    cell: (row) => <State market={row} />,
                  },
                  { key: 'tick', label: 'Price step', isFigure: true, cell: (row) => row.priceIncrement },
                  { key: 'lot', label: 'Size step', isFigure: true, cell: (row) => row.baseIncrement },
                  {
                    key: 'min',
                    label: 'Smallest',
                    isFigure: true,
                    cell: (row) => formatExact(row.baseMinSize),
                  },
                  {
                    key: 'max',
                    label: 'Largest',
                    isFigure: true,
                    cell: (row) => formatExact(row.baseMaxSize),
                  },
                  {
                    key: 'funds',
                    label: 'Minimum funds',
                    isFigure: true,
                    cell: (row) => formatExact(row.minFunds),
                  },
                  { key: 'limit', label: 'Price limit', isFigure: true, cell: (row) => row.priceLimitRate },
                  {
                    key: 'do',
                    label: 'Actions',
                    isAction: true,
                    cell: (row) => <RowActions market={row} actions={actions} />,
                  },
                ]}
              />
            </>
          )}
        </Answered>
        {actions.dialog}
      </Page>
      <Schedule />
      <Notices />
    </div>
  );
}

function State({ market: { symbol, state } }: { readonly market: Market }) {
  const { label, tone } = STATES[state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {state === 'auction' && <Indicative symbol={symbol} />}
    </>
  );
}

interface Auction {
  readonly endsAt: number | null;
  readonly price: string | null;
  readonly size: string;
}

/** The indicative result of the auction. */
function Indicative({ symbol }: { readonly symbol: string }) {
  const { data } = useOperatorQuery<Auction>(`/v1/symbols/${encodeURIComponent(symbol)}/auction`);
  if (data === undefined || data.endsAt === null) return null;
  return (
    <span className="ml-2 text-muted">
      until {timeOf(data.endsAt)}: {data.price === null ? 'no cross' : `${data.size} at ${data.price}`}
    </span>
  );
}

/** Stops and starts every market together. */
function Pause({ actions }: { readonly actions: Actions }) {
  const { data } = useOperatorQuery<{ readonly paused: boolean }>('/v1/pause');
  if (data === undefined) return null;
  if (!data.paused) {
    return actions.button({
      call: 'pause-exchange',
      title: 'Pause the exchange',
      consequence:
        'Every market stops: no orders, no changes, no cancels, until you resume. Deposits and withdrawals continue.',
      isDangerous: true,
    });
  }
  return (
    <>
      <Badge tone="danger">Exchange paused</Badge>
      {actions.button({
        call: 'resume-exchange',
        title: 'Resume the exchange',
        consequence: 'Every market returns to its own state. Auctions that are due end.',
      })}
    </>
  );
}

function RowActions({ market, actions }: { readonly market: Market; readonly actions: Actions }) {
  const { symbol, state } = market;
  const given = { symbol };
  const stateAction = (next: keyof typeof STATES): Action => ({
    call: 'set-market-state',
    title: `Set ${symbol} to ${STATES[next].label.toLowerCase()}`,
    consequence: `${symbol} goes from ${STATES[state].label.toLowerCase()} to ${STATES[next].label.toLowerCase()}. ${STATES[next].effect}`,
    given: { symbol, state: next },
    isDangerous: next !== 'open',
  });
  const states = (['open', 'cancel-only', 'halted'] as const).filter((each) => each !== state);
  return (
    <span className="flex items-center gap-1">
      {states.map((next) => actions.button(stateAction(next), STATES[next].label))}
      {actions.button(
        {
          call: 'change-symbol',
          title: `Change the terms of ${symbol}`,
          consequence: 'The new terms apply to new orders; open orders stay as they are.',
          given,
          before: market,
        },
        'Terms',
      )}
      {actions.mayChange && (
        <Menu trigger={<IconButton icon="chevronDown" size="small" label={`More for ${symbol}`} />}>
          {state === 'auction'
            ? actions.item({
                call: 'cancel-auction',
                title: `Cancel the auction of ${symbol}`,
                consequence: 'The auction ends without a trade. The market is halted, with its orders.',
                given,
                isDangerous: true,
              })
            : actions.item({
                call: 'begin-auction',
                title: `Begin an auction in ${symbol}`,
                consequence:
                  'Limit orders are collected without matching. At the end, all that can trade do so at one price.',
                given,
                suggested: { endsInMs: 600_000, thenState: 'open' },
              })}
          {state !== 'post-only' && actions.item(stateAction('post-only'))}
          {actions.item({
            call: 'import-candles',
            title: `Import candles of ${symbol}`,
            consequence: 'The candles precede the first trade of the market here. They cannot be removed.',
            given,
          })}
          <MenuLine />
          {actions.item({
            call: 'cancel-symbol-orders',
            title: `Cancel all orders in ${symbol}`,
            consequence: `Cancels all orders of all users in ${symbol}, including stop and OCO orders. Their holds are released, and the users see your reason. A large book takes a while; new orders wait meanwhile.`,
            given,
            isDangerous: true,
          })}
          {state !== 'delisted' && actions.item(stateAction('delisted'))}
          {actions.item({
            call: 'remove-symbol',
            title: `Remove ${symbol}`,
            consequence: 'Removes the market and its fee rules. Rejected if it ever had an order or a trade.',
            given,
            isDangerous: true,
          })}
        </Menu>
      )}
    </span>
  );
}
