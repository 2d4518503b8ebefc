/**
 * Sign-up: address and password, then the link of a mail. Opening the link changes nothing; the button of its page creates
 * the account.
 */

import { useState } from 'react';
import { Link } from 'wouter';
import { queryClient, useSending } from '../exchange/query-client.ts';
import { callIdentity, isRefusal, type SigningKey } from '../session/identity.ts';
import { enterSession, usePerson } from '../session/person.ts';
import { callSandbox, useIsSandbox } from '../session/sandbox.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { FormError } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { Entrance, MailHint, NoToken, useLinkToken } from './entrance.tsx';
import { EmailField, PASSWORD_MIN, PasswordField } from './factors.tsx';

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
    <Entrance
      title="Sign up"
      about="One account to trade, hold money, and create API keys for your programs."
    >
      <form
        aria-label="Sign up"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <EmailField value={email} onValue={setEmail} />
        <PasswordField
          label="Password"
          isNew
          value={password}
          onValue={setPassword}
          hint={
            password !== '' && missing > 0
              ? `${missing} more ${missing === 1 ? 'character' : 'characters'}. Four unrelated words make a good password.`
              : 'At least 15 characters of any kind. Four unrelated words make a good password.'
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

const PLAY_MONEY = { USDT: '100000', BTC: '2' };

/** The target of a sign-up mail's link: creates the account and signs in. */
export function Verify() {
  const token = useLinkToken();
  const verify = useSending({
    mutationFn: async () => {
      const { key } = await callIdentity<{ readonly key: SigningKey }>('POST', '/verify', { token });
      await enterSession(key);
    },
  });
  if (verify.isSuccess) return <Welcome />;
  return (
    <Entrance title="Confirm your address" about="This creates your account and signs you in.">
      <Button
        kind="primary"
        size="large"
        isBusy={verify.isPending}
        disabled={token === ''}
        onClick={() => verify.mutate()}
      >
        Confirm and sign in
      </Button>
      {token === '' && <NoToken again="/sign-up" />}
      <FormError error={verify.error} />
    </Entrance>
  );
}

function Welcome() {
  const { data } = usePerson();
  return (
    <Entrance
      title={`Welcome${data === undefined ? '' : `, ${data.person.name}`}`}
      about="You are signed in."
    >
      <PlayMoney />
      <Link href="/account" className="rounded-md border border-line-strong bg-raised p-3 hover:bg-hover">
        <span className="block font-medium">Add a passkey or an authenticator app</span>
        <span className="block text-xs text-muted">
          A stolen password alone then gives no access. It takes a minute.
        </span>
      </Link>
      <Link href="/" className="text-xs text-accent hover:underline">
        Go to the terminal
      </Link>
    </Entrance>
  );
}

/** Free play money, in a sandbox only. */
function PlayMoney() {
  const isSandbox = useIsSandbox();
  const user = usePerson().data?.user.name;
  const give = useSending({
    mutationFn: async () => {
      for (const [currency, amount] of Object.entries(PLAY_MONEY))
        await callSandbox('POST', '/faucet', { body: { user, currency, amount, account: 'trade' } });
      await queryClient.invalidateQueries({ queryKey: ['user'] });
    },
    onSuccess: () => showToast('done', 'Play money credited to your TRADE account'),
  });
  if (isSandbox !== true) return null;
  return (
    <>
      <Button
        kind="primary"
        size="large"
        isBusy={give.isPending}
        disabled={user === undefined || give.isSuccess}
        onClick={() => give.mutate()}
      >
        {give.isSuccess ? '100,000 USDT and 2 BTC credited' : 'Get 100,000 USDT and 2 BTC'}
      </Button>
      <FormError error={give.error} />
    </>
  );
}
