/**
 * Commands about operators: their roles, and the calls that need approval. The gateway verifies tokens and roles; the core
 * keeps the last admin, and rejects commands of root after it was closed and of removed operators.
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

/** Root, after it was closed, adds an operator whose token works after BREAK_GLASS_MS. Never needs approval. */
export interface BreakGlass extends NewOperator {
  readonly kind: 'break-glass';
}

export interface ChangeOperator extends Audited {
  readonly kind: 'change-operator';
  readonly changed: number;
  readonly roles: readonly Role[];
}

/** Revokes the previous token. */
export interface SetOperatorToken extends Audited {
  readonly kind: 'set-operator-token';
  readonly changed: number;
  readonly token: string;
}

export interface RemoveOperator extends Audited {
  readonly kind: 'remove-operator';
  readonly changed: number;
}

/** From now on the start-up token allows only break-glass access. */
export interface CloseRoot extends Audited {
  readonly kind: 'close-root';
}

/** Changes nothing: logs a call that was rejected for lack of a role, so that it appears in the audit trail. */
export interface RefuseCall extends Audited {
  readonly kind: 'refuse-call';
  /** The id of the call. */
  readonly refused: string;
  /** The roles that allow it. */
  readonly roles: readonly Role[];
}

/** Changes nothing: logs a call whose effect is outside the log, such as another secret of the venue. */
export interface NoteCall extends Audited {
  readonly kind: 'note-call';
  /** The id of the call. */
  readonly noted: string;
}

/** A call that needs approval. */
export interface PolicyRule {
  /** The id of the call. */
  readonly call: string;
  /** Only larger amounts need approval; a currency that is not named always does. Omitted: every amount. */
  readonly above?: readonly { readonly currency: number; readonly amount: bigint }[];
  /** The number of approvals besides the proposer. */
  readonly approvals: number;
  /** The roles that may approve. */
  readonly roles: readonly Role[];
}

/** If several rules apply to a call, the most approvals count. */
export interface SetPolicy extends Audited {
  readonly kind: 'set-policy';
  readonly rules: readonly PolicyRule[];
  /** How long a proposal is open. */
  readonly expiryMs: number;
}

/** The last approval executes the proposed command. */
export interface ApproveProposal extends Audited {
  readonly kind: 'approve-proposal';
  readonly proposal: number;
}

/** For anybody who may approve it. */
export interface RefuseProposal extends Audited {
  readonly kind: 'refuse-proposal';
  readonly proposal: number;
}

/** For the proposer. */
export interface WithdrawProposal extends Audited {
  readonly kind: 'withdraw-proposal';
  readonly proposal: number;
}

export type ProposalCommand = SetPolicy | ApproveProposal | RefuseProposal | WithdrawProposal;

/** The operators' queues: see operators/operate.ts. Ids are unique across them. */
export type QueueKind = 'deposit' | 'withdrawal' | 'questionnaire';

/** Assigns a queue entry to the caller or to another operator. */
export interface AssignMovement extends Audited {
  readonly kind: 'assign-movement';
  readonly what: QueueKind;
  readonly id: number;
  /** The operator's number; 0 is root. */
  readonly to: number;
}

export interface ReleaseMovement extends Audited {
  readonly kind: 'release-movement';
  readonly what: QueueKind;
  readonly id: number;
}

export type OperatorCommand =
  | ProposalCommand
  | AddOperator
  | BreakGlass
  | ChangeOperator
  | SetOperatorToken
  | RemoveOperator
  | CloseRoot
  | RefuseCall
  | NoteCall
  | AssignMovement
  | ReleaseMovement;
