/** Deposits, the questionnaires that they wait for, and the addresses that they arrive at. */

import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { DepositEffect } from '../action/effects.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { DetailDialog } from '../operator/detail-dialog.tsx';
import { timeOf } from '../operator/time.ts';
import { useUserNames } from '../operator/user-names.ts';
import { pathWith, useOperatorQuery } from '../operator/use-operator-query.ts';
import { Addresses } from './addresses.tsx';
import { Page } from './page.tsx';
import { Questionnaires } from './questionnaires.tsx';

const TONES = { waiting: 'warning', review: 'warning', refused: 'danger', credited: 'up' } as const;

interface Deposit {
  readonly depositId: string;
  readonly status: keyof typeof TONES;
  readonly failureCode: string | null;
  readonly userId: string;
  readonly currency: string;
  readonly chain: string;
  readonly amount: string;
  readonly fee: string;
  readonly txId: string;
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
              choices={[...Object.keys(TONES), 'all'].map((value) => ({ value, label: value }))}
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
              empty={<Empty icon="download" title="No pending deposit" />}
              columns={[
                { key: 'time', label: 'Time', cell: ({ createdAt }) => timeOf(createdAt) },
                { key: 'user', label: 'User', cell: ({ userId }) => nameOf(userId) },
                {
                  key: 'amount',
                  label: 'Amount',
                  isFigure: true,
                  cell: (row) => `${row.amount} ${row.currency}`,
                },
                { key: 'fee', label: 'Fee', isFigure: true, cell: ({ fee }) => fee },
                { key: 'chain', label: 'Chain', cell: ({ chain }) => chain },
                { key: 'tx', label: 'Transaction', cell: ({ txId }) => txId },
                {
                  key: 'status',
                  label: 'State',
                  cell: (row) => (
                    <Badge tone={TONES[row.status]}>
                      {row.failureCode === null ? row.status : `${row.status}: ${row.failureCode}`}
                    </Badge>
                  ),
                },
                {
                  key: 'look',
                  label: 'Look',
                  cell: ({ depositId }) => (
                    <Button
                      size="small"
                      aria-label={`Look at ${depositId}`}
                      onClick={() => setShown(depositId)}
                    >
                      look
                    </Button>
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
