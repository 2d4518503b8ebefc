/** A master's sub-accounts: list, balances, creation, and their API keys. */

import { useState } from 'react';
import { addressesOf, AllowedAddresses, Permissions } from '../account/key-fields.tsx';
import { formatExact } from '../decimal/decimal.ts';
import { useSession } from '../session/session.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { emptiedAfter, TextField } from '../ui/field.tsx';
import { FormSection } from '../ui/panel.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/text.ts';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import {
  type SubAccount,
  type SubKey,
  useSubAccounts,
  useSubBalances,
  useSubKeys,
} from '../user/user-queries.ts';
import { changeSubKey, createSubAccount, createSubKey, removeSubKey } from './money-actions.ts';

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
      <FormSection
        title="Sub-accounts"
        about="Each sub-account has its own orders, balances and limits, and the master's fee rates."
      >
        <Table
          label="Sub-accounts"
          columns={columns}
          rows={subs.data}
          rowKey={(sub) => sub.userId}
          empty={<Empty icon="user" title="No sub-accounts yet" />}
        />
      </FormSection>
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
  // The API requires a password. Sub-accounts have no login, so a random one is sent and forgotten.
  const [password] = useState(() => `P${crypto.randomUUID().replaceAll('-', '').slice(0, 15)}`);
  const action = createSubAccount(name, password, remarks);
  return (
    <FormSection title="New sub-account">
      <form
        aria-label="New sub-account"
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(action, {
            onSuccess: () => {
              showToast('done', `Sub-account ${name} made`);
              setName(emptiedAfter(name));
              setRemarks(emptiedAfter(remarks));
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
    </FormSection>
  );
}

/** The permissions that a master may grant; Withdrawal is not among them. */
const permissions = ['General', 'Spot', 'FlexTransfers'] as const;

/** The API keys of one sub-account. A new secret is shown only once. */
function SubKeys({ subName }: { readonly subName: string }) {
  const keys = useSubKeys(subName);
  const [edited, setEdited] = useState<SubKey>();
  // Here, because the form may show another key when the response comes, and the secret would be lost.
  const [made, setMade] = useState<SubKey>();
  if (keys.isError && keys.data === undefined)
    return <Failed error={keys.error} onRetry={() => void keys.refetch()} />;
  if (keys.data === undefined) return <Loading label="Keys are loading" lines={2} />;
  const columns: readonly Column<SubKey>[] = [
    {
      key: 'key',
      label: 'Key',
      isTitle: true,
      cell: (key) => <code className="font-mono">{key.apiKey}</code>,
    },
    { key: 'permission', label: 'Permissions', cell: (key) => key.permission.replaceAll(',', ', ') },
    { key: 'ip', label: 'IP addresses', cell: (key) => key.ipWhitelist || 'any', className: 'text-muted' },
    { key: 'remark', label: 'Remark', cell: (key) => key.remark, className: 'max-w-48 truncate text-muted' },
    {
      key: 'time',
      label: 'Made',
      cell: (key) => (key.createdAt === 0 ? 'at the start' : dateTime(key.createdAt)),
      className: 'text-muted',
    },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (key) => (
        <IconButton
          icon="pencil"
          size="small"
          label={`Change or remove key ${key.apiKey}`}
          onClick={() => {
            setMade(undefined);
            setEdited(key);
          }}
        />
      ),
    },
  ];
  return (
    <FormSection title={`Keys of ${subName}`}>
      <Table
        label={`Keys of ${subName}`}
        columns={columns}
        rows={keys.data}
        rowKey={(key) => key.apiKey}
        empty={<Empty icon="key" title="No API keys yet" />}
      />
      <KeyForm
        key={edited?.apiKey ?? ''}
        subName={subName}
        edited={edited}
        made={edited === undefined ? made : undefined}
        onMade={setMade}
        // A late response leaves the form of another key open.
        onDone={() => setEdited((now) => (now === edited ? undefined : now))}
      />
    </FormSection>
  );
}

interface KeyFormProps {
  readonly subName: string;
  /** The key being changed; undefined for a new one. */
  readonly edited: SubKey | undefined;
  /** The key just made, with its secret. */
  readonly made: SubKey | undefined;
  readonly onMade: (key: SubKey) => void;
  readonly onDone: () => void;
}

function KeyForm({ subName, edited, made, onMade, onDone }: KeyFormProps) {
  const [passphrase, setPassphrase] = useState('');
  const [remark, setRemark] = useState('');
  const [addresses, setAddresses] = useState(edited?.ipWhitelist.split(',').join(', ') ?? '');
  const [granted, setGranted] = useState<readonly string[]>(
    edited?.permission.split(',') ?? ['General', 'Spot'],
  );
  const act = useAct();
  const draft = {
    subName,
    passphrase,
    remark,
    permission: granted.join(','),
    ipWhitelist: addressesOf(addresses).join(','),
  };
  const action = edited === undefined ? createSubKey(draft) : changeSubKey(edited.apiKey, draft);
  const isNew = edited === undefined;
  const needed = [
    ...(isNew && (passphrase.length < 7 || passphrase.length > 32)
      ? ['a passphrase of 7 to 32 characters']
      : []),
    ...(!isNew && passphrase === '' ? ['its passphrase'] : []),
    ...(isNew && remark === '' ? ['a remark'] : []),
    ...(granted.length === 0 ? ['a permission'] : []),
  ];
  const removal = edited && removeSubKey(subName, edited.apiKey, passphrase);
  return (
    <form
      aria-label={edited === undefined ? 'New key' : 'Change a key'}
      className="mt-4 flex max-w-xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate(action, {
          onSuccess: (answer) => {
            if (edited === undefined) onMade(answer as SubKey);
            else showToast('done', 'Key changed');
            setPassphrase(emptiedAfter(passphrase));
            onDone();
          },
        });
      }}
    >
      <h3 className="font-medium">{edited === undefined ? 'New key' : `Key ${edited.apiKey}`}</h3>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={edited === undefined ? 'Passphrase, 7 to 32 characters' : 'Its passphrase'}
          type="password"
          autoComplete="new-password"
          value={passphrase}
          onValue={setPassphrase}
        />
        {edited === undefined && <TextField label="Remark" value={remark} onValue={setRemark} />}
        <AllowedAddresses value={addresses} onValue={setAddresses} />
      </div>
      <Permissions choices={permissions} granted={granted} onGranted={setGranted} needed={needed} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" isBusy={act.isPending} disabled={needed.length > 0}>
          {edited === undefined ? 'Create the key' : 'Change'}
        </Button>
        <ShowMeButton action={action} />
        {removal !== undefined && (
          <>
            <Button
              kind="danger"
              isBusy={act.isPending}
              disabled={passphrase === ''}
              onClick={() =>
                act.mutate(removal, {
                  onSuccess: () => {
                    showToast('done', 'Key removed');
                    onDone();
                  },
                })
              }
            >
              Remove
            </Button>
            <ShowMeButton action={removal} />
            <Button kind="quiet" onClick={onDone}>
              Leave it
            </Button>
          </>
        )}
      </div>
      {made !== undefined && (
        <div role="status" className="rounded-md bg-warning-tint p-3 text-xs">
          <p className="mb-1 font-medium text-warning">Write down the secret. It is shown only once.</p>
          <p>
            Key <code className="font-mono">{made.apiKey}</code> <CopyButton label="Key" text={made.apiKey} />
          </p>
          <p>
            Secret <code className="font-mono break-all">{made.apiSecret}</code>{' '}
            <CopyButton label="Secret" text={made.apiSecret ?? ''} />
          </p>
        </div>
      )}
    </form>
  );
}
