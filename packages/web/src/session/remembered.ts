/** Who is there again after a reload: a person by the session's cookie, a published user because that key is no secret. */

import { useEffect } from 'react';
import { preferences } from '../preferences/preferences.ts';
import { continueSession } from './person.ts';
import { useIsSandbox } from './sandbox.ts';
import { session, signInAs } from './session.ts';

export function useRememberedUser(): void {
  const isSandbox = useIsSandbox();
  useEffect(() => {
    if (preferences().isPerson && session() === null) void continueSession();
  }, []);
  useEffect(() => {
    const { sandboxUser } = preferences();
    if (isSandbox === true && sandboxUser !== '' && session() === null)
      signInAs(sandboxUser).catch(() => undefined);
  }, [isSandbox]);
}
