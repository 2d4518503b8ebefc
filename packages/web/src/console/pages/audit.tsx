/** The audit trail: who did what and why, newest first, even what was refused; searched, filtered and saved. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { saveCsv } from '../../terminal/orders/csv.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { visible } from '../../ui/visible.ts';
import { Table } from '../../ui/table.tsx';
import { callOperator } from '../operator/operator.ts';
import { timeOf } from '../operator/time.ts';
import { pathWith } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface Entry {
  readonly id: number;
  readonly seq: number;
  readonly time: string;
  readonly by: string;
  readonly why: string;
  readonly action: string;
  readonly outcome: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** As many as the interface gives at once: what is searched is what was loaded. */
const PAGE = 500;
const ANY = '';

export function Audit() {
  const trail = useInfiniteQuery({
    queryKey: ['operator', 'audit'],
    queryFn: ({ pageParam }) =>
      callOperator<Entry[]>('GET', pathWith('/v1/audit', { limit: String(PAGE), after: pageParam })),
    initialPageParam: '',
    getNextPageParam: (page: Entry[]) => (page.length < PAGE ? undefined : String(page.at(-1)!.id)),
  });
  const [wanted, setWanted] = useState({ text: '', by: ANY, action: ANY, outcome: ANY });
  const loaded = trail.data?.pages.flat() ?? [];
  const rows = loaded.filter((entry) => isWanted(entry, wanted));
  const save = (): void =>
    saveCsv(
      'bourse-audit.csv',
      ['id', 'time', 'by', 'action', 'outcome', 'why', 'record', 'details'],
      rows.map(({ id, time, by, action, outcome, why, seq, details }) =>
        [id, time, by, action, outcome, why, seq, JSON.stringify(details)].map(String),
      ),
    );
  const filter = (name: 'by' | 'action' | 'outcome', label: string) => (
    <SelectField
      label={label}
      value={wanted[name]}
      choices={[
        { value: ANY, label: 'All' },
        ...[...new Set(loaded.map((entry) => entry[name]))]
          .toSorted()
          .map((value) => ({ value, label: wordsOf(value) })),
      ]}
      onValue={(value) => setWanted({ ...wanted, [name]: value })}
      className="w-44"
    />
  );
  return (
    <Page
      title="Audit trail"
      about="Every change that an operator asked for, with who and why, also when it was refused. Secrets are not in it."
      actions={
        <>
          <Button size="small" disabled={rows.length === 0} onClick={save}>
            Save as CSV
          </Button>
          <Button size="small" onClick={() => void trail.refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-end gap-3 border-b border-line px-3 py-2">
        <TextField
          label="Search"
          type="search"
          placeholder="A name, a reason, an id"
          value={wanted.text}
          onValue={(text) => setWanted({ ...wanted, text })}
          className="w-64"
        />
        {filter('by', 'Who')}
        {filter('action', 'What')}
        {filter('outcome', 'Outcome')}
        <p role="status" className="pb-1.5 text-xs text-faint">
          {rows.length.toLocaleString('en')} of {loaded.length.toLocaleString('en')} loaded entries
        </p>
      </div>
      {trail.isPending && <Loading label="Loading the audit trail" />}
      {trail.isError && <Failed error={trail.error} onRetry={() => void trail.refetch()} />}
      {trail.isSuccess && (
        <Table
          label="Entries"
          rows={rows}
          rowKey={({ id }) => String(id)}
          empty={
            <Empty
              icon="clock"
              title={loaded.length === 0 ? 'Nobody has changed anything yet' : 'No loaded entry fits'}
            />
          }
          columns={[
            { key: 'time', label: 'Time', cell: ({ time }) => timeOf(time) },
            { key: 'by', label: 'Who', cell: ({ by }) => <strong className="font-medium">{by}</strong> },
            { key: 'action', label: 'What', cell: ({ action }) => wordsOf(action) },
            {
              key: 'outcome',
              label: 'Outcome',
              cell: ({ outcome }) => <Badge tone={outcome === 'done' ? 'up' : 'neutral'}>{outcome}</Badge>,
            },
            { key: 'why', label: 'Why', className: 'max-w-72 truncate', cell: ({ why }) => why },
            {
              key: 'details',
              label: 'Details',
              className: 'max-w-[28rem]',
              cell: ({ details }) => <Details details={details} />,
            },
            { key: 'seq', label: 'Record', isFigure: true, cell: ({ seq }) => seq },
          ]}
        />
      )}
      {trail.hasNextPage && (
        <p className="p-3">
          <Button size="small" isBusy={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
            Older
          </Button>
        </p>
      )}
    </Page>
  );
}

interface Wanted {
  readonly text: string;
  readonly by: string;
  readonly action: string;
  readonly outcome: string;
}

function isWanted(entry: Entry, { text, by, action, outcome }: Wanted): boolean {
  if ((by !== ANY && entry.by !== by) || (action !== ANY && entry.action !== action)) return false;
  if (outcome !== ANY && entry.outcome !== outcome) return false;
  const words = `${entry.by} ${entry.why} ${entry.action} ${JSON.stringify(entry.details)}`.toLowerCase();
  return words.includes(text.trim().toLowerCase());
}

/** `set-market-state` as people say it. */
const wordsOf = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What matters in a line; everything when it is opened. */
function Details({ details }: { readonly details: Entry['details'] }) {
  const facts = Object.entries(details).filter(
    ([name, value]) => name !== 'userId' && (typeof value !== 'object' || value === null),
  );
  const line = facts.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  return (
    <details className="text-xs">
      <summary className="cursor-pointer truncate text-muted">{visible(line) || 'nothing else'}</summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
        {Object.entries(details).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="min-w-0 break-words whitespace-pre-wrap">
              {visible(typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
