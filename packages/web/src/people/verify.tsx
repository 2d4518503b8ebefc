/** Where the links of mails lead. Opening one of these pages does nothing yet. */

import { Link, useRoute } from 'wouter';
import { queryClient, useSending } from '../exchange/query-client.ts';
import { callIdentity, type SigningKey } from '../session/identity.ts';
import { enterSession, usePerson } from '../session/person.ts';
import { callSandbox, useIsSandbox } from '../session/sandbox.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { Entrance, useLinkToken } from './entrance.tsx';

const PLAY_MONEY = { USDT: '100000', BTC: '2' };

/** The link of a sign-up: makes the account and signs in. */
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

/** For a link page that was opened without its link. */
function NoToken({ again }: { readonly again: string }) {
  return (
    <p className="text-xs text-muted">
      Open the complete link from the mail. Lost it?{' '}
      <Link href={again} className="text-accent hover:underline">
        Ask for a new one
      </Link>
      .
    </p>
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
          A stolen password alone then opens nothing. It takes a minute.
        </span>
      </Link>
      <Link href="/" className="text-xs text-accent hover:underline">
        Go to the terminal
      </Link>
    </Entrance>
  );
}

/** In a sandbox nobody needs to bring money. */
function PlayMoney() {
  const isSandbox = useIsSandbox();
  const user = usePerson().data?.user.name;
  const give = useSending({
    mutationFn: async () => {
      for (const [currency, amount] of Object.entries(PLAY_MONEY))
        await callSandbox('POST', '/faucet', { body: { user, currency, amount, account: 'trade' } });
      await queryClient.invalidateQueries({ queryKey: ['user'] });
    },
    onSuccess: () => showToast('done', 'There is money in your TRADE account'),
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
        {give.isSuccess ? '100,000 USDT and 2 BTC are there' : 'Get 100,000 USDT and 2 BTC'}
      </Button>
      <FormError error={give.error} />
    </>
  );
}

const QUESTIONS = {
  email: {
    path: '/email/confirm',
    title: 'Use this address?',
    about: 'You sign in with it from now on. Withdrawals are locked for 24 hours.',
    yes: 'Use this address',
    done: 'Your address is changed',
    after: 'Sign in with it from now on.',
  },
  freeze: {
    path: '/freeze',
    title: 'Freeze your account?',
    about:
      'All sessions and API keys end, orders are cancelled and withdrawals stop, of sub-accounts too. Only the operator can lift it.',
    yes: 'Freeze my account',
    done: 'Your account is frozen',
    after: 'Nobody can sign in, trade or withdraw. Ask the operator to lift it when you are safe again.',
  },
} as const;

/** Links that ask one question: use the new address, freeze the account. */
export function ConfirmLink() {
  const token = useLinkToken();
  const [isFreeze] = useRoute('/freeze');
  const question = QUESTIONS[isFreeze ? 'freeze' : 'email'];
  const confirm = useSending({ mutationFn: () => callIdentity('POST', question.path, { token }) });
  if (confirm.isSuccess) {
    return (
      <Entrance title={question.done} about={question.after}>
        <Link href="/" className="text-xs text-accent hover:underline">
          Go to the terminal
        </Link>
      </Entrance>
    );
  }
  return (
    <Entrance title={question.title} about={question.about}>
      <Button
        kind={isFreeze ? 'danger' : 'primary'}
        size="large"
        isBusy={confirm.isPending}
        disabled={token === ''}
        onClick={() => confirm.mutate()}
      >
        {question.yes}
      </Button>
      {token === '' && <NoToken again={isFreeze ? '/sign-in' : '/account'} />}
      <FormError error={confirm.error} />
    </Entrance>
  );
}
