/** Sends money out of the exchange: filled in, reviewed, sent. What is wrong is told at its field before the review. */

import { useState } from 'react';
import { Decimal } from '../decimal/decimal.ts';
import { formatExact } from '../decimal/format.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { DecimalField } from '../ui/decimal-field.tsx';
import { TextField } from '../ui/field.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import { useAccounts, useWithdrawalQuota } from '../user/user-queries.ts';
import { amountError, transferable } from './amount-error.ts';
import { ChainFields, useChainChoice } from './chain-fields.tsx';
import { withdraw } from './money-actions.ts';
import { Section } from './section.tsx';
import { WithdrawalReview } from './withdrawal-review.tsx';
import { addressError, hasMemos, withdrawalCost } from './withdrawal-terms.ts';

const PRECISION_UNKNOWN = 8;

export function WithdrawalForm({ currency: first }: { readonly currency: string }) {
  const choice = useChainChoice(first);
  const { currency, chain } = choice;
  const [toAddress, setToAddress] = useState('');
  const [memo, setMemo] = useState('');
  const [amount, setAmount] = useState('');
  const [remark, setRemark] = useState('');
  const [isFeeInside, setIsFeeInside] = useState(false);
  /** Whether it was tried to go on: then fields that are empty are wrong. */
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
    <Section
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
            label="Memo, where the receiver asks for one"
            value={memo}
            onValue={(value) => setMemo(value.trim())}
            hint={hasMemos(chain) ? `Most receivers on ${chain?.chainName ?? ''} need one.` : ''}
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
          <Button type="submit" kind="primary" disabled={!isOpen}>
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
    </Section>
  );
}
