/**
 * Who looks after the exchange in this tab. The token is in its memory and nowhere else: not in storage, not in an
 * address, not in an error. Closing or reloading the tab forgets it.
 */

import { ApiError, ConnectionLost } from '@bourse/client';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../../exchange/query-client.ts';
import { setControlToken } from '../../session/sandbox.ts';

export interface Operator {
  /** As it stands in the audit trail. */
  readonly name: string;
  /** False with the token that only reads. */
  readonly mayChange: boolean;
}

interface SignedIn extends Operator {
  readonly token: string;
}

const listeners = new Set<() => void>();
let current: SignedIn | null = null;

export function useOperator(): Operator | null {
  return useSyncExternalStore(subscribe, () => current);
}

/** Rejects with the exchange's refusal where the token is not good. */
export async function signIn(token: string, name: string): Promise<void> {
  const caller = await send<Operator>({ token, name }, 'GET', '/v1/caller');
  setControlToken(token);
  change({ token, ...caller });
}

export function signOut(): void {
  change(null);
}

/** One call of the operator's interface; `path` is below `/operator`. A refusal is an ApiError, as everywhere. */
export function callOperator<T>(method: string, path: string, body?: object): Promise<T> {
  if (current === null) return Promise.reject(new Error('Nobody is signed in.'));
  return send<T>(current, method, path, body);
}

async function send<T>(
  { token, name }: Pick<SignedIn, 'token' | 'name'>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`/operator${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-operator': name,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new ConnectionLost(`${method} ${path}: ${error.message}`, { cause: error });
  });
  const answer = (await response.json()) as unknown;
  if (response.ok) return answer as T;
  const { code, msg } = answer as { readonly code: string; readonly msg: string };
  throw new ApiError(code, msg, '', response.status);
}

function change(next: SignedIn | null): void {
  current = next;
  queryClient.removeQueries({ queryKey: ['operator'] });
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
