/** Passkeys: listed, added, removed. */

import { useState } from 'react';
import { queryClient, useSending } from '../exchange/query-client.ts';
import { canUsePasskeys, makePasskey, PasskeyHint } from '../people/passkey.tsx';
import { NotGiven, withStepUp } from '../people/step-up.tsx';
import { callIdentity } from '../session/identity.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Failed, sentenceOf } from '../ui/states.tsx';
import { dateTime } from '../ui/times.ts';
import { showToast } from '../ui/toast.tsx';
import { visible } from '../ui/visible.ts';
import { useIdentity, useIdentityCall } from './identity-calls.ts';
import { Section } from './section.tsx';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created: number;
}

type Options = Parameters<typeof makePasskey>[0];

const NAME_MAX = 64;

interface PasskeysProps {
  /** Proposed as the name of a new one. */
  readonly device: string;
}

export function Passkeys({ device }: PasskeysProps) {
  const passkeys = useIdentity<readonly Passkey[]>('/passkeys');
  const remove = useIdentityCall();
  return (
    <Section
      title="Passkeys"
      state={(passkeys.data?.length ?? 0) > 0 ? <Badge tone="accent">on</Badge> : <Badge>none</Badge>}
      about="Sign in with a fingerprint, a face or a security key. Nobody can phish it."
    >
      {passkeys.isError && <Failed error={passkeys.error} onRetry={() => void passkeys.refetch()} />}
      {(passkeys.data?.length ?? 0) > 0 && (
        <ul aria-label="Passkeys" className="flex w-full max-w-xl flex-col gap-2">
          {passkeys.data?.map(({ id, name, created }) => (
            <li
              key={id}
              className="flex items-center justify-between gap-3 rounded-md border border-line px-3 py-2"
            >
              <span className="min-w-0">
                <span className="block truncate font-medium">{visible(name)}</span>
                <span className="block text-xs text-faint">added {dateTime(created)}</span>
              </span>
              <ConfirmButton
                label="Remove"
                question={`Remove the passkey ${visible(name)}?`}
                about="You can no longer sign in with it. Withdrawals are locked for 24 hours."
                yes="Remove it"
                no="Keep it"
                isBusy={remove.isPending}
                onConfirm={() =>
                  remove.mutate({
                    method: 'DELETE',
                    path: `/passkeys/${encodeURIComponent(id)}`,
                    done: 'Passkey removed',
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <AddPasskey device={device} />
    </Section>
  );
}

function AddPasskey({ device }: PasskeysProps) {
  const [name, setName] = useState(device);
  const add = useSending({
    mutationFn: async () => {
      const options = await withStepUp(() => callIdentity<Options>('POST', '/passkeys/options'));
      await callIdentity('POST', '/passkeys', { name: name.trim(), response: await makePasskey(options) });
    },
    onSuccess: () => showToast('done', 'Passkey added'),
    onError: (error) => {
      if (!(error instanceof NotGiven)) showToast('refused', 'No passkey was added', sentenceOf(error));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['person'] }),
  });
  return (
    <form
      aria-label="Add a passkey"
      className="flex w-full max-w-xl flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <div className="flex items-end gap-2">
        <TextField
          label="Name of the new passkey"
          className="flex-1"
          value={name}
          onValue={setName}
          maxLength={NAME_MAX}
        />
        <Button type="submit" isBusy={add.isPending} disabled={!canUsePasskeys() || name.trim() === ''}>
          Add a passkey
        </Button>
      </div>
      <PasskeyHint />
    </form>
  );
}
