/** The pages before sign-in, in one chunk because each is small. */

import { Route, Switch, useLocation } from 'wouter';
import { useRememberedUser } from '../session/person.ts';
import { SandboxUsers } from '../session/sign-in.tsx';
import { Entrance } from './entrance.tsx';
import { PersonForm } from './person-form.tsx';
import { Reset } from './reset.tsx';
import { SignUp } from './sign-up.tsx';
import { ConfirmLink, Verify } from './verify.tsx';

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
