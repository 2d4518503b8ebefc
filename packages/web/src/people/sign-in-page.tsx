/** The sign-in page, the target of links in mails. */

import { useLocation } from 'wouter';
import { SandboxUsers } from '../session/sandbox-users.tsx';
import { Entrance } from './entrance.tsx';
import { PersonForm } from './person-form.tsx';

export function SignInPage() {
  const [, navigate] = useLocation();
  return (
    <Entrance title="Sign in">
      <PersonForm onDone={() => navigate('/')} />
      <SandboxUsers onDone={() => navigate('/')} />
    </Entrance>
  );
}
