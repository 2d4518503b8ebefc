/**
 * Who the page acts for. Key, secret and passphrase are in the memory of this tab and nowhere else: not in storage, not
 * in an address, not in an error. Closing or reloading the tab forgets them.
 */

import { ApiError, BourseClient, type Credentials, Feed } from '@bourse/client';
import { useEffect, useSyncExternalStore } from 'react';
import { queryClient } from '../exchange/query-client.ts';
import { preferences, setPreferences } from '../preferences/preferences.ts';
import { publishedUsers } from './published-users.ts';
import { callSandbox, useIsSandbox } from './sandbox.ts';

/** What the exchange says of the key that signs. */
export interface KeyInfo {
  readonly uid: number;
  readonly remark: string;
  readonly apiKey: string;
  readonly permission: string;
  readonly isMaster: boolean;
  readonly subName?: string | null;
  readonly ipWhitelist?: string;
}

export interface Session {
  readonly name: string;
  readonly credentials: Credentials;
  /** The key is one that everybody knows, so it may be shown in examples. */
  readonly isPublished: boolean;
  readonly client: BourseClient;
  readonly feed: Feed;
  readonly key: KeyInfo;
}

const TIMESTAMP_INVALID = '400002';

const listeners = new Set<() => void>();
let current: Session | null = null;

export const session = (): Session | null => current;

export function useSession(): Session | null {
  return useSyncExternalStore(onSession, session);
}

/** Rejects with the exchange's refusal where the key is not good; who was there before then stays. */
export async function signIn(credentials: Credentials, name: string, isPublished = false): Promise<Session> {
  const client = new BourseClient({ url: location.origin, credentials });
  const key = await keyOf(client);
  const next = {
    name: name || key.subName || key.remark || key.apiKey,
    credentials,
    isPublished,
    client,
    feed: new Feed(client),
    key,
  };
  change(next);
  return next;
}

/** Where the machine's clock is too far off for a signature, the exchange is asked for the time. */
async function keyOf(client: BourseClient): Promise<KeyInfo> {
  const ask = (): Promise<KeyInfo> => client.http.call('GET', '/api/v1/user/api-key');
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== TIMESTAMP_INVALID) throw error;
    await client.http.syncTime();
    return ask();
  }
}

export function signInAs(name: string): Promise<Session> {
  const user = publishedUsers.find((each) => each.name === name);
  if (user === undefined) return Promise.reject(new Error(`${name} is no user that a sandbox begins with`));
  return signIn(user, name, true).then((next) => {
    setPreferences({ sandboxUser: name });
    return next;
  });
}

/** In a sandbox the user that was chosen last is there again after a reload: that key is no secret. */
export function useRememberedUser(): void {
  const isSandbox = useIsSandbox();
  useEffect(() => {
    const { sandboxUser } = preferences();
    if (isSandbox === true && sandboxUser !== '' && current === null)
      signInAs(sandboxUser).catch(() => undefined);
  }, [isSandbox]);
}

/** In a sandbox: somebody who was not there before, with money to trade. */
export async function signInAsNew(): Promise<Session> {
  const name = `trader-${crypto.randomUUID().slice(0, 8)}`;
  const balances = { USDT: '100000', BTC: '2', ETH: '30' };
  const credentials = await callSandbox<Credentials>('POST', '/users', { body: { name, balances } });
  setPreferences({ sandboxUser: '' });
  return signIn(credentials, name);
}

export function signOut(): void {
  setPreferences({ sandboxUser: '' });
  change(null);
}

function change(next: Session | null): void {
  current?.feed.close();
  current = next;
  queryClient.removeQueries({ queryKey: ['user'] });
  for (const listener of listeners) listener();
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
