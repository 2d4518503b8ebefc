/** What the queues of deposits, withdrawals and questionnaires share. */

import { Link } from 'wouter';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { visible } from '../../ui/visible.ts';
import type { Action } from '../action/action.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { labelOf } from '../words.ts';

export interface DetailDialogProps {
  readonly title: string;
  /** Below `/operator`. */
  readonly path: string;
  readonly onClose: () => void;
}

/** One thing as the operator's interface shows it, asked for when it is looked at. */
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

/** What waits for an operator: how many of each, and the way there. */
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
