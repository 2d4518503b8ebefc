/** Sends money out of the exchange, and lists what was sent. */

import { useState } from 'react';
import { formatExact } from '../decimal/format.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextField } from '../ui/field.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/times.ts';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import type { Withdrawal } from '../user/types.ts';
import { useWithdrawalQuota, useWithdrawals } from '../user/user-queries.ts';
import { amountError } from './amount-error.ts';
import { ChainFields, useChainChoice } from './chain-fields.tsx';
import { cancelWithdrawal, withdraw } from './money-actions.ts';
import { Section } from './section.tsx';

export function Withdrawals({ currency }: { readonly currency: string }) {
  return (
    <>
      <WithdrawalForm currency={currency} />
      <WithdrawalList />
    </>
  );
}

function WithdrawalForm({ currency: first }: { readonly currency: string }) {
  const choice = useChainChoice(first);
  const { currency, chain } = choice;
  const [toAddress, setToAddress] = useState('');
  const [memo, setMemo] = useState('');
  const [amount, setAmount] = useState('');
  const [remark, setRemark] = useState('');
  const [isFeeInside, setIsFeeInside] = useState(false);
  const act = useAct();
  const quota = useWithdrawalQuota(currency, chain?.chainId ?? '').data;
  const error = amountError(amount, quota?.precision ?? 8, quota?.availableAmount, quota?.withdrawMinSize);
  const action = withdraw({
    currency,
    chain: chain?.chainId ?? '',
    toAddress,
    memo,
    amount,
    remark,
    isFeeInside,
  });
  return (
    <Section
      title="Withdraw"
      about="From your MAIN account to an address outside. It can be cancelled while it is PROCESSING, before somebody pays it."
    >
      <form
        aria-label="Withdraw"
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(action, {
            onSuccess: () => {
              showToast('done', 'Withdrawal asked for', `${formatExact(amount)} ${currency}`);
              setAmount('');
              setToAddress('');
              setMemo('');
            },
          });
        }}
      >
        <ChainFields choice={choice} />
        <TextField label="Address" value={toAddress} onValue={(value) => setToAddress(value.trim())} />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Memo, where the receiver asks for one"
            value={memo}
            onValue={(value) => setMemo(value.trim())}
          />
          <TextField label="Remark" value={remark} onValue={setRemark} />
        </div>
        <TextField
          label="Amount"
          inputMode="decimal"
          value={amount}
          onValue={(value) => setAmount(value.trim())}
          suffix={currency}
          error={error}
          hint={
            quota === undefined
              ? ''
              : `Up to ${formatExact(quota.availableAmount)} ${currency}, at least ${formatExact(quota.withdrawMinSize)}; fee ${formatExact(quota.withdrawMinFee)} ${currency}`
          }
        />
        <Checkbox
          label="The fee is taken out of the amount"
          isChecked={isFeeInside}
          onChecked={setIsFeeInside}
        />
        {quota?.isWithdrawEnabled === false && (
          <p role="status" className="text-xs text-warning">
            Withdrawals on this chain are not taken at present.
          </p>
        )}
        <div className="flex gap-2">
          <Button
            type="submit"
            kind="primary"
            isBusy={act.isPending}
            disabled={toAddress === '' || amount === '' || error !== undefined}
          >
            Withdraw
          </Button>
          <ShowMeButton action={action} />
        </div>
      </form>
    </Section>
  );
}

function WithdrawalList() {
  const withdrawals = useWithdrawals();
  const act = useAct();
  if (withdrawals.isError) {
    return <Failed error={withdrawals.error} onRetry={() => void withdrawals.refetch()} />;
  }
  if (withdrawals.data === undefined) return <Loading label="Withdrawals are loading" />;
  const columns: readonly Column<Withdrawal>[] = [
    { key: 'time', label: 'Time', cell: (each) => dateTime(each.createdAt), className: 'text-muted' },
    { key: 'currency', label: 'Currency', cell: (each) => each.currency },
    { key: 'amount', label: 'Amount', isFigure: true, cell: (each) => formatExact(each.amount) },
    { key: 'fee', label: 'Fee', isFigure: true, cell: (each) => formatExact(each.fee) },
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
      cell: (each) => <Badge tone={each.status === 'SUCCESS' ? 'up' : 'neutral'}>{each.status}</Badge>,
    },
    {
      key: 'actions',
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
        empty={<Empty icon="wallet" title="Nothing was withdrawn yet" />}
      />
    </Section>
  );
}
