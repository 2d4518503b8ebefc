/**
 * Who operates the exchange in this tab: a person by the session's cookie, or a program's or shared token. A token is in
 * the memory of this tab and nowhere else: not in storage, not in an address, not in an error. Closing or reloading the
 * tab forgets it. A person's session goes on after a reload.
 */

import { ApiError, ConnectionLost } from '@bourse/client';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../../exchange/query-client.ts';
import { preferences, setPreferences } from '../../preferences/preferences.ts';
import { callIdentity, isRefusal } from '../../session/identity.ts';
import { setControlToken } from '../../session/sandbox.ts';
import { signOut as leaveTerminal, session } from '../../session/session.ts';
import { showToast } from '../../ui/toast.tsx';

const ATTENDED_MS = 60_000;
let inputAt = Number.NEGATIVE_INFINITY;

for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(kind, () => void (inputAt = performance.now()), { capture: true, passive: true });

/**
 * Whether the operator is present. The console's own refreshes must not keep the session of an absent operator alive, so
 * requests without user input in the last minute are marked, and the exchange does not count them as use.
 */
const isUnattended = (): boolean => performance.now() - inputAt > ATTENDED_MS;

/** The answer of `GET /v1/caller`. */
interface Caller {
  readonly id: string;
  /** As it stands in the audit trail. */
  readonly name: string;
  readonly roles: readonly string[];
  /** False for those who only read. */
  readonly mayChange: boolean;
  /** Ids of the calls that it may use. */
  readonly calls: readonly string[];
}

export interface Operator extends Caller {
  readonly isPerson: boolean;
}

/** `token` is null for a person, whose cookie the browser sends. */
interface Credential {
  readonly token: string | null;
  readonly name: string;
}

const listeners = new Set<() => void>();
let current: (Operator & Credential) | null = null;

export function useOperator(): Operator | null {
  return useSyncExternalStore(subscribe, () => current);
}

/** Rejects with the exchange's refusal where the token is not good. */
export async function signIn(token: string, name: string): Promise<void> {
  const caller = await send<Caller>({ token, name }, 'GET', '/v1/caller');
  setControlToken(token);
  change({ token, isPerson: false, ...caller });
}

/** With the session of this browser. Rejects where nobody is signed in, or somebody who is not an operator. */
export async function enterAsPerson(): Promise<void> {
  const caller = await send<Caller>({ token: null, name: '' }, 'GET', '/v1/caller');
  setPreferences({ isPerson: true });
  change({ token: null, isPerson: true, ...caller });
}

/** After a reload; without a session nothing happens. */
export async function continueAsPerson(): Promise<void> {
  if (current !== null || !preferences().isPerson) return;
  await enterAsPerson().catch(() => undefined);
}

export function signOut(): void {
  const isPerson = current?.isPerson === true;
  change(null);
  if (!isPerson) return;
  // The terminal of this tab may have the same session, and then ends it itself.
  if (session()?.isPerson === true) {
    leaveTerminal();
    return;
  }
  setPreferences({ isPerson: false });
  callIdentity('DELETE', '/session').catch((error: unknown) => {
    if (error instanceof ApiError) return;
    const text = 'The exchange did not answer. Your session may continue until it expires.';
    showToast('unsure', 'Sign-out not confirmed', text);
  });
}

/** One call of the operator interface; `path` is below `/operator`. A refusal is an ApiError, as everywhere. */
export async function callOperator<T>(method: string, path: string, body?: object): Promise<T> {
  const caller = current;
  if (caller === null) throw new Error('You are not signed in.');
  try {
    return await send<T>(caller, method, path, body);
  } catch (error) {
    if (caller === current) await look(error);
    throw error;
  }
}

/** A session that has ended signs out; a missing role means that the roles of this page are stale. */
async function look(error: unknown): Promise<void> {
  if (current?.isPerson === true && isRefusal(error, 'no-session')) {
    change(null);
    setPreferences({ isPerson: false });
    showToast('refused', 'Your session has ended', 'Sign in again to continue.');
  }
  if (current === null || !isRefusal(error, 'role')) return;
  const { token, name, isPerson } = current;
  const caller = await send<Caller>({ token, name }, 'GET', '/v1/caller').catch(() => undefined);
  if (caller !== undefined && current?.id === caller.id) tell({ token, isPerson, ...caller });
}

async function send<T>({ token, name }: Credential, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`/operator${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}`, 'x-operator': name }),
      ...(isUnattended() && { 'x-bourse-unattended': '1' }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new ConnectionLost(`${method} ${path}: ${error.message}`, { cause: error });
  });
  const isCsv = response.headers.get('content-type')?.startsWith('text/csv') === true;
  if (response.ok && isCsv) return (await response.text()) as T;
  const answer = (await response.json()) as unknown;
  if (response.ok) return answer as T;
  const { code, msg } = answer as { readonly code: string; readonly msg: string };
  throw new ApiError(code, msg, '', response.status);
}

function change(next: (Operator & Credential) | null): void {
  queryClient.removeQueries({ queryKey: ['operator'] });
  tell(next);
}

function tell(next: (Operator & Credential) | null): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
