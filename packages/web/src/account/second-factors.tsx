/** Second factors of an account: the authenticator app with its recovery codes, and passkeys. */

import { useState } from 'react';
import { queryClient, useSending } from '../exchange/query-client.ts';
import { canUsePasskeys, makePasskey, PasskeyHint } from '../people/factors.tsx';
import { NotGiven, withStepUp } from '../people/step-up.tsx';
import { callIdentity, type PersonInfo } from '../session/identity.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton, QrCode, ShownOnce } from '../ui/copy.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { SettingSection } from '../ui/panel.tsx';
import { Badge, Failed, sentenceOf } from '../ui/states.tsx';
import { dateTime, visible } from '../ui/text.ts';
import { showToast } from '../ui/toast.tsx';
import { useIdentity, useIdentityCall } from './identity-calls.ts';

interface Secret {
  readonly secret: string;
  readonly uri: string;
}

interface Codes {
  readonly recoveryCodes: readonly string[];
}

/** TOTP: the app shows a code that changes every 30 seconds. */
export function AuthenticatorApp({ factors }: { readonly factors: PersonInfo['factors'] }) {
  const begin = useIdentityCall<Secret>();
  const remove = useIdentityCall();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const secret = begin.data;
  return (
    <>
      <SettingSection
        title="Authenticator app"
        state={factors.totp ? <Badge tone="accent">on</Badge> : <Badge>off</Badge>}
        about="An app such as Aegis, FreeOTP or Google Authenticator shows a six-digit code, which you enter after the password."
      >
        {factors.totp ? (
          <ConfirmButton
            label="Remove the app"
            question="Remove the authenticator app?"
            about="You then sign in with the password alone, unless you have a passkey. Withdrawals are locked for 24 hours."
            yes="Remove it"
            no="Keep it"
            isBusy={remove.isPending}
            onConfirm={() =>
              remove.mutate({ method: 'DELETE', path: '/totp', done: 'Authenticator app removed' })
            }
          />
        ) : secret === undefined ? (
          <Button isBusy={begin.isPending} onClick={() => begin.mutate({ method: 'POST', path: '/totp' })}>
            Set up an app
          </Button>
        ) : (
          <Confirm
            secret={secret}
            onCodes={(next) => {
              begin.reset();
              setCodes(next);
            }}
            onLeave={() => begin.reset()}
          />
        )}
      </SettingSection>
      <RecoveryCodes left={factors.recoveryCodes} codes={codes} onCodes={setCodes} />
    </>
  );
}

interface ConfirmProps {
  readonly secret: Secret;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onLeave: () => void;
}

function Confirm({ secret: { secret, uri }, onCodes, onLeave }: ConfirmProps) {
  const [code, setCode] = useState('');
  const confirm = useIdentityCall<Codes>();
  return (
    <form
      aria-label="Set up the app"
      className="flex flex-wrap gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const call = { method: 'POST', path: '/totp/confirm', body: { code: code.trim() } } as const;
        confirm.mutate(
          { ...call, done: 'Authenticator app set up' },
          { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) },
        );
      }}
    >
      <QrCode text={uri} label="QR code for the authenticator app" />
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-3">
        <p className="text-xs text-muted">
          Scan the code with the app, or type in{' '}
          <code className="font-mono break-all text-text">{secret.match(/.{1,4}/g)?.join(' ')}</code>{' '}
          <CopyButton label="Secret" text={secret} />
        </p>
        <TextField
          label="Current code of the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          value={code}
          onValue={setCode}
          className="max-w-52"
        />
        <div className="flex gap-2">
          <Button type="submit" kind="primary" isBusy={confirm.isPending} disabled={code.trim() === ''}>
            Turn it on
          </Button>
          <Button kind="quiet" onClick={onLeave}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
  );
}

interface RecoveryCodesProps {
  readonly left: number;
  /** New codes, shown only once. */
  readonly codes: readonly string[];
  readonly onCodes: (codes: readonly string[]) => void;
}

function RecoveryCodes({ left, codes, onCodes }: RecoveryCodesProps) {
  const renew = useIdentityCall<Codes>();
  const get = (): void =>
    renew.mutate(
      { method: 'POST', path: '/recovery-codes' },
      { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) },
    );
  if (left === 0 && codes.length === 0) return null;
  return (
    <SettingSection
      title="Recovery codes"
      state={<Badge tone={left > 2 ? 'neutral' : 'warning'}>{left} left</Badge>}
      about="Each works once in place of the app, for example when the phone is lost. Keep them on paper."
    >
      {codes.length > 0 ? (
        <ShownOnce
          title="Write these down. They are shown only once."
          facts={codes.map((code) => ['', code])}
          onDone={() => onCodes([])}
        />
      ) : (
        <ConfirmButton
          label="Create new codes"
          question="Create ten new recovery codes?"
          about="The old ones stop working."
          yes="Create new codes"
          no="Keep the old ones"
          isBusy={renew.isPending}
          onConfirm={get}
        />
      )}
    </SettingSection>
  );
}

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created: number;
}

type Options = Parameters<typeof makePasskey>[0];

const NAME_MAX = 64;

interface PasskeysProps {
  /** The proposed name of a new passkey. */
  readonly device: string;
}

export function Passkeys({ device }: PasskeysProps) {
  const passkeys = useIdentity<readonly Passkey[]>('/passkeys');
  const remove = useIdentityCall();
  return (
    <SettingSection
      title="Passkeys"
      state={(passkeys.data?.length ?? 0) > 0 ? <Badge tone="accent">on</Badge> : <Badge>none</Badge>}
      about="Sign in with a fingerprint, a face or a security key. A passkey cannot be phished."
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
    </SettingSection>
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
