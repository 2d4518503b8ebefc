/**
 * Commands about operators: who they are and which roles they have. The gateway checks tokens and which roles a call
 * needs; the core keeps the last admin, and stops root and operators that were removed.
 */

import type { Audited } from './reference-commands.ts';

export type Role = 'viewer' | 'support' | 'finance' | 'listing' | 'compliance' | 'custodian' | 'admin';

interface NewOperator extends Audited {
  readonly name: string;
  readonly roles: readonly Role[];
  /** SHA-256 of the token. */
  readonly token: string;
  /** Keyed hash of the e-mail address of the person who is this operator. */
  readonly login?: string;
}

export interface AddOperator extends NewOperator {
  readonly kind: 'add-operator';
}

/** Root, after it was closed, adds an operator whose token works after BREAK_GLASS_MS. No policy holds it up. */
export interface BreakGlass extends NewOperator {
  readonly kind: 'break-glass';
}

export interface ChangeOperator extends Audited {
  readonly kind: 'change-operator';
  readonly changed: number;
  readonly roles: readonly Role[];
}

/** The token before stops working. */
export interface SetOperatorToken extends Audited {
  readonly kind: 'set-operator-token';
  readonly changed: number;
  readonly token: string;
}

export interface RemoveOperator extends Audited {
  readonly kind: 'remove-operator';
  readonly changed: number;
}

/** From now on the start-up token may only break the glass. */
export interface CloseRoot extends Audited {
  readonly kind: 'close-root';
}

/** Changes nothing: puts a call that was refused for lack of a role into the log, and so into the audit trail. */
export interface RefuseCall extends Audited {
  readonly kind: 'refuse-call';
  /** The id of the call. */
  readonly refused: string;
  /** Those that have it. */
  readonly roles: readonly Role[];
}

export type OperatorCommand =
  | AddOperator
  | BreakGlass
  | ChangeOperator
  | SetOperatorToken
  | RemoveOperator
  | CloseRoot
  | RefuseCall;
