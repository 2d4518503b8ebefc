/** The pages before sign-in, in one chunk because each is small. */

import { Route, Switch } from 'wouter';
import { useRememberedUser } from '../session/remembered.ts';
import { ConfirmLink } from './confirm-link.tsx';
import { Reset } from './reset.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { SignUp } from './sign-up.tsx';
import { Verify } from './verify.tsx';

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
