/** Deposits, the questionnaires that they wait for, and the addresses that they arrive at. */

import { useState } from 'react';
import { formatExact } from '../../decimal/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import type { Action } from '../action/action.ts';
import { DepositEffect, ReversedDepositEffect } from '../action/effects.tsx';
import { useActions } from '../action/use-action.tsx';
import { assignment, DetailDialog, release } from './queues.tsx';
import { Answered, pathWith, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { DEPOSIT_STATES, timeOf } from '../words.ts';
import { Addresses } from './addresses.tsx';
import { Page } from './page.tsx';
import { Questionnaires } from './questionnaires.tsx';

interface Deposit {
  readonly depositId: string;
  readonly status: keyof typeof DEPOSIT_STATES;
  readonly failureCode: string | null;
  readonly userId: string;
  readonly currency: string;
  readonly chain: string;
  readonly amount: string;
  readonly fee: string;
  readonly txId: string;
  readonly assigned: string | null;
  readonly createdAt: string;
}

export function Deposits() {
  const [status, setStatus] = useState('waiting');
  const [shown, setShown] = useState('');
  const deposits = useOperatorQuery<{ readonly items: readonly Deposit[] }>(
    pathWith('/v1/deposits', { status, pageSize: '100' }),
  );
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  return (
    <div className="flex flex-col gap-3">
      <Page
        title="Deposits"
        about="A deposit under the Travel Rule is pending until its questionnaire is accepted. The newest 100 are shown."
        actions={
          <>
            <Segments
              label="Which deposits"
              value={status || 'all'}
              onValue={(value) => setStatus(value === 'all' ? '' : value)}
              choices={[
                ...Object.entries(DEPOSIT_STATES).map(([value, { short }]) => ({ value, label: short })),
                { value: 'all', label: 'All' },
              ]}
            />
            {button({
              call: 'report-deposit',
              title: 'Report a deposit',
              effect: (body) => <DepositEffect body={body} />,
              consequence:
                'The money is credited to the user’s MAIN account, or waits for a questionnaire. The same txId is credited once.',
            })}
          </>
        }
      >
        <Answered query={deposits} label="the deposits">
          {({ items }) => (
            <Table
              label="Deposits found"
              rows={items}
              rowKey={({ depositId }) => depositId}
              empty={
                <Empty
                  icon="download"
                  title={status === 'waiting' ? 'No pending deposit' : 'No such deposit'}
                />
              }
              columns={[
                { key: 'time', label: 'Time', cell: ({ createdAt }) => timeOf(createdAt) },
                { key: 'user', label: 'User', cell: ({ userId }) => nameOf(userId) },
                { key: 'amount', label: 'Amount', amount: (row) => row.amount, unit: (row) => row.currency },
                { key: 'fee', label: 'Fee', amount: ({ fee }) => fee },
                { key: 'chain', label: 'Chain', cell: ({ chain }) => chain },
                { key: 'tx', label: 'Transaction', cell: ({ txId }) => txId },
                {
                  key: 'status',
                  label: 'State',
                  cell: (row) => (
                    <Badge tone={DEPOSIT_STATES[row.status].tone}>
                      {row.failureCode === null
                        ? DEPOSIT_STATES[row.status].label
                        : `${DEPOSIT_STATES[row.status].label}: ${row.failureCode}`}
                    </Badge>
                  ),
                },
                { key: 'assigned', label: 'Assigned to', cell: ({ assigned }) => assigned ?? '–' },
                {
                  key: 'do',
                  label: 'Do',
                  isAction: true,
                  cell: (row) => (
                    <span className="flex gap-1">
                      <Button
                        size="small"
                        aria-label={`Look at ${row.depositId}`}
                        onClick={() => setShown(row.depositId)}
                      >
                        Look
                      </Button>
                      {isOpen(row) && button(assigneeOf(row), row.assigned === null ? 'Assign' : 'Release')}
                      {(row.status === 'refused' || row.status === 'waiting') &&
                        button(returnOf(row, nameOf(row.userId)), 'Return')}
                      {row.status === 'credited' && button(reversalOf(row, nameOf(row.userId)), 'Reverse')}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Answered>
      </Page>
      <Questionnaires />
      <Addresses />
      {shown !== '' && (
        <DetailDialog title="Deposit" path={`/v1/deposits/${shown}`} onClose={() => setShown('')} />
      )}
      {dialog}
    </div>
  );
}

const isOpen = ({ status }: Deposit): boolean => status !== 'credited' && status !== 'returned';

const assigneeOf = ({ depositId, assigned }: Deposit): Action =>
  assigned === null
    ? assignment('assign-deposit', depositId, { depositId })
    : release('release-deposit', depositId, { depositId });

/** For a deposit that was never credited and was sent back. */
const returnOf = (row: Deposit, name: string): Action => ({
  call: 'return-deposit',
  title: `Return the deposit of ${name}`,
  effect: () => (
    <p className="text-sm">
      <strong>
        {formatExact(row.amount)} {row.currency}
      </strong>{' '}
      went back to its sender. <strong>{name}</strong> gets nothing: MAIN stays as it is.
    </p>
  ),
  consequence: 'Confirm only if the money was sent back. A returned deposit can no longer be accepted.',
  given: { depositId: row.depositId },
  isDangerous: true,
});

/** For a deposit credited by mistake. */
const reversalOf = (row: Deposit, name: string): Action => ({
  call: 'correct',
  title: `Reverse the deposit of ${name}`,
  effect: () => <ReversedDepositEffect of={row} name={name} />,
  consequence:
    'New postings reverse the deposit. Nothing is erased, and the correction can itself be reversed. Rejected if the money was spent.',
  given: { kind: 'reverse', depositId: row.depositId },
  questions: { fields: [], bodyOf: () => ({}) },
  isDangerous: true,
});
