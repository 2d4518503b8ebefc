/** Signs up: address and password first, then the link of a mail. */

import { useState } from 'react';
import { Link } from 'wouter';
import { useSending } from '../exchange/query-client.ts';
import { callIdentity, isRefusal } from '../session/identity.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Entrance, MailHint } from './entrance.tsx';
import { FormError } from '../ui/states.tsx';
import { PASSWORD_MIN, PasswordField } from './password-field.tsx';

export function SignUp() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [invitation, setInvitation] = useState(
    () => new URLSearchParams(location.search).get('invitation') ?? '',
  );
  const ask = useSending({
    mutationFn: () =>
      callIdentity('POST', '/sign-up', { email, password, ...(invitation !== '' && { invitation }) }),
  });
  if (ask.isSuccess) {
    return (
      <Entrance
        title="Check your mail"
        about={
          <>
            We sent a mail to <strong className="text-text">{email}</strong>. Its link creates your account;
            it works once, for 24 hours.
          </>
        }
      >
        <MailHint to={email} />
        <Button kind="quiet" size="small" className="self-start" onClick={() => ask.reset()}>
          Use another address
        </Button>
      </Entrance>
    );
  }
  const isInvited = invitation !== '' || isRefusal(ask.error, 'invitation');
  const missing = PASSWORD_MIN - [...password].length;
  return (
    <Entrance title="Sign up" about="One account: trade, keep money, and make keys for your programs.">
      <form
        aria-label="Sign up"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          value={email}
          onValue={setEmail}
        />
        <PasswordField
          label="Password"
          isNew
          value={password}
          onValue={setPassword}
          hint={
            password !== '' && missing > 0
              ? `${missing} more ${missing === 1 ? 'character' : 'characters'}. Four unrelated words are a good password.`
              : 'At least 15 characters of any kind. Four unrelated words are a good password.'
          }
        />
        {isInvited && <TextField label="Invitation" value={invitation} onValue={setInvitation} />}
        <Button
          type="submit"
          kind="primary"
          size="large"
          isBusy={ask.isPending}
          disabled={email.trim() === '' || missing > 0}
        >
          Sign up
        </Button>
      </form>
      <FormError error={ask.error} />
      <p className="text-xs">
        <Link href="/sign-in" className="text-accent hover:underline">
          Already have an account? Sign in
        </Link>
      </p>
    </Entrance>
  );
}
