/** The user's portfolio: the figures of `bourse report`, over time and by asset. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LineChart } from '../console/figures/line-chart.tsx';
import { Decimal, formatExact } from '../decimal/decimal.ts';
import { useCurrencies } from '../exchange/market-data.ts';
import {
  fundedPart,
  type InventoryRow,
  loadReport,
  PERIODS,
  placesIn,
  type ReportData,
} from '../report/report-data.ts';
import { SelectField } from '../ui/field.tsx';
import { Figure } from '../ui/figure.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { classNames, dateTime } from '../ui/text.ts';

/** Long, because the exchange computes a report from the log. */
const REFRESH_MS = 15_000;
const AMOUNT_PLACES = 8;

export default function Portfolio({ user }: { readonly user: string }) {
  const [currency, setCurrency] = useState('USDT');
  const [period, setPeriod] = useState<string>('0');
  const currencies = useCurrencies().data ?? [];
  const asked = { user, period, currency };
  const { data, error, refetch } = useQuery({
    queryKey: ['report', asked],
    queryFn: () => loadReport(asked),
    refetchInterval: REFRESH_MS,
  });
  return (
    <div className="flex min-h-full flex-col">
      <div className="flex flex-wrap items-end gap-3 border-b border-line p-3">
        <SelectField
          label="Worth in"
          value={currency}
          choices={[...new Set(['USDT', ...currencies.map((each) => each.currency)])].map((code) => ({
            value: code,
            label: code,
          }))}
          onValue={setCurrency}
          className="w-28"
        />
        <SelectField label="Period" value={period} choices={PERIODS} onValue={setPeriod} className="w-36" />
      </div>
      {error !== null && data === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading label="Loading the portfolio" lines={8} />
      ) : (
        <Shown report={data} />
      )}
    </div>
  );
}

function Shown({ report }: { readonly report: ReportData }) {
  const { pnl, currency } = report;
  const curve = fundedPart(report.curve);
  const places = placesIn(currency);
  const rows = report.inventory.filter(
    ({ end, traded, moved }) => end !== '0' || traded !== '0' || moved !== '0',
  );
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 p-3 sm:grid-cols-3 lg:grid-cols-6">
        <Fact name={`Worth in ${currency}`} isLarge>
          <Figure value={pnl.worthAtEnd} places={places} />
        </Fact>
        <Fact name="Profit and loss" isLarge>
          <Gain value={pnl.total} places={places} />
        </Fact>
        <Fact name="Realised">
          <Gain value={pnl.realised} places={places} />
        </Fact>
        <Fact name="Unrealised">
          <Gain value={pnl.unrealised} places={places} />
        </Fact>
        <Fact name="Fees">
          <Figure value={pnl.fees} places={places} />
        </Fact>
        <Fact name="Deposits minus withdrawals">
          <Figure value={pnl.moved} places={places} />
        </Fact>
      </dl>
      <figure aria-label={`Worth over time in ${currency}`} className="px-3 pb-2">
        <LineChart
          isFromZero={false}
          times={curve.map(({ time }) => time / 1_000)}
          lines={[{ label: 'Worth', colour: '--accent', values: curve.map(({ worth }) => Number(worth)) }]}
          show={(value) => value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 4 })}
        />
        <figcaption className="text-2xs text-faint">
          Both accounts valued at the prices of each time, from {dateTime(report.from)} to{' '}
          {dateTime(report.until)}. Opening balances are valued at the prices of the start.
        </figcaption>
      </figure>
      <Table
        label="Assets"
        columns={columnsOf(currency, places, Decimal.of(pnl.worthAtEnd))}
        rows={rows}
        rowKey={(row) => row.currency}
        empty={<Empty icon="wallet" title="No balances yet" />}
      />
    </>
  );
}

function columnsOf(currency: string, places: number, whole: Decimal): readonly Column<InventoryRow>[] {
  const figure = (key: 'averageCost' | 'price' | 'worth', label: string): Column<InventoryRow> => ({
    key,
    label,
    isFigure: true,
    cell: (row) => <Figure value={row[key]} places={places} />,
  });
  const gain = (key: 'realised' | 'unrealised', label: string): Column<InventoryRow> => ({
    key,
    label,
    isFigure: true,
    cell: (row) => <Gain value={row[key]} places={places} />,
  });
  return [
    {
      key: 'currency',
      label: 'Asset',
      isTitle: true,
      cell: (row) => <span className="font-medium">{row.currency}</span>,
    },
    {
      key: 'end',
      label: 'Amount',
      isFigure: true,
      cell: (row) => <Figure value={row.end} places={AMOUNT_PLACES} />,
    },
    figure('averageCost', `Average entry ${currency}`),
    figure('price', `Price ${currency}`),
    figure('worth', `Worth ${currency}`),
    { key: 'share', label: 'Share', isFigure: true, cell: (row) => shareOf(row.worth, whole) },
    gain('realised', 'Realised'),
    gain('unrealised', 'Unrealised'),
    {
      key: 'fees',
      label: 'Fees paid',
      isFigure: true,
      cell: (row) => <Figure value={row.fees} places={AMOUNT_PLACES} />,
    },
  ];
}

function shareOf(worth: string | null, whole: Decimal): string {
  if (worth === null || whole.isZero) return '–';
  const percent = Decimal.of(worth).times(new Decimal(100n, 0)).dividedBy(whole, 1);
  return `${formatExact(percent.toFixed(1))} %`;
}

/** A signed figure, coloured as up or down. */
function Gain({ value, places }: { readonly value: string | null; readonly places: number }) {
  if (value === null) return <>–</>;
  const sign = Decimal.of(value).compare(Decimal.zero);
  return (
    <span className={sign > 0 ? 'text-up' : sign < 0 ? 'text-down' : ''}>
      <Figure value={value} places={places} isSigned />
    </span>
  );
}

interface FactProps {
  readonly name: string;
  readonly isLarge?: boolean;
  readonly children: React.ReactNode;
}

function Fact({ name, isLarge = false, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className={classNames('break-words', isLarge && 'text-base font-semibold')}>{children}</dd>
    </div>
  );
}
