/** A row of the identity interface: where it is, who may call it, what it takes, and the function that answers. */

import type { Session } from '@bourse/core';
import { type Static, type TObject, type TProperties, Type } from '../../gateway/schema.ts';
import type { Identity, OpenPerson } from '../identity.ts';
import type { Origin } from '../failures.ts';

/** `public`: anybody; `session`: whoever is signed in; `step-up`: with a second factor of the last five minutes. */
export type Access = 'public' | 'session' | 'step-up';

export interface SignedIn extends OpenPerson {
  readonly session: Session;
}

export interface IdentityCall<Params = never, Query = never, Body = never> {
  readonly identity: Identity;
  readonly origin: Origin;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Only asked for by calls that are not public. */
  readonly me: SignedIn;
}

export interface IdentityRoute {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the mount. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** Of success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  handle(call: IdentityCall): unknown;
}

/** An answer that also sets the session's cookie, or, with '', removes it. */
export class WithCookie {
  readonly body: unknown;
  readonly token: string;

  constructor(body: unknown, token: string) {
    this.body = body;
    this.token = token;
  }
}

type Parts<P extends TProperties, Q extends TProperties, B extends TProperties> = {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  handle(call: IdentityCall<Static<TObject<P>>, Static<TObject<Q>>, Static<TObject<B>>>): unknown;
} & Pick<IdentityRoute, 'id' | 'method' | 'path' | 'summary' | 'access' | 'status'>;

/** Keeps a row's types together. Unknown fields are refused. */
export function identityRoute<
  P extends TProperties = Record<never, never>,
  Q extends TProperties = Record<never, never>,
  B extends TProperties = Record<never, never>,
>(parts: Parts<P, Q, B>): IdentityRoute {
  const { params, query, body, ...rest } = parts;
  const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });
  return {
    ...rest,
    ...(params ? { params: closed(params) } : {}),
    query: closed(query ?? {}),
    ...(parts.method === 'POST' ? { body: closed(body ?? {}) } : {}),
  } as IdentityRoute;
}

export const Text = Type.String({ maxLength: 4096 });
export const Password = Type.String({ minLength: 1, maxLength: 1024 });
export const Email = Type.String({
  maxLength: 254,
  pattern: '^\\s*[^\\s@<>()\\[\\]\\\\,;:"\\p{C}]{1,64}@[^\\s@<>()\\[\\]\\\\,;:"\\p{C}]{1,189}\\s*$',
  expects: 'an e-mail address',
});
/** As a browser gives it. */
export const PasskeyAnswer = Type.Object({ id: Type.String({ maxLength: 2048 }) });

export const FACTORS = {
  totp: Type.Optional(Type.String({ maxLength: 16 })),
  recoveryCode: Type.Optional(Type.String({ maxLength: 64 })),
  passkey: Type.Optional(PasskeyAnswer),
};

/** Two spellings of an address are one address. */
export const normaliseEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();
