/**
 * A person's session in this browser. All tabs share the cookie, and so the session's one signing key: a new key revokes
 * the previous one. So a tab first asks the other tabs for the key, then the exchange.
 */

// A broadcast channel has one origin; only windows take a target.
/* oxlint-disable unicorn/require-post-message-target-origin */

import { ApiError, type Credentials } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../exchange/query-client.ts';
import { preferences, setPreferences } from '../preferences/preferences.ts';
import { showToast } from '../ui/toast.tsx';
import { callIdentity, isRefusal, type PersonInfo, type SigningKey } from './identity.ts';
import { useIsSandbox } from './sandbox.ts';
import { onSession, type Session, session, signIn, signInAs, signOut, useSession } from './session.ts';

interface Message {
  readonly kind: 'ask' | 'key' | 'ended';
  readonly key?: Credentials;
}

const CHANNEL = 'bourse.session';
/** Other tabs answer within a few milliseconds, unless the browser has put them to sleep. */
const TABS_ANSWER_MS = 150;
const KEY_UNKNOWN = '400003';
const SESSION_ENDED = 'no-session';
/** The session of an account that the operator has frozen gets no key. */
const ACCOUNT_FROZEN = 'frozen';

let continuing: Promise<void> | undefined;

/** With the key from a sign-in. */
export async function enterSession(key: Credentials): Promise<Session> {
  const { person } = await queryClient.fetchQuery({ queryKey: ['person', 'session'], queryFn: readPerson });
  return signIn(key, person.name, 'person');
}

/** Resumes the session of this browser, if there is one. */
function continueSession(): Promise<void> {
  continuing ??= alone(getKey).finally(() => {
    continuing = undefined;
  });
  return continuing;
}

/** The signed-in person with factors and locks. */
export function usePerson() {
  const current = useSession();
  return useQuery({
    queryKey: ['person', 'session'],
    queryFn: readPerson,
    enabled: current?.isPerson === true,
  });
}

/** Whether people can sign in here; undefined until known. */
export function useHasPeople(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['has-people'],
    queryFn: () =>
      readPerson().then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError) return error.status !== 404;
          throw error;
        },
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Shares the key with other tabs, and renews it when the exchange no longer accepts it. */
export function shareSession(): void {
  const channel = new BroadcastChannel(CHANNEL);
  let was: Session | null = null;
  channel.addEventListener('message', ({ data: { kind } }: MessageEvent<Message>) => {
    const current = session();
    if (current?.isPerson !== true) return;
    if (kind === 'ask') channel.postMessage({ kind: 'key', key: current.credentials });
    if (kind === 'ended') void continueSession();
  });
  onSession(() => {
    if (was?.isPerson === true && session() === null) channel.postMessage({ kind: 'ended' });
    was = session();
  });
  const look = (error: unknown): void => {
    if (session()?.isPerson === true && isRefusal(error, KEY_UNKNOWN)) void continueSession();
  };
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
}

const readPerson = (): Promise<PersonInfo> => callIdentity('GET', '/session');

/** One tab at a time, where the browser can do that. */
function alone(work: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request(CHANNEL, work) : work();
}

async function getKey(): Promise<void> {
  const used = session()?.isPerson === true ? session()?.credentials.apiKey : undefined;
  try {
    const given = await askOtherTabs(used);
    const entered = given && (await enterSession(given).catch(() => undefined));
    if (!entered) await enterSession(await callIdentity<SigningKey>('POST', '/session/key'));
  } catch (error) {
    // Without a response, or when the exchange is busy, the session may still exist: the next rejection or reload tries
    // again.
    if (!isRefusal(error, SESSION_ENDED) && !isRefusal(error, ACCOUNT_FROZEN)) return;
    setPreferences({ isPerson: false });
    if (used === undefined) return;
    signOut();
    showToast('refused', 'Your session has ended', 'Sign in again to continue.');
  }
}

function askOtherTabs(used: string | undefined): Promise<Credentials | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<Credentials | undefined>((resolve) => {
    setTimeout(() => resolve(undefined), TABS_ANSWER_MS);
    channel.addEventListener('message', ({ data: { kind, key } }: MessageEvent<Message>) => {
      if (kind === 'key' && key?.apiKey !== used) resolve(key);
    });
    channel.postMessage({ kind: 'ask' });
  }).finally(() => channel.close());
}

/**
 * Restores the user after a reload: a person by the session cookie, a published user because that key is no secret.
 */
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
