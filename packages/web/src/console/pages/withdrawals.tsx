/** Withdrawals: claim, pay, and the outcomes. */

import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { NotSentEffect, ReversedWithdrawalEffect, SentEffect } from '../action/effects.tsx';
import { Answered, pathWith, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { timeOf, WITHDRAWAL_STATES } from '../words.ts';
import { Page } from './page.tsx';
import { assignment, DetailDialog, movementColumns, release } from './queues.tsx';

interface Withdrawal {
  readonly withdrawalId: string;
  readonly userId: string;
  readonly currency: string;
  readonly chain: string;
  readonly amount: string;
  readonly fee: string;
  readonly address: string;
  readonly memo: string;
  readonly status: keyof typeof WITHDRAWAL_STATES;
  readonly claimedBy: string | null;
  readonly claimedAt: string | null;
  readonly assigned: string | null;
  readonly createdAt: string;
}

export function Withdrawals() {
  const [status, setStatus] = useState('processing');
  const [shown, setShown] = useState('');
  const list = useOperatorQuery<{ readonly items: readonly Withdrawal[] }>(
    pathWith('/v1/withdrawals', { status, pageSize: '100' }),
  );
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  const claim = (row: Withdrawal) =>
    button(
      {
        call: 'claim-withdrawal',
        title: `Claim: ${row.withdrawalId}`,
        consequence: `You pay ${row.amount} ${row.currency} to ${row.address}. ${nameOf(row.userId)} can no longer cancel, and nobody else can claim it.`,
        given: { withdrawalId: row.withdrawalId },
      },
      'Claim',
    );
  const unclaim = (row: Withdrawal) =>
    button(
      {
        call: 'unclaim-withdrawal',
        title: `Unclaim: ${row.withdrawalId}`,
        consequence: `Only if nothing was paid: ${nameOf(row.userId)} may cancel again, and anybody may claim it. ${claimOf(row)}.`,
        given: { withdrawalId: row.withdrawalId },
        isDangerous: true,
      },
      'Unclaim',
    );
  const advance = (row: Withdrawal) =>
    button(
      {
        call: 'advance-withdrawal',
        title: `Advance: ${row.withdrawalId}`,
        consequence:
          'The progress of the payment: signed, broadcast, sent with its transaction id, or failed, which returns the money. Once signed, it can no longer be unclaimed.',
        given: { withdrawalId: row.withdrawalId },
      },
      'Advance',
    );
  const assignee = ({ withdrawalId, assigned }: Withdrawal) =>
    assigned === null
      ? button(assignment('assign-withdrawal', withdrawalId, { withdrawalId }), 'Assign')
      : button(release('release-withdrawal', withdrawalId, { withdrawalId }), 'Release');
  const settle = (row: Withdrawal, sent: boolean) =>
    button(
      {
        call: 'settle-withdrawal',
        title: sent ? `Sent: ${row.withdrawalId}` : `Not sent: ${row.withdrawalId}`,
        effect: () =>
          sent ? (
            <SentEffect of={row} name={nameOf(row.userId)} address={row.address} />
          ) : (
            <NotSentEffect of={row} name={nameOf(row.userId)} />
          ),
        consequence: sent
          ? 'Confirm only if it was paid: the held amount leaves the exchange, which cannot be undone.'
          : 'Confirm only if it was not paid and will not be.',
        given: { withdrawalId: row.withdrawalId, sent },
        // Required, because a later enquiry needs the transaction or the reason for its absence.
        required: [sent ? 'txId' : 'failureReason'],
        left: [sent ? 'failureReason' : 'txId'],
        isDangerous: !sent,
      },
      sent ? 'Sent' : 'Not sent',
    );
  const reverse = (row: Withdrawal) =>
    button(
      {
        call: 'correct',
        title: `Reverse: ${row.withdrawalId}`,
        effect: () => <ReversedWithdrawalEffect of={row} name={nameOf(row.userId)} />,
        consequence:
          'Confirm only if the payment came back. New postings reverse the withdrawal. Nothing is erased, and the correction can itself be reversed.',
        given: { kind: 'reverse', withdrawalId: row.withdrawalId },
        questions: { fields: [], bodyOf: () => ({}) },
        isDangerous: true,
      },
      'Reverse',
    );
  return (
    <Page
      title="Withdrawals"
      about="Claim a withdrawal before you pay it: from then on its user cannot cancel it. Then report that it was sent, or was not. The newest 100 are shown."
      actions={
        <Segments
          label="Which withdrawals"
          value={status || 'all'}
          onValue={(value) => setStatus(value === 'all' ? '' : value)}
          choices={[
            ...Object.entries(WITHDRAWAL_STATES).map(([value, { label }]) => ({ value, label })),
            { value: 'all', label: 'All' },
          ]}
        />
      }
    >
      <Answered query={list} label="the withdrawals">
        {({ items }) => (
          <Table
            label="Withdrawals found"
            rows={items}
            rowKey={({ withdrawalId }) => withdrawalId}
            empty={
              <Empty
                icon="exit"
                title={status === 'processing' ? 'No pending withdrawal' : 'No such withdrawal'}
              />
            }
            columns={[
              ...movementColumns(nameOf),
              { key: 'address', label: 'Address', cell: ({ address }) => <code>{address}</code> },
              { key: 'memo', label: 'Memo', cell: ({ memo }) => memo || '–' },
              {
                key: 'status',
                label: 'State',
                cell: (row) => (
                  <Badge tone={WITHDRAWAL_STATES[row.status].tone}>
                    {WITHDRAWAL_STATES[row.status].label}
                  </Badge>
                ),
              },
              {
                key: 'claim',
                label: 'Claimed',
                cell: (row) => (row.claimedBy === null ? '–' : claimOf(row)),
              },
              { key: 'assigned', label: 'Assigned to', cell: ({ assigned }) => assigned ?? '–' },
              {
                key: 'do',
                label: 'Actions',
                isAction: true,
                cell: (row) => (
                  <span className="flex gap-1">
                    <Button
                      size="small"
                      aria-label={`Details of ${row.withdrawalId}`}
                      onClick={() => setShown(row.withdrawalId)}
                    >
                      Details
                    </Button>
                    {row.status === 'processing' && claim(row)}
                    {row.status === 'paying' && advance(row)}
                    {row.status === 'paying' && settle(row, true)}
                    {row.status === 'paying' && unclaim(row)}
                    {(row.status === 'processing' || row.status === 'paying') && settle(row, false)}
                    {(row.status === 'processing' || row.status === 'paying') && assignee(row)}
                    {row.status === 'sent' && reverse(row)}
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

const claimOf = ({ claimedBy, claimedAt }: Withdrawal): string =>
  `${claimedBy || 'somebody'}, ${claimedAt === null ? '' : timeOf(claimedAt)}`;
