/**
 * Commands about operators: who they are, which roles they have, and what needs more than one of them. The gateway checks tokens and which roles a call
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

/** A call that needs more than one operator. */
export interface PolicyRule {
  /** The id of the call. */
  readonly call: string;
  /** Only amounts above these need approval; a currency that is not named always does. Left out: every amount. */
  readonly above?: readonly { readonly currency: number; readonly amount: bigint }[];
  /** Besides the proposer. */
  readonly approvals: number;
  /** Those that may approve. */
  readonly roles: readonly Role[];
}

/** Of several rules for a call, the one that applies and wants most approvals counts. */
export interface SetPolicy extends Audited {
  readonly kind: 'set-policy';
  readonly rules: readonly PolicyRule[];
  /** How long a proposal is open. */
  readonly expiryMs: number;
}

/** With the last approval that is needed, the proposed command is executed in its place. */
export interface ApproveProposal extends Audited {
  readonly kind: 'approve-proposal';
  readonly proposal: number;
}

/** By somebody who may approve it. */
export interface RefuseProposal extends Audited {
  readonly kind: 'refuse-proposal';
  readonly proposal: number;
}

/** By the proposer. */
export interface WithdrawProposal extends Audited {
  readonly kind: 'withdraw-proposal';
  readonly proposal: number;
}

export type ProposalCommand = SetPolicy | ApproveProposal | RefuseProposal | WithdrawProposal;

export type OperatorCommand =
  | ProposalCommand
  | AddOperator
  | BreakGlass
  | ChangeOperator
  | SetOperatorToken
  | RemoveOperator
  | CloseRoot
  | RefuseCall;
