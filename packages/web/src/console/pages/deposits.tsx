/** Deposits, with tabs for their questionnaires and the deposit addresses. */

import { useState } from 'react';
import { formatExact } from '../../decimal/decimal.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/action-dialog.tsx';
import type { Action } from '../action/action.ts';
import { DepositEffect, ReversedDepositEffect } from '../action/effects.tsx';
import { Answered, pathWith, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { DEPOSIT_STATES } from '../words.ts';
import { Page } from './page.tsx';
import { Questionnaires } from './questionnaires.tsx';
import { assignment, DetailDialog, movementColumns, release } from './queues.tsx';

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
                ...movementColumns(nameOf),
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
                  label: 'Actions',
                  isAction: true,
                  cell: (row) => (
                    <span className="flex gap-1">
                      <Button
                        size="small"
                        aria-label={`Details of ${row.depositId}`}
                        onClick={() => setShown(row.depositId)}
                      >
                        Details
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

interface Source {
  readonly chain: string;
  readonly source: 'list' | 'key' | 'program' | 'none';
  readonly key: string | null;
  readonly free: number;
  readonly nextIndex: number | null;
  readonly requests: number;
  readonly warning: string | null;
}

interface Request {
  readonly userId: string;
  readonly currency: string;
  readonly chain: string;
}

/** The source of each chain's deposit addresses, and the users who wait for one. */
function Addresses() {
  const sources = useOperatorQuery<readonly Source[]>('/v1/address-sources');
  const requests = useOperatorQuery<readonly Request[]>('/v1/address-requests');
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  const stockOf = ({ source, free, nextIndex }: Source): string => {
    if (source === 'key') return `index ${nextIndex} is next`;
    return source === 'list' || free > 0 ? `${free} free` : 'created on request';
  };
  return (
    <>
      <Page
        title="Address sources"
        about="The source of each chain's deposit addresses: a list loaded here, an extended public key, or a program of yours. A venue's chain without a source assigns no addresses."
      >
        <Answered query={sources} label="the sources of addresses">
          {(rows) => (
            <Table
              label="Address sources by chain"
              rows={rows}
              rowKey={({ chain }) => chain}
              empty={<Empty icon="download" title="No currency has chains" />}
              columns={[
                { key: 'chain', label: 'Chain', cell: ({ chain }) => <code>{chain}</code> },
                { key: 'source', label: 'Source', cell: ({ source }) => source },
                { key: 'stock', label: 'Addresses', isFigure: true, cell: stockOf },
                { key: 'requests', label: 'Requests', isFigure: true, cell: (row) => row.requests },
                {
                  key: 'warning',
                  label: 'Warning',
                  cell: ({ warning }) =>
                    warning === null ? 'none' : <Badge tone="warning">{warning}</Badge>,
                },
                {
                  key: 'do',
                  label: 'Actions',
                  cell: ({ chain }) => (
                    <span className="flex gap-1">
                      {button(
                        {
                          call: 'set-address-source',
                          title: `Set the source of ${chain}`,
                          consequence:
                            'New addresses of this chain come from this source. Assigned addresses stay valid.',
                          given: { chain },
                        },
                        'Set',
                      )}
                      {button(
                        {
                          call: 'load-addresses',
                          title: `Load addresses of ${chain}`,
                          consequence: 'Each address is assigned to one user, in this order.',
                          given: { chain },
                          suggested: { addresses: [{ address: '' }] },
                        },
                        'Load',
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Answered>
      </Page>
      <Page title="Address requests" about="Users waiting for an address from your program.">
        <Answered query={requests} label="the requests for addresses">
          {(rows) => (
            <Table
              label="Requests for addresses"
              rows={rows}
              rowKey={({ userId, currency, chain }) => `${userId} ${currency} ${chain}`}
              empty={<Empty title="No pending request" />}
              columns={[
                { key: 'user', label: 'User', cell: ({ userId }) => nameOf(userId) },
                { key: 'currency', label: 'Currency', cell: ({ currency }) => currency },
                { key: 'chain', label: 'Chain', cell: ({ chain }) => <code>{chain}</code> },
                {
                  key: 'do',
                  label: 'Actions',
                  cell: ({ userId, currency, chain }) =>
                    button(
                      {
                        call: 'give-address',
                        title: `Give ${nameOf(userId)} an address on ${chain}`,
                        consequence:
                          'The address is assigned permanently. Make sure that you hold its private key.',
                        given: { userId, currency, chain },
                      },
                      'give',
                    ),
                },
              ]}
            />
          )}
        </Answered>
      </Page>
      {dialog}
    </>
  );
}
