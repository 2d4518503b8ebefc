/**
 * The operator in this tab: a person with a session cookie, or a token, shared or of a program. A token exists only
 * in the memory of this tab: not in storage, URLs or errors. Closing or reloading the tab forgets it. A person's
 * session survives a reload.
 */

import { ApiError, ConnectionLost } from '@bourse/client';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../../exchange/query-client.ts';
import { preferences, setPreferences } from '../../preferences/preferences.ts';
import { callIdentity, isRefusal } from '../../session/identity.ts';
import { setControlToken } from '../../session/sandbox.ts';
import { session, signOut as leaveTerminal } from '../../session/session.ts';
import { showToast } from '../../ui/toast.tsx';

const ATTENDED_MS = 60_000;
let inputAt = Number.NEGATIVE_INFINITY;

for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(kind, () => void (inputAt = performance.now()), { capture: true, passive: true });

/**
 * Whether the operator is absent. Refreshes must not keep the session of an absent operator alive, so requests
 * without user input in the last minute are marked, and the exchange does not count them as activity.
 */
const isUnattended = (): boolean => performance.now() - inputAt > ATTENDED_MS;

/** The response of `GET /v1/caller`. */
interface Caller {
  readonly id: string;
  /** The name in the audit trail. */
  readonly name: string;
  readonly roles: readonly string[];
  /** False for read-only operators. */
  readonly mayChange: boolean;
  /** Ids of the allowed calls. */
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

/** Rejects with the exchange's error if the token is invalid. */
export async function signIn(token: string, name: string): Promise<void> {
  const caller = await send<Caller>({ token, name }, 'GET', '/v1/caller');
  setControlToken(token);
  change({ token, isPerson: false, ...caller });
}

/** Signs in with this browser's session. Rejects if there is none, or if it is not an operator's. */
export async function enterAsPerson(): Promise<void> {
  const caller = await send<Caller>({ token: null, name: '' }, 'GET', '/v1/caller');
  setPreferences({ isPerson: true });
  change({ token: null, isPerson: true, ...caller });
}

/** Restores the operator after a reload, if there is a session. */
export async function continueAsPerson(): Promise<void> {
  if (current !== null || !preferences().isPerson) return;
  await enterAsPerson().catch(() => undefined);
}

export function signOut(): void {
  const isPerson = current?.isPerson === true;
  change(null);
  if (!isPerson) return;
  // The terminal of this tab may share the session, and then ends it itself.
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

/** One call of the operator API; `path` is below `/operator`. Rejections are ApiErrors, as everywhere. */
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

/** An expired session signs out; a missing role means that this page's roles are stale. */
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
