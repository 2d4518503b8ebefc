/** Withdrawals: what must be sent, and what became of the others. */

import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { DetailDialog } from '../operator/detail-dialog.tsx';
import { timeOf } from '../operator/time.ts';
import { useUserNames } from '../operator/user-names.ts';
import { pathWith, useOperatorQuery } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface Withdrawal {
  readonly withdrawalId: string;
  readonly userId: string;
  readonly currency: string;
  readonly chain: string;
  readonly amount: string;
  readonly fee: string;
  readonly address: string;
  readonly memo: string;
  readonly status: 'processing' | 'sent' | 'failed' | 'cancelled';
  readonly createdAt: string;
}

const TONES = { processing: 'warning', sent: 'up', failed: 'danger', cancelled: 'neutral' } as const;

export function Withdrawals() {
  const [status, setStatus] = useState('processing');
  const [shown, setShown] = useState('');
  const list = useOperatorQuery<{ readonly items: readonly Withdrawal[] }>(
    pathWith('/v1/withdrawals', { status, pageSize: '100' }),
  );
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  const settle = (row: Withdrawal, sent: boolean) =>
    button(
      {
        call: 'settle-withdrawal',
        title: sent ? `Sent: ${row.withdrawalId}` : `Not sent: ${row.withdrawalId}`,
        consequence: sent
          ? `${row.amount} ${row.currency} have left for ${row.address}: what was held leaves the exchange, with the fee. It cannot be taken back.`
          : `${row.amount} ${row.currency} and the fee go back to ${nameOf(row.userId)}.`,
        given: { withdrawalId: row.withdrawalId, sent },
        isDangerous: !sent,
      },
      sent ? 'sent' : 'not sent',
    );
  return (
    <Page
      title="Withdrawals"
      about="The money of a withdrawal is held until somebody says that it left, or did not. The newest 100 are shown."
      actions={
        <Segments
          label="Which withdrawals"
          value={status || 'all'}
          onValue={(value) => setStatus(value === 'all' ? '' : value)}
          choices={['processing', 'sent', 'failed', 'cancelled', 'all'].map((value) => ({
            value,
            label: value,
          }))}
        />
      }
    >
      <Answered query={list} label="the withdrawals">
        {({ items }) => (
          <Table
            label="Withdrawals found"
            rows={items}
            rowKey={({ withdrawalId }) => withdrawalId}
            empty={<Empty icon="exit" title="No withdrawal waits" />}
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
              { key: 'address', label: 'Address', cell: ({ address }) => <code>{address}</code> },
              { key: 'memo', label: 'Memo', cell: ({ memo }) => memo || '–' },
              {
                key: 'status',
                label: 'State',
                cell: (row) => <Badge tone={TONES[row.status]}>{row.status}</Badge>,
              },
              {
                key: 'do',
                label: 'Do',
                cell: (row) => (
                  <span className="flex gap-1">
                    <Button
                      size="small"
                      aria-label={`Look at ${row.withdrawalId}`}
                      onClick={() => setShown(row.withdrawalId)}
                    >
                      look
                    </Button>
                    {row.status === 'processing' && settle(row, true)}
                    {row.status === 'processing' && settle(row, false)}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Answered>
      {shown !== '' && (
        <DetailDialog title="Withdrawal" path={`/v1/withdrawals/${shown}`} onClose={() => setShown('')} />
      )}
      {dialog}
    </Page>
  );
}
