/** Moves money between the user's accounts, and between a master and its sub-accounts. */

import { useState } from 'react';
import { formatExact } from '../decimal/decimal.ts';
import { useCurrencies } from '../exchange/market-data.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button } from '../ui/button.tsx';
import { DecimalField, emptiedAfter, SelectField } from '../ui/field.tsx';
import { FormSection } from '../ui/panel.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import { useAccounts, useSubAccounts, useSubBalances } from '../user/user-queries.ts';
import { transfer, type TransferDraft } from './money-actions.ts';
import { amountError, transferable } from './terms.ts';

const OWN = '';
const ACCOUNTS = [
  { value: 'MAIN', label: 'MAIN' },
  { value: 'TRADE', label: 'TRADE' },
];

/**
 * Source and destination. At most one of the two users is a sub-account; the other end is the caller's own account.
 */
interface Ends {
  readonly from: string;
  readonly to: string;
  readonly fromUser: string;
  readonly toUser: string;
}

export function Transfers({ currency: first }: { readonly currency: string }) {
  const currencies = useCurrencies().data ?? [];
  const accounts = useAccounts().data ?? [];
  const subBalances = useSubBalances().data?.items ?? [];
  const [currency, setCurrency] = useState(first || 'USDT');
  const [ends, setEnds] = useState<Ends>({ from: 'MAIN', to: 'TRADE', fromUser: OWN, toUser: OWN });
  const [amount, setAmount] = useState('');
  const [clientOid, setClientOid] = useState(() => crypto.randomUUID() as string);
  const act = useAct();

  const { from, to, fromUser, toUser } = ends;
  const type = fromUser !== OWN ? 'SUB_TO_PARENT' : toUser !== OWN ? 'PARENT_TO_SUB' : 'INTERNAL';
  const draft: TransferDraft = {
    clientOid,
    currency,
    amount,
    type,
    fromAccountType: from as 'MAIN' | 'TRADE',
    toAccountType: to as 'MAIN' | 'TRADE',
    subUserId: fromUser || toUser,
  };
  const sub = subBalances.find((each) => each.subUserId === fromUser);
  const source =
    fromUser === OWN
      ? accounts.filter((each) => each.type === from.toLowerCase())
      : ((from === 'MAIN' ? sub?.mainAccounts : sub?.tradeAccounts) ?? []);
  const available = source.find((each) => each.currency === currency)?.available ?? '0';
  const precision = currencies.find((each) => each.currency === currency)?.precision ?? 8;
  const error = amountError(amount, precision, available);
  const isSame = type === 'INTERNAL' && from === to;
  const action = transfer(draft);

  return (
    <FormSection
      title="Transfer"
      about="Between MAIN, where deposits arrive, and TRADE, from which orders are paid; and between a master and its sub-accounts. It takes effect at once."
    >
      <form
        aria-label="Transfer"
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(action, {
            onSuccess: () => {
              showToast('done', `${formatExact(amount)} ${currency} moved`);
              setAmount(emptiedAfter(amount));
              setClientOid(crypto.randomUUID());
            },
          });
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <EndFields ends={ends} onEnds={setEnds} isSame={isSame} />
          <SelectField
            label="Currency"
            value={currency}
            onValue={setCurrency}
            choices={currencies.map((each) => ({ value: each.currency, label: each.currency }))}
          />
          <DecimalField
            label="Amount"
            value={amount}
            onValue={setAmount}
            error={error}
            hint={`Available: ${formatExact(available)} ${currency}`}
            suffix={
              <button
                type="button"
                className="text-accent hover:underline"
                onClick={() => setAmount(transferable(available, precision))}
              >
                all
              </button>
            }
          />
        </div>
        <div className="flex gap-2">
          <Button
            type="submit"
            kind="primary"
            isBusy={act.isPending}
            disabled={amount === '' || error !== undefined || isSame}
          >
            Transfer
          </Button>
          <ShowMeButton action={action} />
        </div>
      </form>
    </FormSection>
  );
}

interface EndFieldsProps {
  readonly ends: Ends;
  readonly onEnds: (ends: Ends) => void;
  readonly isSame: boolean;
}

function EndFields({ ends, onEnds, isSame }: EndFieldsProps) {
  const subs = useSubAccounts().data ?? [];
  const users = [
    { value: OWN, label: 'My own' },
    ...subs.map((each) => ({ value: each.userId, label: each.subName })),
  ];
  return (
    <>
      <SelectField
        label="From the account of"
        value={ends.fromUser}
        onValue={(fromUser) => onEnds({ ...ends, fromUser, ...(fromUser !== OWN && { toUser: OWN }) })}
        choices={users}
      />
      <SelectField
        label="From account"
        value={ends.from}
        onValue={(from) => onEnds({ ...ends, from })}
        choices={ACCOUNTS}
      />
      <SelectField
        label="To the account of"
        value={ends.toUser}
        onValue={(toUser) => onEnds({ ...ends, toUser, ...(toUser !== OWN && { fromUser: OWN }) })}
        choices={users}
      />
      <SelectField
        label="To account"
        value={ends.to}
        onValue={(to) => onEnds({ ...ends, to })}
        choices={ACCOUNTS}
        error={isSame ? 'Source and target must differ.' : undefined}
      />
    </>
  );
}
