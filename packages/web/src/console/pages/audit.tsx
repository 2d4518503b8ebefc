/** The audit trail: who did what and why, newest first, also what was refused. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
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

const PAGE = 100;

export function Audit() {
  const trail = useInfiniteQuery({
    queryKey: ['operator', 'audit'],
    queryFn: ({ pageParam }) =>
      callOperator<Entry[]>('GET', pathWith('/v1/audit', { limit: String(PAGE), after: pageParam })),
    initialPageParam: '',
    getNextPageParam: (page: Entry[]) => (page.length < PAGE ? undefined : String(page.at(-1)!.id)),
  });
  const rows = trail.data?.pages.flat() ?? [];
  return (
    <Page
      title="Audit trail"
      about="Every change that an operator asked for, with who and why, also when it was refused. Secrets are not in it."
      actions={
        <Button size="small" onClick={() => void trail.refetch()}>
          Refresh
        </Button>
      }
    >
      {trail.isPending && <Loading label="Loading the audit trail" />}
      {trail.isError && <Failed error={trail.error} onRetry={() => void trail.refetch()} />}
      {trail.isSuccess && (
        <Table
          label="Entries"
          rows={rows}
          rowKey={({ id }) => String(id)}
          empty={<Empty icon="clock" title="Nobody has changed anything yet" />}
          columns={[
            { key: 'time', label: 'Time', cell: ({ time }) => timeOf(time) },
            { key: 'by', label: 'Who', cell: ({ by }) => <strong className="font-medium">{by}</strong> },
            { key: 'action', label: 'What', cell: ({ action }) => action },
            {
              key: 'outcome',
              label: 'Outcome',
              cell: ({ outcome }) => <Badge tone={outcome === 'done' ? 'up' : 'neutral'}>{outcome}</Badge>,
            },
            { key: 'why', label: 'Why', className: 'max-w-72 truncate', cell: ({ why }) => why },
            {
              key: 'details',
              label: 'Details',
              className: 'max-w-[28rem] truncate text-faint',
              cell: ({ details }) => {
                const text = visible(JSON.stringify(details));
                return <code title={text}>{text}</code>;
              },
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
