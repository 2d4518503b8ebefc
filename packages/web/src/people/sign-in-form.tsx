/** Signs a person in: with a passkey alone, or with address, password and the second factor, if there is one. */

import { useState } from 'react';
import { Link } from 'wouter';
import { useSending } from '../exchange/query-client.ts';
import {
  callIdentity,
  type Factor,
  type GivenFactor,
  IdentityRefusal,
  type SigningKey,
} from '../session/identity.ts';
import { enterSession } from '../session/person.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { FormError } from '../ui/states.tsx';
import {
  EmailField,
  askPasskey,
  canUsePasskeys,
  FactorForm,
  PasskeyHint,
  PasswordField,
} from './factors.tsx';

export interface SignInFormProps {
  readonly onDone?: () => void;
  /** Called when a link leads to another page. */
  readonly onLeave?: () => void;
  /**
   * Called when the browser has a session, instead of trading with its key. The form then has no links: other pages may
   * not be served there.
   */
  readonly onSession?: () => Promise<void>;
}

interface Opened {
  readonly key: SigningKey;
}

export default function SignInForm({ onDone, onLeave, onSession }: SignInFormProps) {
  const open = async (body: object): Promise<void> => {
    const { key } = await callIdentity<Opened>('POST', '/sessions', body);
    await (onSession === undefined ? enterSession(key) : onSession());
  };
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** The accepted second factors, of which one is still needed; empty before the password. */
  const [factors, setFactors] = useState<readonly Factor[]>([]);
  const enter = useSending({
    mutationFn: (begin: () => Promise<void>) => begin(),
    onSuccess: () => onDone?.(),
    onError: (error) => {
      if (error instanceof IdentityRefusal && error.code === 'second-factor') setFactors(error.factors);
    },
  });
  if (factors.length > 0) {
    const give = async (given: GivenFactor): Promise<void> => {
      await open({ email, password, ...given });
      onDone?.();
    };
    return (
      <section aria-label="Second factor" className="flex flex-col gap-3">
        <p className="text-xs text-muted">
          The password is correct. Now prove that you are <strong className="text-text">{email}</strong>:
        </p>
        <FactorForm factors={factors} takesRecoveryCodes onGive={give} />
        <Button kind="quiet" size="small" className="self-start" onClick={() => setFactors([])}>
          Back
        </Button>
      </section>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        kind="primary"
        size="large"
        isBusy={enter.isPending}
        disabled={!canUsePasskeys()}
        onClick={() => enter.mutate(async () => open({ passkey: await askPasskey() }))}
      >
        <Icon name="key" /> Sign in with a passkey
      </Button>
      <PasskeyHint />
      <p className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with a password
      </p>
      <form
        aria-label="With a password"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate(() => open({ email, password }));
        }}
      >
        <EmailField value={email} onValue={setEmail} />
        <PasswordField label="Password" value={password} onValue={setPassword} />
        <Button
          type="submit"
          size="large"
          isBusy={enter.isPending}
          disabled={email.trim() === '' || password === ''}
        >
          Sign in
        </Button>
      </form>
      <FormError error={enter.error} />
      {onSession === undefined && (
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-xs">
          <Link href="/sign-up" onClick={onLeave} className="text-accent hover:underline">
            New here? Sign up
          </Link>
          <Link href="/reset" onClick={onLeave} className="text-accent hover:underline">
            Forgot your password?
          </Link>
        </p>
      )}
    </div>
  );
}
