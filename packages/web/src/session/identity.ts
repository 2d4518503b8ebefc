/** Calls of the identity API. The session is a cookie that scripts cannot read. */

import { ApiError, ConnectionLost, type Credentials } from '@bourse/client';

export type Factor = 'totp' | 'passkey' | 'password';

/** One factor in a request: a code of an app, a recovery code, a passkey's response, or the password. */
export interface GivenFactor {
  readonly totp?: string;
  readonly recoveryCode?: string;
  readonly passkey?: object;
  readonly password?: string;
}

/** Signs like any API key and expires with its session. */
export interface SigningKey extends Credentials {
  readonly expires: number;
}

/** The response of `GET /session`. */
export interface PersonInfo {
  readonly person: { readonly id: string; readonly email: string; readonly name: string };
  readonly user: { readonly userId: string; readonly name: string };
  readonly session: {
    readonly id: string;
    readonly created: number;
    readonly expires: number;
    /** For example "Firefox on Windows". */
    readonly device: string;
  };
  readonly factors: { readonly totp: boolean; readonly passkeys: number; readonly recoveryCodes: number };
  readonly lock: { readonly until: number } | null;
  readonly withdrawalsLockedUntil: number | null;
  /** `until`: when switching it off takes effect. */
  readonly addressesOnly: { readonly on: boolean; readonly until?: number };
}

export class IdentityRefusal extends ApiError {
  /** The accepted factors, if one is missing. */
  readonly factors: readonly Factor[];

  constructor(code: string, msg: string, status: number, factors: readonly Factor[]) {
    super(code, msg, '', status);
    this.factors = factors;
  }
}

export async function callIdentity<T = void>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: object = {},
): Promise<T> {
  const response = await fetch(`/identity/v1${path}`, {
    method,
    ...(method === 'POST' && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new ConnectionLost('no answer');
  });
  const text = await response.text();
  const answer = (text === '' ? undefined : JSON.parse(text)) as unknown;
  if (response.ok) return answer as T;
  const {
    code = String(response.status),
    msg = response.statusText,
    factors = [],
  } = (answer ?? {}) as { code?: string; msg?: string; factors?: readonly Factor[] };
  throw new IdentityRefusal(code, msg, response.status, factors);
}

export const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;
