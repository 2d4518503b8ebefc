/** Every change of a balance, as booked by the exchange. */

import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { exactTime, saveCsv } from '../ui/text.ts';
import { type LedgerEntry, useAccounts, useLedger } from '../user/user-queries.ts';

const ALL = '';

export function Ledger() {
  const [currency, setCurrency] = useState(ALL);
  const [page, setPage] = useState(1);
  const [day, setDay] = useState('');
  const startAt = day === '' ? undefined : Date.parse(day);
  const ledger = useLedger(currency === ALL ? undefined : currency, startAt, page);
  const accounts = useAccounts().data ?? [];
  const currencies = [...new Set(accounts.map((each) => each.currency))].toSorted();
  const entries = ledger.data?.items ?? [];
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-end gap-2 p-3">
        <SelectField
          label="Currency"
          value={currency}
          className="w-40"
          onValue={(value) => {
            setCurrency(value);
            setPage(1);
          }}
          choices={[
            { value: ALL, label: 'All' },
            ...currencies.map((code) => ({ value: code, label: code })),
          ]}
        />
        <TextField
          label="Day (UTC); empty for the last 24 hours"
          type="date"
          value={day}
          onValue={(value) => {
            setDay(value);
            setPage(1);
          }}
          className="w-56"
        />
        <span className="flex-1" />
        <Button size="small" kind="quiet" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Newer
        </Button>
        <Button
          size="small"
          kind="quiet"
          disabled={page >= (ledger.data?.totalPage ?? 1)}
          onClick={() => setPage(page + 1)}
        >
          Older
        </Button>
        <Button
          size="small"
          disabled={entries.length === 0}
          onClick={() => saveCsv('ledger.csv', head, entries.map(rowOf))}
        >
          Save as CSV
        </Button>
      </div>
      <div className="min-h-0 flex-1">
        {ledger.isError && ledger.data === undefined ? (
          <Failed error={ledger.error} onRetry={() => void ledger.refetch()} />
        ) : ledger.data === undefined ? (
          <Loading label="The ledger is loading" />
        ) : (
          <Table
            label="Ledger"
            columns={columns}
            rows={entries}
            rowKey={(entry) => entry.id}
            empty={
              <Empty
                title={`No balance has changed ${day === '' ? 'in the last 24 hours' : 'on that day'}`}
              />
            }
          />
        )}
      </div>
    </div>
  );
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['TRADE_EXCHANGE', 'Trade'],
  ['DEPOSIT', 'Deposit'],
  ['WITHDRAW', 'Withdrawal'],
  ['TRANSFER', 'Transfer'],
  ['SUB_TRANSFER', 'Transfer of a sub-account'],
  ['CORRECTION', 'Correction'],
]);

const columns: readonly Column<LedgerEntry>[] = [
  {
    key: 'time',
    label: 'Time',
    cell: (entry) => exactTime(Number(entry.createdAt)),
    className: 'text-muted',
  },
  { key: 'account', label: 'Account', cell: (entry) => entry.accountType },
  {
    key: 'cause',
    label: 'Cause',
    isTitle: true,
    cell: (entry) => CAUSES.get(entry.bizType) ?? entry.bizType,
  },
  {
    key: 'amount',
    label: 'Change',
    isTitle: true,
    isSigned: true,
    amount: (entry) => (entry.direction === 'in' ? entry.amount : `-${entry.amount}`),
    unit: (entry) => entry.currency,
  },
  { key: 'fee', label: 'Fee', amount: (entry) => entry.fee, className: 'text-muted' },
  { key: 'balance', label: 'Balance after', amount: (entry) => entry.balance },
  {
    key: 'context',
    label: 'Of',
    cell: (entry) => contextText(entry.context),
    className: 'max-w-80 truncate text-faint',
  },
];

/** The order, trade or transfer behind the entry. */
function contextText(context: string): string {
  try {
    return Object.entries(JSON.parse(context) as Readonly<Record<string, unknown>>)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ');
  } catch {
    return context;
  }
}

const head = [
  'id',
  'time',
  'account',
  'cause',
  'direction',
  'amount',
  'fee',
  'balance',
  'currency',
  'context',
];

const rowOf = (entry: LedgerEntry): string[] => [
  entry.id,
  new Date(Number(entry.createdAt)).toISOString(),
  entry.accountType,
  entry.bizType,
  entry.direction,
  entry.amount,
  entry.fee,
  entry.balance,
  entry.currency,
  entry.context,
];
