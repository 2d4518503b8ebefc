/** A refusal of the identity interface: `{ code, msg }`, sometimes with more fields. */

export interface ErrorMore {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly status: number;
  readonly code: string;
  readonly more: ErrorMore;

  constructor(status: number, code: string, message: string, more: ErrorMore = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

export const noSession = (): IdentityError =>
  new IdentityError(401, 'no-session', 'Sign in first: there is no session, or it has ended.');
/** The same for a wrong address, a wrong password, an unverified and a closed account. */
export const wrongCredentials = (): IdentityError =>
  new IdentityError(401, 'credentials', 'The e-mail address or the password is wrong.');
export const wrongFactor = (factors: readonly string[]): IdentityError =>
  new IdentityError(401, 'second-factor', 'A second factor is needed, and it works once.', {
    fields: { factors },
  });
export const wrongToken = (): IdentityError =>
  new IdentityError(400, 'token', 'This link was used before or has expired. Ask for a new one.');
