/** A forgotten password: requests the mail, then sets a new password with its link. The second factor is still needed. */

import { useState } from 'react';
import { Link } from 'wouter';
import { useSending } from '../exchange/query-client.ts';
import { callIdentity, type Factor, type GivenFactor, IdentityRefusal } from '../session/identity.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/states.tsx';
import { Entrance, MailHint, useLinkToken } from './entrance.tsx';
import { EmailField, FactorForm, PASSWORD_HINT, PasswordField } from './factors.tsx';

export function Reset() {
  const token = useLinkToken();
  return token === '' ? <AskForMail /> : <NewPassword token={token} />;
}

function AskForMail() {
  const [email, setEmail] = useState('');
  const ask = useSending({ mutationFn: () => callIdentity('POST', '/password/reset', { email }) });
  if (ask.isSuccess) {
    return (
      <Entrance
        title="Check your mail"
        about={
          <>
            If <strong className="text-text">{email}</strong> has an account, we sent it a mail with a link to
            set a new password. The link works once, for 24 hours.
          </>
        }
      >
        <MailHint to={email} />
      </Entrance>
    );
  }
  return (
    <Entrance
      title="Set a new password"
      about="We send you a link by mail. If you have a second factor, you need it too."
    >
      <form
        aria-label="Request a mail"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <EmailField value={email} onValue={setEmail} />
        <Button
          type="submit"
          kind="primary"
          size="large"
          isBusy={ask.isPending}
          disabled={email.trim() === ''}
        >
          Send the mail
        </Button>
      </form>
      <FormError error={ask.error} />
      <p className="text-xs">
        <Link href="/sign-in" className="text-accent hover:underline">
          Back to sign-in
        </Link>
      </p>
    </Entrance>
  );
}

function NewPassword({ token }: { readonly token: string }) {
  const [password, setPassword] = useState('');
  const [factors, setFactors] = useState<readonly Factor[]>([]);
  const set = useSending({
    mutationFn: (given: GivenFactor) =>
      callIdentity('POST', '/password/reset/confirm', { token, password, ...given }),
    onError: (error) => {
      if (error instanceof IdentityRefusal && error.code === 'second-factor') setFactors(error.factors);
    },
  });
  if (set.isSuccess) {
    return (
      <Entrance
        title="Password changed"
        about="All sessions have ended, and withdrawals are locked for 24 hours."
      >
        <Link
          href="/sign-in"
          className="flex h-10 items-center justify-center rounded-md bg-accent-fill px-4 font-semibold text-white hover:brightness-110"
        >
          Sign in
        </Link>
      </Entrance>
    );
  }
  if (factors.length > 0) {
    return (
      <Entrance title="Second factor" about="A mail alone does not change your password.">
        <FactorForm factors={factors} takesRecoveryCodes onGive={(given) => set.mutateAsync(given)} />
      </Entrance>
    );
  }
  return (
    <Entrance
      title="Set a new password"
      about="All sessions end, and withdrawals are locked for 24 hours. API keys stay."
    >
      <form
        aria-label="New password"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate({});
        }}
      >
        <PasswordField
          label="New password"
          isNew
          value={password}
          onValue={setPassword}
          hint={PASSWORD_HINT}
        />
        <Button type="submit" kind="primary" size="large" isBusy={set.isPending} disabled={password === ''}>
          Set the password
        </Button>
      </form>
      <FormError error={set.error} />
    </Entrance>
  );
}
