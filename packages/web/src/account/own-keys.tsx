/** The person's API keys, for programs: listed, made, changed and removed. A secret is shown once. */

import { useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { ShownOnce } from '../ui/copy.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { SettingSection } from '../ui/panel.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/text.ts';
import { useIdentity, useIdentityCall } from './identity-calls.ts';
import { addressesOf, AllowedAddresses, Permissions } from './key-fields.tsx';

interface OwnKey {
  readonly apiKey: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly ipAllowList: readonly string[];
  readonly expires: number | null;
}

interface MadeKey extends OwnKey {
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const PERMISSIONS = ['General', 'Spot', 'FlexTransfers', 'Withdrawal'] as const;
const WITHDRAWAL = 'Withdrawal';
const NAME_MAX = 64;

export function OwnKeys() {
  const keys = useIdentity<readonly OwnKey[]>('/keys');
  const remove = useIdentityCall();
  const [edited, setEdited] = useState<OwnKey>();
  // Here, because the form may show another key when the response comes, and the secret would be lost.
  const [made, setMade] = useState<MadeKey>();
  if (keys.isError && keys.data === undefined)
    return <Failed error={keys.error} onRetry={() => void keys.refetch()} />;
  if (keys.data === undefined) return <Loading label="Keys are loading" lines={3} />;
  const columns: readonly Column<OwnKey>[] = [
    { key: 'name', label: 'Name', isTitle: true, cell: ({ name }) => name },
    { key: 'key', label: 'Key', cell: ({ apiKey }) => <code className="font-mono">{apiKey}</code> },
    { key: 'may', label: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
    {
      key: 'from',
      label: 'IP addresses',
      cell: ({ ipAllowList }) => ipAllowList.join(', ') || 'any',
      className: 'max-w-48 truncate text-muted',
    },
    {
      key: 'until',
      label: 'Expires',
      cell: ({ expires }) => (expires === null ? 'never' : dateTime(expires)),
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
          label={`Change or remove ${key.name}`}
          onClick={() => setEdited(key)}
        />
      ),
    },
  ];
  return (
    <>
      <Table
        label="API keys"
        className="h-auto! border-b border-line"
        columns={columns}
        rows={keys.data}
        rowKey={({ apiKey }) => apiKey}
        empty={
          <Empty icon="key" title="No API keys yet" className="h-auto! border-b border-line">
            Programs sign their requests with an API key.
          </Empty>
        }
      />
      <KeyForm
        key={edited?.apiKey ?? ''}
        edited={edited}
        made={edited === undefined ? made : undefined}
        onMade={setMade}
        // A late response leaves the form of another key open.
        onDone={() => setEdited((now) => (now === edited ? undefined : now))}
        onRemove={({ apiKey }) => {
          remove.mutate({ method: 'DELETE', path: `/keys/${apiKey}`, done: 'Key removed' });
          setEdited(undefined);
        }}
      />
    </>
  );
}

interface KeyFormProps {
  /** Undefined for a new one. */
  readonly edited: OwnKey | undefined;
  /** The key just made, with its secrets; undefined once the user has written them down. */
  readonly made: MadeKey | undefined;
  readonly onMade: (key: MadeKey | undefined) => void;
  readonly onDone: () => void;
  readonly onRemove: (key: OwnKey) => void;
}

function KeyForm({ edited, made, onMade, onDone, onRemove }: KeyFormProps) {
  const [name, setName] = useState(edited?.name ?? '');
  const [granted, setGranted] = useState<readonly string[]>(edited?.permissions ?? ['General', 'Spot']);
  const [addresses, setAddresses] = useState(edited?.ipAllowList.join(', ') ?? '');
  const save = useIdentityCall<MadeKey>();
  const ipAllowList = addressesOf(addresses);
  const needed = [
    ...(name.trim() === '' ? ['a name'] : []),
    ...(granted.length === 0 ? ['a permission'] : []),
    ...(granted.includes(WITHDRAWAL) && ipAllowList.length === 0
      ? ['IP addresses, because the key has the permission Withdrawal']
      : []),
  ];
  return (
    <SettingSection
      title={edited === undefined ? 'New key' : `Change ${edited.name}`}
      about="For programs. It stays valid when you sign out. A key with the permission Withdrawal needs allowed IP addresses."
    >
      {made === undefined ? (
        <form
          aria-label={edited === undefined ? 'New key' : 'Change a key'}
          className="flex w-full max-w-xl flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const body = { name: name.trim(), permissions: granted, ipAllowList };
            if (edited === undefined)
              save.mutate({ method: 'POST', path: '/keys', body }, { onSuccess: onMade });
            else
              save.mutate(
                { method: 'POST', path: `/keys/${edited.apiKey}`, body, done: 'Key changed' },
                { onSuccess: onDone },
              );
          }}
        >
          <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
            <TextField label="Name" value={name} onValue={setName} maxLength={NAME_MAX} />
            <AllowedAddresses value={addresses} onValue={setAddresses} />
          </div>
          <Permissions choices={PERMISSIONS} granted={granted} onGranted={setGranted} needed={needed} />
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" kind="primary" isBusy={save.isPending} disabled={needed.length > 0}>
              {edited === undefined ? 'Create the key' : 'Change'}
            </Button>
            {edited !== undefined && (
              <>
                <ConfirmButton
                  label="Remove"
                  size="medium"
                  question={`Remove the key ${edited.name}?`}
                  about="Programs can no longer use it."
                  yes="Remove it"
                  no="Keep it"
                  isBusy={false}
                  onConfirm={() => onRemove(edited)}
                />
                <Button kind="quiet" onClick={onDone}>
                  Cancel
                </Button>
              </>
            )}
          </div>
        </form>
      ) : (
        <ShownOnce
          title="Write down the secret and the passphrase. They are shown only once."
          facts={[
            ['Key', made.apiKey],
            ['Secret', made.apiSecret],
            ['Passphrase', made.apiPassphrase],
          ]}
          onDone={() => {
            onMade(undefined);
            setName('');
          }}
        />
      )}
    </SettingSection>
  );
}
