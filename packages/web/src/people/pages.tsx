/** The pages without a session, in one chunk because each is small: sign-in, sign-up, reset, and links of mails. */

import { Link, Route, Switch, useLocation, useRoute } from 'wouter';
import { useSending } from '../exchange/query-client.ts';
import { callIdentity } from '../session/identity.ts';
import { useRememberedUser } from '../session/person.ts';
import { PersonForm, SandboxUsers } from '../session/sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/states.tsx';
import { Entrance, NoToken, useLinkToken } from './entrance.tsx';
import { Reset } from './reset.tsx';
import { SignUp, Verify } from './sign-up.tsx';

export default function EntrancePages() {
  useRememberedUser();
  return (
    <Switch>
      <Route path="/sign-in" component={SignInPage} />
      <Route path="/sign-up" component={SignUp} />
      <Route path="/verify" component={Verify} />
      <Route path="/reset" component={Reset} />
      <Route component={ConfirmLink} />
    </Switch>
  );
}

/** The sign-in page, the target of links in mails. */
function SignInPage() {
  const [, navigate] = useLocation();
  return (
    <Entrance title="Sign in">
      <PersonForm onDone={() => navigate('/')} />
      <SandboxUsers onDone={() => navigate('/')} />
    </Entrance>
  );
}

const QUESTIONS = {
  email: {
    path: '/email/confirm',
    title: 'Use this address?',
    about: 'You sign in with it from now on. Withdrawals are locked for 24 hours.',
    yes: 'Use this address',
    done: 'E-mail address changed',
    after: 'Sign in with it from now on.',
  },
  freeze: {
    path: '/freeze',
    title: 'Freeze your account?',
    about:
      'All sessions and API keys end, orders are cancelled and withdrawals stop, even those of sub-accounts. Only the operator can unfreeze the account.',
    yes: 'Freeze my account',
    done: 'Your account is frozen',
    after:
      'Nobody can sign in, trade or withdraw. Ask the operator to unfreeze the account when you are safe again.',
  },
} as const;

/** Links that ask one question: use the new e-mail address, or freeze the account. */
function ConfirmLink() {
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
