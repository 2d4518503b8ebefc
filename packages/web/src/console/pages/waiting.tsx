/** What waits for an operator: how many of each, and the way there. */

import { Link } from 'wouter';
import { classNames } from '../../ui/class-names.ts';
import { useOperatorQuery } from '../operator/use-operator-query.ts';

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
