/** A master's sub-accounts: their balances, new ones, and their keys. */

import { useState } from 'react';
import { formatExact } from '../decimal/format.ts';
import { useSession } from '../session/session.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import type { SubAccount } from '../user/types.ts';
import { useSubAccounts, useSubBalances } from '../user/user-queries.ts';
import { createSubAccount } from './money-actions.ts';
import { Section } from './section.tsx';
import { SubKeys } from './sub-keys.tsx';

export function SubAccounts() {
  const session = useSession();
  const subs = useSubAccounts();
  const [chosen, setChosen] = useState('');
  if (session?.key.isMaster === false) {
    return (
      <Empty icon="user" title="This is a sub-account">
        Its master manages sub-accounts and their keys.
      </Empty>
    );
  }
  if (subs.isError && subs.data === undefined)
    return <Failed error={subs.error} onRetry={() => void subs.refetch()} />;
  if (subs.data === undefined) return <Loading label="Sub-accounts are loading" />;
  const columns: readonly Column<SubAccount>[] = [
    {
      key: 'name',
      label: 'Name',
      isTitle: true,
      cell: (sub) => <span className="font-medium">{sub.subName}</span>,
    },
    { key: 'uid', label: 'Number', cell: (sub) => String(sub.uid), className: 'text-muted' },
    { key: 'access', label: 'Access', cell: (sub) => sub.access },
    {
      key: 'remarks',
      label: 'Remarks',
      cell: (sub) => sub.remarks,
      className: 'max-w-60 truncate text-muted',
    },
    { key: 'balances', label: 'Balances', cell: (sub) => <Balances userId={sub.userId} /> },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (sub) => (
        <Button
          size="small"
          aria-pressed={chosen === sub.subName}
          onClick={() => setChosen(chosen === sub.subName ? '' : sub.subName)}
        >
          Keys
        </Button>
      ),
    },
  ];
  return (
    <>
      <Section
        title="Sub-accounts"
        about="Users of their own with their own orders, balances and limits; fees are the master's."
      >
        <Table
          label="Sub-accounts"
          columns={columns}
          rows={subs.data}
          rowKey={(sub) => sub.userId}
          empty={<Empty icon="user" title="There is no sub-account yet" />}
        />
      </Section>
      {chosen !== '' && <SubKeys key={chosen} subName={chosen} />}
      <NewSubAccount />
    </>
  );
}

function Balances({ userId }: { readonly userId: string }) {
  const sub = useSubBalances().data?.items.find((each) => each.subUserId === userId);
  if (sub === undefined) return <span className="text-faint">none</span>;
  const parts = [
    ...sub.tradeAccounts.map((each) => ({ ...each, name: 'TRADE' })),
    ...sub.mainAccounts.map((each) => ({ ...each, name: 'MAIN' })),
  ].filter(({ balance }) => balance !== '0');
  return (
    <span className="flex flex-wrap gap-x-3">
      {parts.length === 0 && <span className="text-faint">none</span>}
      {parts.map(({ name, currency, balance, holds }) => (
        <span key={`${name} ${currency}`}>
          {formatExact(balance)} {currency} <span className="text-faint">{name}</span>
          {holds !== '0' && <span className="text-faint"> ({formatExact(holds)} held)</span>}
        </span>
      ))}
    </span>
  );
}

function NewSubAccount() {
  const [name, setName] = useState('');
  const [remarks, setRemarks] = useState('');
  const act = useAct();
  // The family's call wants a password. There is no login, so nobody keeps it, and nobody needs to know it.
  const [password] = useState(() => `P${crypto.randomUUID().replaceAll('-', '').slice(0, 15)}`);
  const action = createSubAccount(name, password, remarks);
  return (
    <Section title="New sub-account">
      <form
        aria-label="New sub-account"
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(action, {
            onSuccess: () => {
              showToast('done', `Sub-account ${name} made`);
              setName('');
              setRemarks('');
            },
          });
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Name"
            value={name}
            onValue={(value) => setName(value.trim())}
            hint="7 to 32 letters and digits, both of them"
          />
          <TextField label="Remarks" value={remarks} onValue={setRemarks} />
        </div>
        <div className="flex gap-2">
          <Button type="submit" kind="primary" isBusy={act.isPending} disabled={name === ''}>
            Make
          </Button>
          <ShowMeButton action={action} />
        </div>
      </form>
    </Section>
  );
}
