/** TOTP: an app shows a code that changes every 30 seconds. And the recovery codes for when the phone is lost. */

import { useState } from 'react';
import { QrCode } from '../money/qr-code.tsx';
import type { PersonInfo } from '../session/identity.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { CopyButton, ShownOnce } from '../ui/copy-button.tsx';
import { TextField } from '../ui/field.tsx';
import { useIdentityCall } from './identity-calls.ts';
import { Section } from './section.tsx';

interface Secret {
  readonly secret: string;
  readonly uri: string;
}

interface Codes {
  readonly recoveryCodes: readonly string[];
}

export function AuthenticatorApp({ factors }: { readonly factors: PersonInfo['factors'] }) {
  const begin = useIdentityCall<Secret>();
  const remove = useIdentityCall();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const secret = begin.data;
  return (
    <>
      <Section
        title="Authenticator app"
        state={factors.totp ? <Badge tone="accent">on</Badge> : <Badge>off</Badge>}
        about="An app such as Aegis, FreeOTP or Google Authenticator shows a six-digit code, which you enter after the password."
      >
        {factors.totp ? (
          <ConfirmButton
            label="Remove the app"
            question="Sign in without the app?"
            about="Then the password alone opens your account, unless you have a passkey. Withdrawals are locked for 24 hours."
            yes="Remove it"
            no="Keep it"
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate({ method: 'DELETE', path: '/totp', done: 'The app is removed' })}
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
      </Section>
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
        // A promise, because a callback would be lost with this form, and the codes with it.
        confirm.mutateAsync({ ...call, done: 'The app is set up' }).then(
          ({ recoveryCodes }) => onCodes(recoveryCodes),
          () => undefined,
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
          label="The code that the app shows now"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          value={code}
          onValue={setCode}
          className="max-w-52"
        />
        <div className="flex gap-2">
          <Button type="submit" kind="primary" isBusy={confirm.isPending} disabled={code.trim() === ''}>
            Switch it on
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
  /** New ones, shown now and never again. */
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
    <Section
      title="Recovery codes"
      state={<Badge tone={left > 2 ? 'neutral' : 'warning'}>{left} left</Badge>}
      about="Each works once in place of the app, for example when the phone is lost. Keep them on paper."
    >
      {codes.length > 0 ? (
        <ShownOnce
          title="Write these down: they are shown now and never again."
          facts={codes.map((code) => ['', code])}
          onDone={() => onCodes([])}
        />
      ) : (
        <ConfirmButton
          label="Make new ones"
          question="Make ten new recovery codes?"
          about="The old ones stop working."
          yes="Make new ones"
          no="Keep the old ones"
          isBusy={renew.isPending}
          onConfirm={get}
        />
      )}
    </Section>
  );
}
