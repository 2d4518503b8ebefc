/** Sends money out of the exchange, and lists what was sent. */

import { ShowMeButton } from '../show-me/show-me.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/times.ts';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import type { Withdrawal } from '../user/types.ts';
import { useWithdrawals } from '../user/user-queries.ts';
import { cancelWithdrawal } from './money-actions.ts';
import { Section } from './section.tsx';
import { WithdrawalForm } from './withdrawal-form.tsx';

export function Withdrawals({ currency }: { readonly currency: string }) {
  return (
    <>
      <WithdrawalForm currency={currency} />
      <WithdrawalList />
    </>
  );
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['PROCESSING', 'Processing'],
  ['WALLET_PROCESSING', 'Being paid'],
  ['SUCCESS', 'Sent'],
  // Cancelled ones are failures to the interface, too.
  ['FAILURE', 'Not sent'],
]);

function WithdrawalList() {
  const withdrawals = useWithdrawals();
  const act = useAct();
  if (withdrawals.isError && withdrawals.data === undefined) {
    return <Failed error={withdrawals.error} onRetry={() => void withdrawals.refetch()} />;
  }
  if (withdrawals.data === undefined) return <Loading label="Withdrawals are loading" />;
  const columns: readonly Column<Withdrawal>[] = [
    { key: 'time', label: 'Time', cell: (each) => dateTime(each.createdAt), className: 'text-muted' },
    { key: 'currency', label: 'Currency', isTitle: true, cell: (each) => each.currency },
    { key: 'amount', label: 'Amount', isTitle: true, amount: (each) => each.amount },
    { key: 'fee', label: 'Fee', amount: (each) => each.fee },
    {
      key: 'address',
      label: 'Address',
      cell: (each) => each.address,
      className: 'max-w-60 truncate font-mono text-muted',
    },
    {
      key: 'remark',
      label: 'Remark',
      cell: (each) => each.remark,
      className: 'max-w-40 truncate text-muted',
    },
    {
      key: 'outcome',
      label: 'Transaction, or why it failed',
      cell: (each) => each.walletTxId ?? each.failureReasonMsg ?? '–',
      className: 'max-w-60 break-words text-muted',
    },
    {
      key: 'status',
      label: 'Status',
      cell: (each) => (
        <Badge tone={each.status === 'SUCCESS' ? 'up' : 'neutral'}>
          {STATUSES.get(each.status) ?? each.status}
        </Badge>
      ),
    },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (each) =>
        each.status === 'PROCESSING' && (
          <span className="flex justify-end gap-1">
            <ShowMeButton action={cancelWithdrawal(each.id)} size="small" />
            <IconButton
              icon="cross"
              size="small"
              label={`Cancel withdrawal ${each.id}`}
              onClick={() =>
                act.mutate(cancelWithdrawal(each.id), {
                  onSuccess: () => showToast('done', 'Withdrawal cancelled'),
                })
              }
            />
          </span>
        ),
    },
  ];
  return (
    <Section title="Withdrawals">
      <Table
        label="Withdrawals"
        columns={columns}
        rows={withdrawals.data.items}
        rowKey={(each) => each.id}
        empty={<Empty icon="wallet" title="No withdrawals yet" />}
      />
    </Section>
  );
}
