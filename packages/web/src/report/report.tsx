/** A user's trading report over a period, with the profit curve. Only in a sandbox. */

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LineChart } from '../console/figures/line-chart.tsx';
import { formatMoney } from '../decimal/decimal.ts';
import { useRememberedUser } from '../session/person.ts';
import { useSession } from '../session/session.ts';
import { LostBanner } from '../shell/connection-state.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Figure as Amount } from '../ui/figure.tsx';
import { Panel } from '../ui/panel.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Table, type TableProps } from '../ui/table.tsx';
import { dateTime } from '../ui/text.ts';
import {
  type Counted,
  type InventoryRow,
  loadReport,
  PERIODS,
  placesIn,
  type RateLimitRow,
  type ReportAsked,
  type ReportData,
  type SymbolRow,
} from './report-data.ts';

export default function Report() {
  useRememberedUser();
  const session = useSession();
  const [given, setGiven] = useState<Partial<ReportAsked>>({});
  const first: ReportAsked = { user: session?.name ?? 'alice', period: '0', currency: 'USDT' };
  const asked = { ...first, ...given };
  const [shown, setShown] = useState<ReportAsked | null>(null);
  const wanted = shown ?? first;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['report', wanted],
    queryFn: () => loadReport(wanted),
    refetchOnWindowFocus: false,
  });
  const show = (): void => {
    setShown(asked);
    void refetch();
  };
  return (
    <div className="flex h-dvh flex-col">
      <TopBar />
      <LostBanner />
      <main className="mx-auto flex min-h-0 w-full max-w-6xl flex-1 flex-col gap-1.5 overflow-y-auto p-1.5">
        <h1 className="sr-only">Report</h1>
        <Panel title="Report" className="shrink-0">
          <form
            aria-label="Report"
            className="flex flex-wrap items-end gap-3 p-3"
            onSubmit={(event) => {
              event.preventDefault();
              show();
            }}
          >
            <TextField
              label="User"
              value={asked.user}
              onValue={(user) => setGiven({ ...given, user })}
              className="w-40"
            />
            <SelectField
              label="Period"
              value={asked.period}
              choices={PERIODS}
              onValue={(period) => setGiven({ ...given, period })}
              className="w-36"
            />
            <TextField
              label="Currency"
              value={asked.currency}
              onValue={(currency) => setGiven({ ...given, currency: currency.toUpperCase() })}
              className="w-28"
            />
            <Button type="submit" kind="primary" isBusy={isFetching}>
              Show
            </Button>
          </form>
        </Panel>
        {error !== null ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading label="Preparing the report" lines={8} />
        ) : (
          <Shown report={data} />
        )}
      </main>
    </div>
  );
}

function Shown({ report }: { readonly report: ReportData }) {
  const { pnl, fills, orders, slippage, curve, currency, requests } = report;
  const places = placesIn(currency);
  const counts = (list: readonly Counted[]): string =>
    list.map(({ code, count }) => `${count} ${code}`).join(', ') || 'none';
  return (
    <>
      <Panel title={`Profit and loss in ${currency}`} className="shrink-0">
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 p-3 sm:grid-cols-3 lg:grid-cols-6">
          <Figure name="Total" isLarge>
            <Amount value={pnl.total} places={places} isSigned />
          </Figure>
          <Figure name="Realised">
            <Amount value={pnl.realised} places={places} isSigned />
          </Figure>
          <Figure name="Unrealised">
            <Amount value={pnl.unrealised} places={places} isSigned />
          </Figure>
          <Figure name="Fees">
            <Amount value={pnl.fees} places={places} />
          </Figure>
          <Figure name="From trading">
            <Amount value={pnl.trading} places={places} isSigned />
          </Figure>
          <Figure name="From holding">
            <Amount value={pnl.holding} places={places} isSigned />
          </Figure>
        </dl>
        <figure aria-label={`Profit curve of ${report.user}`} className="px-3 pb-2">
          <LineChart
            isFromZero={false}
            times={curve.map(({ time }) => time / 1000)}
            lines={[
              { label: 'Total', colour: '--accent', values: curve.map((point) => Number(point.pnl)) },
              { label: 'From trading', colour: '--up', values: curve.map((point) => Number(point.trading)) },
            ]}
            show={(value) => value.toLocaleString('en', { maximumFractionDigits: 2 })}
          />
          <figcaption className="text-2xs text-faint">
            <Key colour="bg-accent">Total</Key>, <Key colour="bg-up">from trading</Key>, compared with holding
            the opening balances; from {dateTime(report.from)} to {dateTime(report.until)}.
          </figcaption>
        </figure>
      </Panel>
      <Panel title="Orders and fills" className="shrink-0">
        <dl className="grid grid-cols-1 gap-x-4 gap-y-2 p-3 sm:grid-cols-2 lg:grid-cols-3">
          <Figure name="Orders" text={`${orders.placed} placed, ${orders.open} open`} />
          <Figure name="Done" text={counts(orders.done)} />
          <Figure name="Rejected by the exchange" text={counts(orders.refused)} />
          <Figure name="Fills" text={`${fills.count}: ${fills.maker} as maker, ${fills.taker} as taker`} />
          <Figure
            name="Turnover"
            text={`${formatMoney(fills.turnover, '0.01')} ${currency}, ${share(fills.makerShare)} of it as maker`}
          />
          <Figure
            name="Slippage from the midpoint"
            text={`taker ${slippage.taker.bp} bp, maker ${slippage.maker.bp} bp`}
          />
          <Figure name="Requests" text={String(requests.total)} />
          <Figure
            name="Rejected requests"
            text={
              requests.refused.map(({ code, count, message }) => `${count} ${code} ${message}`).join('; ') ||
              'none'
            }
          />
        </dl>
      </Panel>
      <TablePanel
        title="Symbols"
        label="Trading by symbol"
        columns={SYMBOL_COLUMNS}
        rows={report.symbols}
        rowKey={(row) => row.symbol}
      />
      <TablePanel
        title="Inventory"
        label="Inventory by currency"
        columns={INVENTORY_COLUMNS}
        rows={report.inventory}
        rowKey={(row) => row.currency}
      />
      <TablePanel
        title="Rate limits"
        label="Use of rate limits"
        columns={LIMIT_COLUMNS}
        rows={requests.rateLimits}
        rowKey={(row) => row.pool}
      />
    </>
  );
}

function TablePanel<Row>({ title, ...table }: TableProps<Row> & { readonly title: string }) {
  return (
    <Panel title={title} className="shrink-0">
      <Table {...table} />
    </Panel>
  );
}

const share = (decimal: string): string => `${(Number(decimal) * 100).toFixed(1)} %`;

interface KeyProps {
  readonly colour: string;
  readonly children: string;
}

/** The legend of one line of the chart. */
function Key({ colour, children }: KeyProps) {
  return (
    <span className="whitespace-nowrap">
      <span aria-hidden="true" className={`mr-1 inline-block size-2 rounded-full ${colour}`} />
      {children}
    </span>
  );
}

interface FigureProps {
  readonly name: string;
  readonly text?: string;
  readonly isLarge?: boolean;
  readonly children?: ReactNode;
}

function Figure({ name, text, isLarge = false, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className={isLarge ? 'text-base font-semibold break-words' : 'break-words'}>{text ?? children}</dd>
    </div>
  );
}

type Key<Row> = Extract<keyof Row, string>;

const figure = <Row,>(key: Key<Row>, label: string) => ({
  key,
  label,
  amount: (row: Row) => (row[key] === null ? null : String(row[key])),
});

const SYMBOL_COLUMNS = [
  { key: 'symbol', label: 'Symbol', isTitle: true, cell: (row: SymbolRow) => row.symbol },
  figure<SymbolRow>('orders', 'Orders'),
  figure<SymbolRow>('maker', 'Fills as maker'),
  figure<SymbolRow>('taker', 'As taker'),
  figure<SymbolRow>('bought', 'Bought'),
  figure<SymbolRow>('sold', 'Sold'),
  figure<SymbolRow>('turnover', 'Turnover'),
  figure<SymbolRow>('fees', 'Fees'),
];

const INVENTORY_COLUMNS = [
  { key: 'currency', label: 'Currency', isTitle: true, cell: (row: InventoryRow) => row.currency },
  figure<InventoryRow>('start', 'At the start'),
  figure<InventoryRow>('moved', 'Moved'),
  figure<InventoryRow>('traded', 'Traded'),
  figure<InventoryRow>('fees', 'Fees'),
  figure<InventoryRow>('end', 'At the end'),
  figure<InventoryRow>('averageCost', 'Average cost'),
  figure<InventoryRow>('price', 'Price'),
  figure<InventoryRow>('realised', 'Realised'),
  figure<InventoryRow>('unrealised', 'Unrealised'),
];

const LIMIT_COLUMNS = [
  { key: 'pool', label: 'Pool', isTitle: true, cell: (row: RateLimitRow) => row.pool },
  figure<RateLimitRow>('limit', 'Limit per window'),
  figure<RateLimitRow>('peak', 'Peak in a window'),
  figure<RateLimitRow>('used', 'Total'),
  figure<RateLimitRow>('refused', 'Refused'),
];
