/** What the queues of deposits, withdrawals and questionnaires share. */

import { Link } from 'wouter';
import { Dialog } from '../../ui/dialog.tsx';
import type { Column } from '../../ui/table.tsx';
import { classNames, visible } from '../../ui/text.ts';
import type { Action } from '../action/action.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { labelOf, timeOf } from '../words.ts';

export interface DetailDialogProps {
  readonly title: string;
  /** Below `/operator`. */
  readonly path: string;
  readonly onClose: () => void;
}

/** One object as the operator API returns it, requested when the dialog opens. */
export function DetailDialog({ title, path, onClose }: DetailDialogProps) {
  const query = useOperatorQuery<Readonly<Record<string, unknown>>>(path);
  return (
    <Dialog isOpen onOpen={(isOpen) => !isOpen && onClose()} title={title}>
      <Answered query={query} label={title}>
        {(answer) => (
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-xs">
            {Object.entries(answer).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{labelOf(name)}</dt>
                <dd className="min-w-0 break-words whitespace-pre-wrap">{textOf(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </Answered>
    </Dialog>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === '') return '–';
  return visible(typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value));
}

interface Movement {
  readonly createdAt: string;
  readonly userId: string;
  readonly amount: string;
  readonly currency: string;
  readonly fee: string;
  readonly chain: string;
}

/** The columns that deposits and withdrawals have in common. */
export const movementColumns = (nameOf: (userId: string) => string): readonly Column<Movement>[] => [
  { key: 'time', label: 'Time', cell: ({ createdAt }) => timeOf(createdAt) },
  { key: 'user', label: 'User', cell: ({ userId }) => nameOf(userId) },
  { key: 'amount', label: 'Amount', amount: (row) => row.amount, unit: (row) => row.currency },
  { key: 'fee', label: 'Fee', amount: ({ fee }) => fee },
  { key: 'chain', label: 'Chain', cell: ({ chain }) => chain },
];

/** Assignment of queue entries: the same two buttons for deposits, withdrawals and questionnaires. */
export const assignment = (call: string, what: string, given: NonNullable<Action['given']>): Action => ({
  call,
  title: `Assign ${what}`,
  consequence:
    'Other operators see the assignment. Leave it empty to assign it to yourself. Anyone with the role may still act on it.',
  given,
});

export const release = (call: string, what: string, given: NonNullable<Action['given']>): Action => ({
  call,
  title: `Release ${what}`,
  consequence: 'It is no longer assigned to anybody.',
  given,
});

const LISTS = [
  { title: 'Deposits waiting', path: '/v1/deposits?status=waiting&pageSize=1', to: '/console/deposits' },
  {
    title: 'Questionnaires to decide',
    path: '/v1/questionnaires?status=pending&pageSize=1',
    to: '/console/deposits',
  },
  {
    title: 'Withdrawals to pay',
    path: '/v1/withdrawals?status=processing&pageSize=1',
    to: '/console/withdrawals',
  },
  {
    title: 'Withdrawals being paid',
    path: '/v1/withdrawals?status=paying&pageSize=1',
    to: '/console/withdrawals',
  },
];

/** Queues with pending entries: the number, and a link. */
export function Waiting() {
  return (
    <section aria-label="What waits" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {LISTS.map((list) => (
        <Count key={list.title} {...list} />
      ))}
    </section>
  );
}

function Count({ title, path, to }: (typeof LISTS)[number]) {
  const { data } = useOperatorQuery<{ readonly totalNum: number }>(path);
  return (
    <Link
      href={to}
      className="flex items-center justify-between rounded-lg border border-line bg-panel px-4 py-3 hover:bg-hover"
    >
      <span className="text-muted">{title}</span>
      <strong className={classNames('text-base font-semibold', (data?.totalNum ?? 0) > 0 && 'text-warning')}>
        {data?.totalNum ?? '–'}
      </strong>
    </Link>
  );
}
