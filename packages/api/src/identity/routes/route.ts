/** The routes of the identity API. */

import type { Session } from '@bourse/core';
import { type RouteOf, rowsOf } from '../../gateway/route.ts';
import { Type } from '../../gateway/schema.ts';
import type { Identity, OpenPerson } from '../identity.ts';
import type { Origin } from '../slow-down.ts';

/** `public`: anybody; `session`: whoever is signed in; `step-up`: with a second factor from the last five minutes. */
export type Access = 'public' | 'session' | 'step-up';

export interface SignedIn extends OpenPerson {
  readonly session: Session;
}

/** Handlers get this besides the parts of the request. */
export interface IdentityContext {
  readonly identity: Identity;
  readonly origin: Origin;
  /** Undefined for public calls. */
  readonly me: SignedIn;
}

export interface IdentityTerms {
  readonly access: Access;
  /** The status of a success. */
  readonly status: 200 | 201 | 202 | 204;
}

export type IdentityRoute = RouteOf<IdentityTerms, IdentityContext>;

/** Declares a route of the identity API. */
export const identityRoute = rowsOf<IdentityTerms, IdentityContext>({ isClosed: true, terms: (row) => row });

/** A response that also sets the session's cookie, or removes it if `token` is ''. */
export class WithCookie {
  readonly body: unknown;
  readonly token: string;

  constructor(body: unknown, token: string) {
    this.body = body;
    this.token = token;
  }
}

export const Text = Type.String({ maxLength: 4096 });
export const Password = Type.String({ minLength: 1, maxLength: 1024 });
export const Email = Type.String({
  maxLength: 254,
  pattern: '^\\s*[^\\s@<>()\\[\\]\\\\,;:"\\p{C}]{1,64}@[^\\s@<>()\\[\\]\\\\,;:"\\p{C}]{1,189}\\s*$',
  expects: 'an e-mail address',
});
/** As the browser returns it. */
export const PasskeyAnswer = Type.Object({ id: Type.String({ maxLength: 2048 }) });

export const FACTORS = {
  totp: Type.Optional(Type.String({ maxLength: 16 })),
  recoveryCode: Type.Optional(Type.String({ maxLength: 64 })),
  passkey: Type.Optional(PasskeyAnswer),
};

/** Case and Unicode forms of one address are the same address. */
export const normaliseEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();
