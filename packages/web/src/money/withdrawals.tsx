/** Sends money out of the exchange, and lists what was sent. */

import { type ReactNode, useState } from 'react';
import { Decimal, formatExact } from '../decimal/decimal.ts';
import type { ChainInfo } from '../exchange/market-data.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, DecimalField, TextField } from '../ui/field.tsx';
import { FormSection } from '../ui/panel.tsx';
import { Badge, Empty, Failed, Loading, sentenceOf } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/text.ts';
import { showToast } from '../ui/toast.tsx';
import { type Action, useAct } from '../user/actions.ts';
import { useAccounts, useWithdrawalQuota, useWithdrawals, type Withdrawal } from '../user/user-queries.ts';
import { ChainFields, useChainChoice } from './chain-fields.tsx';
import { cancelWithdrawal, withdraw, type WithdrawalDraft } from './money-actions.ts';
import {
  addressError,
  amountError,
  hasMemos,
  transferable,
  type WithdrawalCost,
  withdrawalCost,
} from './terms.ts';

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
  // The API reports cancelled withdrawals as failures, too.
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
    <FormSection title="Withdrawals">
      <Table
        label="Withdrawals"
        columns={columns}
        rows={withdrawals.data.items}
        rowKey={(each) => each.id}
        empty={<Empty icon="wallet" title="No withdrawals yet" />}
      />
    </FormSection>
  );
}

const PRECISION_UNKNOWN = 8;

/** Form, review, send. Errors appear at their fields before the review. */
function WithdrawalForm({ currency: first }: { readonly currency: string }) {
  const choice = useChainChoice(first);
  const { currency, chain } = choice;
  const [toAddress, setToAddress] = useState('');
  const [memo, setMemo] = useState('');
  const [amount, setAmount] = useState('');
  const [remark, setRemark] = useState('');
  const [isFeeInside, setIsFeeInside] = useState(false);
  /** Set by the first attempt to continue: from then on empty fields are errors. */
  const [isAsked, setIsAsked] = useState(false);
  const [isReviewed, setIsReviewed] = useState(false);
  const act = useAct();
  const quota = useWithdrawalQuota(currency, chain?.chainId ?? '').data;
  const main = useAccounts().data?.find((each) => each.type === 'main' && each.currency === currency);
  const balance = main?.available ?? '0';
  const precision = quota?.precision ?? PRECISION_UNKNOWN;
  const isOpen = quota === undefined || quota.reason === null;
  const most = isOpen && isFeeInside ? quota && transferable(balance, precision) : quota?.availableAmount;
  const missing = (text: string, name: string): string | undefined =>
    isAsked && text === '' ? `Fill in ${name}.` : undefined;
  const addressWrong = addressError(toAddress, chain) ?? missing(toAddress, 'an address');
  const amountWrong =
    amountError(amount, precision, most, quota?.withdrawMinSize) ?? missing(amount, 'an amount');
  const draft = { currency, chain: chain?.chainId ?? '', toAddress, memo, amount, remark, isFeeInside };
  const action = withdraw(draft);
  const parsed = Decimal.parse(amount);
  const isReady =
    isOpen && toAddress !== '' && parsed !== null && addressWrong === undefined && amountWrong === undefined;
  const cost =
    chain === undefined || parsed === null ? null : withdrawalCost(parsed, chain, precision, isFeeInside);

  const send = (): void =>
    act.mutate(action, {
      onSuccess: () => {
        showToast('done', 'Withdrawal requested', `${formatExact(amount)} ${currency}`);
        setIsReviewed(false);
        setIsAsked(false);
        setAmount('');
        setToAddress('');
        setMemo('');
      },
    });

  return (
    <FormSection
      title="Withdraw"
      about="From your MAIN account to an address outside. It can be cancelled while it is processed, before it is paid."
    >
      <form
        aria-label="Withdraw"
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.reset();
          setIsAsked(true);
          setIsReviewed(isReady);
        }}
      >
        <ChainFields choice={choice} />
        <TextField
          label="Address"
          value={toAddress}
          onValue={(value) => setToAddress(value.trim())}
          error={addressWrong}
        />
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <TextField
            label="Memo, if the recipient asks for one"
            value={memo}
            onValue={(value) => setMemo(value.trim())}
            hint={hasMemos(chain) ? `Most recipients on ${chain?.chainName ?? ''} need one.` : ''}
          />
          <TextField label="Remark" value={remark} onValue={setRemark} />
        </div>
        <DecimalField
          label="Amount"
          value={amount}
          onValue={setAmount}
          suffix={
            <>
              {currency}
              <button
                type="button"
                disabled={most === undefined || most === '0'}
                className="text-accent hover:underline disabled:text-faint"
                onClick={() => setAmount(most ?? '')}
              >
                Max
              </button>
            </>
          }
          error={amountWrong}
          hint={
            quota === undefined
              ? ''
              : `Up to ${formatExact(most)} ${currency}, at least ${formatExact(quota.withdrawMinSize)}; fee ${formatExact(quota.withdrawMinFee)} ${currency}`
          }
        />
        <Checkbox
          label="The fee is taken out of the amount"
          isChecked={isFeeInside}
          onChecked={setIsFeeInside}
        />
        {!isOpen && (
          <p role="status" className="text-xs text-warning">
            {quota.reason}
          </p>
        )}
        <div className="flex gap-2">
          <Button type="submit" kind="primary" isBusy={act.isPending} disabled={!isOpen}>
            Review
          </Button>
        </div>
      </form>
      {isReviewed && chain !== undefined && cost !== null && (
        <WithdrawalReview
          {...{ draft, chain, cost, action, isPending: act.isPending, error: act.error, onSend: send }}
          balanceAfter={Decimal.of(balance).minus(cost.taken).toString()}
          onClose={() => setIsReviewed(false)}
        />
      )}
    </FormSection>
  );
}

interface WithdrawalReviewProps {
  readonly draft: WithdrawalDraft;
  readonly chain: ChainInfo;
  readonly cost: WithdrawalCost;
  /** The balance of MAIN after the withdrawal. */
  readonly balanceAfter: string;
  readonly action: Action;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

/** Review before sending: amount, fee, recipient and remaining balance. Only its button sends the withdrawal. */
function WithdrawalReview(props: WithdrawalReviewProps) {
  const { draft, chain, cost, balanceAfter, action, isPending, error, onSend, onClose } = props;
  const { currency, toAddress, memo, remark } = draft;
  const amount = (text: string): string => `${formatExact(text)} ${currency}`;
  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      isBusy={isPending}
      title="Review the withdrawal"
      about="Compare the address with the one you were given. A withdrawal that has been sent cannot be undone."
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        <Line name="To">
          <span className="font-mono break-all">{toAddress}</span>
        </Line>
        <Line name="Chain">{chain.chainName}</Line>
        <Line name="Memo">
          {memo !== '' ? (
            <span className="font-mono break-all">{memo}</span>
          ) : hasMemos(chain) ? (
            <span className="text-warning">None. Most recipients on {chain.chainName} need one.</span>
          ) : (
            <span className="text-faint">none</span>
          )}
        </Line>
        {remark !== '' && <Line name="Remark">{remark}</Line>}
        <Line name="Network fee">{amount(cost.fee.toString())}</Line>
        <Line name="Arrives">
          <strong className="font-semibold">{amount(cost.received.toString())}</strong>
        </Line>
        <Line name="Leaves MAIN">{amount(cost.taken.toString())}</Line>
        <Line name="MAIN after">{amount(balanceAfter)}</Line>
      </dl>
      {error !== null && (
        <p role="alert" className="mt-3 text-xs break-words text-danger">
          {sentenceOf(error)}
        </p>
      )}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" isBusy={isPending} onClick={onSend}>
          Withdraw
        </Button>
        <Button isBusy={isPending} onClick={onClose}>
          Back
        </Button>
        <ShowMeButton action={action} />
      </div>
    </Dialog>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </>
  );
}
