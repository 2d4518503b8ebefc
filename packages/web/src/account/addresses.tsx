/** The address book for withdrawals. */

import { useState } from 'react';
import { ChainFields, useChainChoice } from '../money/chain-fields.tsx';
import { addressError } from '../money/withdrawal-terms.ts';
import type { PersonInfo } from '../session/identity.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox, TextField } from '../ui/field.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/times.ts';
import { visible } from '../ui/visible.ts';
import { useIdentity, useIdentityCall } from './identity-calls.ts';
import { Section } from './section.tsx';

interface BookAddress {
  readonly id: string;
  readonly label: string;
  readonly currency: string;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  readonly created: number;
  readonly usableFrom: number;
}

const LABEL_MAX = 64;

export function Addresses({ info }: { readonly info: PersonInfo }) {
  const book = useIdentity<readonly BookAddress[]>('/addresses');
  const remove = useIdentityCall();
  if (book.isError && book.data === undefined)
    return <Failed error={book.error} onRetry={() => void book.refetch()} />;
  if (book.data === undefined) return <Loading label="Addresses are loading" lines={3} />;
  const columns: readonly Column<BookAddress>[] = [
    { key: 'label', label: 'Label', isTitle: true, cell: ({ label }) => label },
    { key: 'currency', label: 'Currency', cell: ({ currency, chain }) => `${currency} on ${chain}` },
    {
      key: 'address',
      label: 'Address',
      cell: ({ address, memo }) => (
        <code className="font-mono">{visible(memo === '' ? address : `${address} (memo ${memo})`)}</code>
      ),
      className: 'max-w-96 truncate',
    },
    {
      key: 'usable',
      label: 'Usable',
      // Compared with exchange time: its clock may differ from this machine's.
      cell: ({ created, usableFrom }) =>
        usableFrom <= created ? <Badge tone="up">at once</Badge> : <>from {dateTime(usableFrom)}</>,
      className: 'text-muted',
    },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: ({ id, label }) => (
        <IconButton
          icon="cross"
          size="small"
          label={`Remove ${label}`}
          disabled={remove.isPending}
          onClick={() =>
            remove.mutate({ method: 'DELETE', path: `/addresses/${id}`, done: 'Address removed' })
          }
        />
      ),
    },
  ];
  return (
    <>
      <Table
        label="Address book"
        className="h-auto! border-b border-line"
        columns={columns}
        rows={book.data}
        rowKey={({ id }) => id}
        empty={
          <Empty icon="book" title="The book is empty" className="h-auto! border-b border-line">
            Withdrawals to its addresses go on while your settings are locked.
          </Empty>
        }
      />
      <Only {...info.addressesOnly} />
      <AddressForm />
    </>
  );
}

function Only({ on, until }: PersonInfo['addressesOnly']) {
  const restrict = useIdentityCall();
  const isOn = on && until === undefined;
  return (
    <Section
      title="Only to the book"
      state={on ? <Badge tone="accent">on</Badge> : <Badge>off</Badge>}
      about="Withdrawals, even those of API keys, may only go to usable addresses of the book. Switching it off takes 24 hours."
    >
      <Checkbox
        label="Withdraw only to addresses of the book"
        isChecked={isOn}
        isDisabled={restrict.isPending}
        onChecked={(next) =>
          restrict.mutate({
            method: 'POST',
            path: '/addresses/only',
            body: { on: next },
            done: next ? 'Withdrawals go only to the book' : 'It will be off in 24 hours',
          })
        }
      />
      {until !== undefined && <p className="text-xs text-muted">Still in effect until {dateTime(until)}.</p>}
    </Section>
  );
}

function AddressForm() {
  const choice = useChainChoice('');
  const [label, setLabel] = useState('');
  const [address, setAddress] = useState('');
  const [memo, setMemo] = useState('');
  const add = useIdentityCall();
  const wrong = addressError(address, choice.chain);
  return (
    <Section title="New address" about="Outside a sandbox it becomes usable 24 hours after it was added.">
      <form
        aria-label="New address"
        className="flex w-full max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(
            {
              method: 'POST',
              path: '/addresses',
              body: {
                label: label.trim(),
                currency: choice.currency,
                chain: choice.chain?.chainId ?? '',
                address,
                ...(memo !== '' && { memo }),
              },
              done: 'Address added',
            },
            {
              onSuccess: () => {
                setLabel('');
                setAddress('');
                setMemo('');
              },
            },
          );
        }}
      >
        <ChainFields choice={choice} />
        <TextField
          label="Address"
          value={address}
          onValue={(value) => setAddress(value.trim())}
          error={wrong}
        />
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <TextField label="Label" value={label} onValue={setLabel} maxLength={LABEL_MAX} />
          <TextField
            label="Memo, if the recipient asks for one"
            value={memo}
            onValue={(value) => setMemo(value.trim())}
          />
        </div>
        <Button
          type="submit"
          kind="primary"
          className="self-start"
          isBusy={add.isPending}
          disabled={label.trim() === '' || address === '' || wrong !== undefined}
        >
          Add the address
        </Button>
      </form>
    </Section>
  );
}
