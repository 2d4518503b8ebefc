/**
 * The session that signs the page's requests. Key, secret and passphrase exist only in the memory of this tab: not in
 * storage, URLs or errors. Closing or reloading the tab forgets them. A person also has a session cookie, with which
 * a reloaded page gets a new key (person.ts).
 */

import { ApiError, BourseClient, type Credentials, Feed } from '@bourse/client';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../exchange/query-client.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { showToast } from '../ui/toast.tsx';
import { callIdentity } from './identity.ts';
import { callSandbox, publishedUsers } from './sandbox.ts';

/** The exchange's information about the signing key. */
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
  /** The key is published, so examples may show it. */
  readonly isPublished: boolean;
  /** A person has signed in: the key expires with the session. */
  readonly isPerson: boolean;
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

/** Rejects with the exchange's error if the key is invalid; the previous session then stays. */
export async function signIn(
  credentials: Credentials,
  name: string,
  kind: 'key' | 'published' | 'person' = 'key',
): Promise<Session> {
  const client = new BourseClient({ url: location.origin, credentials });
  const key = await keyOf(client);
  // The exchange closes the feed of an expired key. Refetching shows whether it has expired.
  const onLost = (): void => void queryClient.invalidateQueries({ queryKey: ['user'] });
  const next = {
    name: name || key.subName || key.remark || key.apiKey,
    credentials,
    isPublished: kind === 'published',
    isPerson: kind === 'person',
    client,
    feed: new Feed(client, kind === 'person' ? { onLost } : {}),
    key,
  };
  setPreferences({ isPerson: next.isPerson, sandboxUser: next.isPublished ? name : '' });
  change(next);
  return next;
}

/** If this machine's clock is too far off for a signature, uses the exchange's time. */
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
  if (user === undefined) return Promise.reject(new Error(`${name} is not a published user of the sandbox`));
  return signIn(user, name, 'published');
}

/** Signs in as a new user of the sandbox, with money to trade. */
export async function signInAsNew(): Promise<Session> {
  const name = `trader-${crypto.randomUUID().slice(0, 8)}`;
  const balances = { USDT: '100000', BTC: '2', ETH: '30' };
  const credentials = await callSandbox<Credentials>('POST', '/users', { body: { name, balances } });
  return signIn(credentials, name);
}

export function signOut(): void {
  setPreferences({ sandboxUser: '', isPerson: false });
  change(null);
}

function change(next: Session | null): void {
  current?.feed.close();
  if (current?.isPerson === true && next?.isPerson !== true) endSession();
  current = next;
  queryClient.removeQueries({ queryKey: ['user'] });
  queryClient.removeQueries({ queryKey: ['person'] });
  for (const listener of listeners) listener();
}

/** Ends the session that this page leaves. If it has expired already, the exchange rejects the call. */
function endSession(): void {
  callIdentity('DELETE', '/session').catch((error: unknown) => {
    if (error instanceof ApiError) return;
    const text = 'The exchange did not answer. Your session may continue until it expires.';
    showToast('unsure', 'Sign-out not confirmed', text);
  });
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
