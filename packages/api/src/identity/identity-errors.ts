/** Error codes of the identity API with their statuses. A rejection of the core that is not listed is 400. */

import type { RejectionCode } from '@bourse/core';
import { Refusal, type RefusalMore, statusTable } from '../gateway/errors/refusal.ts';

const IDENTITY_ERRORS = {
  'chain-unknown': 400,
  'currency-unknown': 400,
  'field-missing': 400,
  'field-unknown': 400,
  'ip-allow-list': 400,
  passkey: 400,
  token: 400,
  'value-invalid': 400,
  weak: 400,
  credentials: 401,
  'no-session': 401,
  'second-factor': 401,
  'step-up': 401,
  closed: 403,
  'foreign-origin': 403,
  frozen: 403,
  invitation: 403,
  locked: 403,
  'route-unknown': 404,
  unknown: 404,
  'keys-per-user': 409,
  'not-empty': 409,
  taken: 409,
  'slow-down': 429,
  busy: 503,
} as const;

export const IDENTITY_STATUSES = statusTable(IDENTITY_ERRORS);

type IdentityErrorName = keyof typeof IDENTITY_ERRORS | RejectionCode;
export type IdentityRefusal = Refusal<IdentityErrorName>;

export const identityRefusal = (
  error: IdentityErrorName,
  detail: string,
  more: RefusalMore = {},
): IdentityRefusal => new Refusal<IdentityErrorName>(error, detail, {}, more);

export const noSession = (): IdentityRefusal =>
  identityRefusal('no-session', 'There is no session, or it has ended. Sign in first.');
/** The same for a wrong address, a wrong password, an unverified and a closed account. */
export const wrongCredentials = (): IdentityRefusal =>
  identityRefusal('credentials', 'The e-mail address or the password is wrong.');
/** For a person who is signed in. */
export const wrongPassword = (): IdentityRefusal => identityRefusal('credentials', 'The password is wrong.');
export const wrongFactor = (factors: readonly string[]): IdentityRefusal =>
  identityRefusal('second-factor', 'The second factor is missing, wrong or already used.', {
    fields: { factors },
  });
export const wrongToken = (): IdentityRefusal =>
  identityRefusal('token', 'This link was used before or has expired. Ask for a new one.');
