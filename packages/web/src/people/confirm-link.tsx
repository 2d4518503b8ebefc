/** Mail links that ask one question: use the new address, freeze the account. Nothing happens before a click. */

import { Link, useRoute } from 'wouter';
import { useSending } from '../exchange/query-client.ts';
import { callIdentity } from '../session/identity.ts';
import { Button } from '../ui/button.tsx';
import { Entrance } from './entrance.tsx';
import { FormError } from './form-error.tsx';
import { useLinkToken } from './link-token.ts';
import { NoToken } from './verify.tsx';

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
