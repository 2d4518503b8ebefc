/** The address book for withdrawals. */

import { useState } from 'react';
import { ChainFields, useChainChoice } from '../money/chain-fields.tsx';
import { addressError } from '../money/terms.ts';
import type { PersonInfo } from '../session/identity.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox, emptiedAfter, TextField } from '../ui/field.tsx';
import { SettingSection } from '../ui/panel.tsx';
import { Badge, Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime, visible } from '../ui/text.ts';
import { useIdentity, useIdentityCall } from './identity-calls.ts';

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
      // Compared with `created`, not with this machine's clock, which may differ from the exchange's.
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
          <Empty icon="book" title="The address book is empty" className="h-auto! border-b border-line">
            Withdrawals to its addresses stay possible while your settings are locked.
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
    <SettingSection
      title="Address book only"
      state={on ? <Badge tone="accent">on</Badge> : <Badge>off</Badge>}
      about="Withdrawals, even those of API keys, may only go to usable addresses in the address book. Switching it off takes 24 hours."
    >
      <Checkbox
        label="Withdraw only to addresses in the address book"
        isChecked={isOn}
        isDisabled={restrict.isPending}
        onChecked={(next) =>
          restrict.mutate({
            method: 'POST',
            path: '/addresses/only',
            body: { on: next },
            done: next ? 'Withdrawals are limited to the address book' : 'The restriction ends in 24 hours',
          })
        }
      />
      {until !== undefined && <p className="text-xs text-muted">In effect until {dateTime(until)}.</p>}
    </SettingSection>
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
    <SettingSection
      title="New address"
      about="Outside a sandbox, a new address becomes usable after 24 hours."
    >
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
                setLabel(emptiedAfter(label));
                setAddress(emptiedAfter(address));
                setMemo(emptiedAfter(memo));
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
    </SettingSection>
  );
}
