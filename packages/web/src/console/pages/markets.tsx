/** Markets with their states and terms. */

import { formatExact } from '../../decimal/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { type Actions, useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { Notices } from './notices.tsx';
import { Page } from './page.tsx';
import { Totals } from './totals.tsx';

interface Market {
  readonly symbol: string;
  readonly name: string;
  readonly state: 'open' | 'cancel-only' | 'halted';
  readonly enableTrading: boolean;
  readonly baseIncrement: string;
  readonly priceIncrement: string;
  readonly baseMinSize: string;
  readonly baseMaxSize: string;
  readonly minFunds: string | null;
  readonly priceLimitRate: string;
}

const TONES = { open: 'up', 'cancel-only': 'warning', halted: 'danger' } as const;

const EFFECTS: Readonly<Record<Market['state'], string>> = {
  open: 'Orders are taken and matched again, and orders that rest may be filled at once.',
  'cancel-only': 'New orders are refused; orders that rest stay and may be cancelled.',
  halted: 'Orders and cancels are refused. Orders that rest stay where they are, with what they hold.',
};

export function Markets() {
  const markets = useOperatorQuery<Market[]>('/v1/symbols');
  const actions = useActions();
  return (
    <div className="flex flex-col gap-3">
      <Page
        title="Markets"
        about="A state holds for everybody at once. Changed terms are for new orders; orders that rest stay as they are."
        actions={actions.button({
          call: 'add-symbol',
          title: 'Add a market',
          consequence:
            'The market is listed, halted unless a state is chosen, so that it can be looked at first.',
        })}
      >
        <Answered query={markets} label="the markets">
          {(rows) => (
            <>
              <Totals
                label="Markets in figures"
                totals={[
                  { name: 'Open', count: rows.filter(({ state }) => state === 'open').length },
                  {
                    name: 'Cancel only',
                    count: rows.filter(({ state }) => state === 'cancel-only').length,
                    isWarning: true,
                  },
                  {
                    name: 'Halted',
                    count: rows.filter(({ state }) => state === 'halted').length,
                    isWarning: true,
                  },
                ]}
              />
              <Table
                label="Listed markets"
                rows={rows}
                rowKey={({ symbol }) => symbol}
                empty={<Empty title="No market is listed yet" />}
                columns={[
                  { key: 'symbol', label: 'Symbol', cell: ({ symbol }) => <strong>{symbol}</strong> },
                  {
                    key: 'state',
                    label: 'State',
                    cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>,
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
                    label: 'Least funds',
                    isFigure: true,
                    cell: (row) => formatExact(row.minFunds),
                  },
                  { key: 'limit', label: 'Price limit', isFigure: true, cell: (row) => row.priceLimitRate },
                  { key: 'do', label: 'Do', cell: (row) => <RowActions market={row} actions={actions} /> },
                ]}
              />
            </>
          )}
        </Answered>
        {actions.dialog}
      </Page>
      <Notices />
    </div>
  );
}

function RowActions({ market, actions }: { readonly market: Market; readonly actions: Actions }) {
  const { symbol, state } = market;
  const given = { symbol };
  const states = (['open', 'cancel-only', 'halted'] as const).filter((each) => each !== state);
  return (
    <span className="flex gap-1">
      {states.map((next) =>
        actions.button(
          {
            call: 'set-market-state',
            title: `Set ${symbol} to ${next}`,
            consequence: `${symbol} goes from ${state} to ${next}. ${EFFECTS[next]}`,
            given: { symbol, state: next },
            isDangerous: next !== 'open',
          },
          next,
        ),
      )}
      {actions.button(
        {
          call: 'change-symbol',
          title: `Change the terms of ${symbol}`,
          consequence: 'New orders are held to the new terms; orders that rest stay as they are.',
          given,
          before: market,
        },
        'terms',
      )}
      {actions.button(
        {
          call: 'import-candles',
          title: `Import candles of ${symbol}`,
          consequence: 'The candles stand before its first trade here, and cannot be taken back.',
          given,
        },
        'candles',
      )}
      {actions.button(
        {
          call: 'remove-symbol',
          title: `Remove ${symbol}`,
          consequence:
            'It is removed with its fee rules. Refused where anything was ever traded or shown in it, or waits.',
          given,
          isDangerous: true,
        },
        'remove',
      )}
    </span>
  );
}
