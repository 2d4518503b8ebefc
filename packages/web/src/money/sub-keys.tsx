/** The keys of one sub-account: listed, made, changed and removed. A new secret is shown once and never again. */

import { useState } from 'react';
import { useOwnAddress } from '../exchange/market-data.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Checkbox, TextField } from '../ui/field.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/times.ts';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import type { SubKey } from '../user/types.ts';
import { useSubKeys } from '../user/user-queries.ts';
import { changeSubKey, createSubKey, removeSubKey } from './money-actions.ts';
import { Section } from './section.tsx';

/** What a master may grant; Withdrawal it may not. */
const permissions = ['General', 'Spot', 'FlexTransfers'] as const;

export function SubKeys({ subName }: { readonly subName: string }) {
  const keys = useSubKeys(subName);
  const [edited, setEdited] = useState<SubKey>();
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
          onClick={() => setEdited(key)}
        />
      ),
    },
  ];
  return (
    <Section title={`Keys of ${subName}`}>
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
        onDone={() => setEdited(undefined)}
      />
    </Section>
  );
}

interface KeyFormProps {
  readonly subName: string;
  /** A key to change; undefined for a new one. */
  readonly edited: SubKey | undefined;
  readonly onDone: () => void;
}

function KeyForm({ subName, edited, onDone }: KeyFormProps) {
  const [passphrase, setPassphrase] = useState('');
  const [remark, setRemark] = useState('');
  const [ipWhitelist, setIpWhitelist] = useState(edited?.ipWhitelist ?? '');
  const [granted, setGranted] = useState<readonly string[]>(
    edited?.permission.split(',') ?? ['General', 'Spot'],
  );
  const [made, setMade] = useState<SubKey>();
  const ownAddress = useOwnAddress().data;
  const act = useAct();
  const draft = { subName, passphrase, remark, permission: granted.join(','), ipWhitelist };
  const action = edited === undefined ? createSubKey(draft) : changeSubKey(edited.apiKey, draft);
  const isNew = edited === undefined;
  const needed = [
    ...(isNew && (passphrase.length < 7 || passphrase.length > 32)
      ? ['a passphrase of 7 to 32 characters']
      : []),
    ...(!isNew && passphrase === '' ? ['its passphrase'] : []),
    ...(isNew && remark === '' ? ['a remark'] : []),
    ...(granted.length === 0 ? ['something that the key may do'] : []),
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
            if (edited === undefined) setMade(answer as SubKey);
            else showToast('done', 'Key changed');
            setPassphrase('');
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
        <TextField
          label="Allowed IP addresses"
          value={ipWhitelist}
          onValue={setIpWhitelist}
          hint={`Separated by commas; empty allows any.${ownAddress === undefined ? '' : ` Yours is ${ownAddress}.`}`}
        />
      </div>
      <div role="group" aria-label="Permissions" className="flex gap-4">
        {permissions.map((name) => (
          <Checkbox
            key={name}
            label={name}
            isChecked={granted.includes(name)}
            onChecked={(isGranted) =>
              setGranted(permissions.filter((each) => (each === name ? isGranted : granted.includes(each))))
            }
          />
        ))}
      </div>
      <p aria-live="polite" className="min-h-4 text-xs text-muted">
        {needed.length > 0 && `Still needed: ${needed.join(', ')}.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" isBusy={act.isPending} disabled={needed.length > 0}>
          {edited === undefined ? 'Make the key' : 'Change'}
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
          <p className="mb-1 font-medium text-warning">
            Write the secret down: it is shown now and never again.
          </p>
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
