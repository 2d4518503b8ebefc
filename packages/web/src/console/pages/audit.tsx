/** The audit trail: who did what and why, newest first, including rejected calls; searched, filtered and saved. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Badge, Empty, Failed, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { saveCsv } from '../../ui/text.ts';
import { callOperator } from '../operator/operator.ts';
import { pathWith } from '../operator/queries.tsx';
import type { Facts } from '../proposals/proposal.ts';
import { type ChangedFact, changesOf } from '../proposals/sentence.ts';
import { timeOf, wordsOf } from '../words.ts';
import { Page } from './page.tsx';

interface Entry {
  readonly id: number;
  readonly seq: number;
  readonly time: string;
  readonly by: string;
  readonly operator: { readonly kind: string } | null;
  readonly approvedBy: readonly string[];
  readonly why: string;
  readonly from: string | null;
  readonly action: string;
  readonly outcome: string;
  readonly details: Facts;
  readonly before: Facts | null;
}

/** The API's largest page. The search covers the loaded entries. */
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
      ['id', 'time', 'by', 'approvedBy', 'from', 'action', 'outcome', 'why', 'record', 'before', 'details'],
      rows.map(({ id, time, by, approvedBy, from, action, outcome, why, seq, before, details }) =>
        [
          id,
          time,
          by,
          approvedBy.join(' '),
          from ?? '',
          action,
          outcome,
          why,
          seq,
          before === null ? '' : JSON.stringify(before),
          JSON.stringify(details),
        ].map(String),
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
      about="Every change an operator requested, with name and reason, including rejected ones. It contains no secrets."
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
            <Empty icon="clock" title={loaded.length === 0 ? 'No changes yet' : 'No loaded entry matches'} />
          }
          columns={[
            { key: 'time', label: 'Time', cell: ({ time }) => timeOf(time) },
            {
              key: 'by',
              label: 'Who',
              cell: ({ by, approvedBy }) => (
                <>
                  <strong className="font-medium">{by}</strong>
                  {approvedBy.length > 0 && (
                    <span className="text-muted">, approved by {approvedBy.join(', ')}</span>
                  )}
                </>
              ),
            },
            { key: 'from', label: 'From', cell: ({ from }) => from ?? '–' },
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
              cell: (entry) => <Details {...entry} />,
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

/** Fields that had a value before and have no new one: of a removal, or the state that a decision ended. */
function removed(before: Facts | null, details: Facts): ChangedFact[] {
  const only = Object.entries(before ?? {}).filter(([name]) => !Object.hasOwn(details, name));
  return changesOf(null, Object.fromEntries(only)).map(({ name, after }) => ({
    name: `${name} before`,
    before: undefined,
    after,
  }));
}

/** The changes in one line; all details when opened. */
function Details({ details, before }: Pick<Entry, 'details' | 'before'>) {
  const changes = [...changesOf(before, details), ...removed(before, details)];
  const line = changes
    .filter(({ after }) => !after.includes('\n'))
    .map((fact) => `${fact.name} ${fact.before === undefined ? '' : `${fact.before} → `}${fact.after}`)
    .join(', ');
  return (
    <details className="text-xs">
      <summary className="cursor-pointer truncate text-muted">{line || 'nothing else'}</summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
        {changes.map((fact) => (
          <div key={fact.name} className="contents">
            <dt className="text-faint">{fact.name}</dt>
            <dd className="min-w-0 break-words whitespace-pre-wrap">
              {fact.before !== undefined && <span className="text-muted">{fact.before} → </span>}
              {fact.after}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
