/** What people sign in with: e-mail address, password, passkey, code of an authenticator app, recovery code. */

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useState } from 'react';
import { useSending } from '../exchange/query-client.ts';
import { callIdentity, type Factor, type GivenFactor } from '../session/identity.ts';
import { Button } from '../ui/button.tsx';
import { TextField, type TextFieldProps } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { FormError } from '../ui/states.tsx';

export function EmailField(field: Pick<TextFieldProps, 'value' | 'onValue'>) {
  return <TextField {...field} label="E-mail address" type="email" autoComplete="username" />;
}

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'suffix'> {
  /** Tells the browser's password manager whether to fill it in or to propose one. */
  readonly isNew?: boolean;
}

/** A password, hidden unless the user chooses to show it. */
export function PasswordField({ isNew = false, ...field }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      suffix={
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={`Show: ${field.label}`}
          className="text-accent hover:underline"
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}

export const PASSWORD_MIN = 15;
export const PASSWORD_HINT =
  'At least 15 characters of any kind, 10 with a second factor. Four unrelated words make a good password.';

const ADDRESS = /^(?:[\d.]+|\[.*\])$/;

/** The passkey library, loaded on first use. */
const library = () => import('@simplewebauthn/browser');

/** Browsers support passkeys only for host names, not for IP addresses. */
const hasHostName = (): boolean => !ADDRESS.test(location.hostname);

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis && hasHostName();

/** The URL of this page at localhost, if it was opened at a loopback address; otherwise undefined. */
function namedPage(): string | undefined {
  if (hasHostName() || !location.hostname.startsWith('127.')) return undefined;
  const url = new URL(location.href);
  url.hostname = 'localhost';
  return url.href;
}

/** The response to a challenge, to be sent as `passkey`. */
export async function askPasskey(): Promise<object> {
  const optionsJSON = await callIdentity<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/passkeys/challenge',
  );
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON }).catch(notUsed);
}

/** The response to registration options, to be sent as `response`. */
export async function makePasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON }).catch(notUsed);
}

/** Browsers do not report why: cancelled, none available, or timed out. */
function notUsed(error: unknown): never {
  const { name = '' } = error as { name?: string };
  if (name === 'InvalidStateError') throw new Error('This device already has a passkey for your account.');
  throw new Error('No passkey was used: none was chosen, or it took too long. Try again.');
}

/** Why passkeys are disabled on this page, and where they work. */
export function PasskeyHint() {
  if (canUsePasskeys()) return null;
  const named = namedPage();
  return (
    <p className="text-xs text-muted">
      {named === undefined ? (
        'This browser does not support passkeys on this page.'
      ) : (
        <>
          Passkeys need a host name. They work at{' '}
          <a href={named} className="text-accent underline">
            {new URL(named).host}
          </a>
          .
        </>
      )}
    </p>
  );
}

export interface FactorFormProps {
  readonly factors: readonly Factor[];
  /** Whether a recovery code is accepted too. */
  readonly takesRecoveryCodes: boolean;
  /** The form shows its error. */
  readonly onGive: (given: GivenFactor) => Promise<unknown>;
}

type Kind = 'totp' | 'recoveryCode' | 'password';

const fields: Readonly<Record<Kind, { readonly label: string; readonly hint: string }>> = {
  totp: { label: 'Code of your authenticator app', hint: '6 digits. Each code works once.' },
  recoveryCode: { label: 'Recovery code', hint: 'One of the ten that you wrote down. Each works once.' },
  password: { label: 'Password', hint: '' },
};

/** Asks for one factor: a passkey, a code of the app, a recovery code, or the password. */
export function FactorForm({ factors, takesRecoveryCodes, onGive }: FactorFormProps) {
  const first: Kind = factors.includes('totp')
    ? 'totp'
    : factors.includes('password')
      ? 'password'
      : 'recoveryCode';
  const [kind, setKind] = useState<Kind>(first);
  const [text, setText] = useState('');
  // A password may begin or end with a space; a pasted code often does.
  const given = kind === 'password' ? text : text.trim();
  const give = useSending({ mutationFn: async (get: () => Promise<GivenFactor>) => onGive(await get()) });
  const hasPasskey = factors.includes('passkey');
  const hasText = first !== 'recoveryCode' || takesRecoveryCodes;
  const choose = (next: Kind): void => {
    give.reset();
    setText('');
    setKind(next);
  };
  return (
    <div className="flex flex-col gap-3">
      {hasPasskey && (
        <Button
          kind="primary"
          size="large"
          data-autofocus
          isBusy={give.isPending}
          disabled={!canUsePasskeys()}
          onClick={() => give.mutate(async () => ({ passkey: await askPasskey() }))}
        >
          <Icon name="key" /> Use a passkey
        </Button>
      )}
      {hasText && (
        <form
          aria-label="Second factor"
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            give.mutate(() => Promise.resolve({ [kind]: given }));
          }}
        >
          {kind === 'password' ? (
            <PasswordField label="Password" data-autofocus value={text} onValue={setText} />
          ) : (
            <TextField
              key={kind}
              {...fields[kind]}
              data-autofocus
              value={text}
              onValue={setText}
              {...(kind === 'totp' && { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 8 })}
            />
          )}
          <Button
            type="submit"
            kind={hasPasskey ? 'neutral' : 'primary'}
            size="large"
            isBusy={give.isPending}
            disabled={given === ''}
          >
            Continue
          </Button>
        </form>
      )}
      <FormError error={give.error} />
      {takesRecoveryCodes && first === 'totp' && (
        <Button
          kind="quiet"
          size="small"
          className="self-start"
          onClick={() => choose(kind === 'totp' ? 'recoveryCode' : 'totp')}
        >
          {kind === 'totp' ? 'Lost your phone? Use a recovery code' : 'Use the app instead'}
        </Button>
      )}
    </div>
  );
}
