/** The rows of the identity interface. */

import type { Session } from '@bourse/core';
import { type RouteOf, rowsOf } from '../../gateway/route.ts';
import { Type } from '../../gateway/schema.ts';
import type { Identity, OpenPerson } from '../identity.ts';
import type { Origin } from '../failures.ts';

/** `public`: anybody; `session`: whoever is signed in; `step-up`: with a second factor of the last five minutes. */
export type Access = 'public' | 'session' | 'step-up';

export interface SignedIn extends OpenPerson {
  readonly session: Session;
}

/** What handlers get besides the parts of the request. */
export interface IdentityContext {
  readonly identity: Identity;
  readonly origin: Origin;
  /** Only where the call is not public. */
  readonly me: SignedIn;
}

export interface IdentityTerms {
  readonly access: Access;
  /** Of success. */
  readonly status: 200 | 201 | 202 | 204;
}

export type IdentityRoute = RouteOf<IdentityTerms, IdentityContext>;

/** Writes a row of the identity interface. */
export const identityRoute = rowsOf<IdentityTerms, IdentityContext>({ isClosed: true, terms: (row) => row });

/** An answer that also sets the session's cookie, or, with '', removes it. */
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
/** As a browser gives it. */
export const PasskeyAnswer = Type.Object({ id: Type.String({ maxLength: 2048 }) });

export const FACTORS = {
  totp: Type.Optional(Type.String({ maxLength: 16 })),
  recoveryCode: Type.Optional(Type.String({ maxLength: 64 })),
  passkey: Type.Optional(PasskeyAnswer),
};

/** Two spellings of an address are one address. */
export const normaliseEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();
