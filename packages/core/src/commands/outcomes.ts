/** Outcomes: the result of a command, exactly one each. */

import type { DepositSet, DoneReason } from '../events/events.ts';
import type { Administration } from './commands.ts';
import type { Rejection } from './rejections.ts';

export interface Rejected {
  readonly kind: 'rejected';
  readonly rejection: Rejection;
}

/** An order in its state when its command completed: the result of placing and cancelling. */
export interface OrderOutcome {
  readonly kind: 'order';
  readonly order: number;
  readonly clientId: string;
  /** '' while the order is active. */
  readonly done: DoneReason | '';
  readonly size: number;
  readonly funds: bigint;
  readonly dealSize: number;
  readonly dealFunds: bigint;
  /** 0 for an order by funds. */
  readonly remaining: number;
  readonly cancelledSize: number;
  readonly cancelledFunds: bigint;
  /** This and the next field are set only if a command was split into records (T3); otherwise both are the record's time. */
  readonly createdAt?: number;
  /** When its matching was complete. */
  readonly matchedAt?: number;
}

export interface OrdersOutcome {
  readonly kind: 'orders';
  readonly outcomes: readonly (OrderOutcome | Rejected)[];
}

/** Ascending ids. */
export interface CancelledOutcome {
  readonly kind: 'cancelled';
  readonly orders: readonly number[];
}

export interface AlteredOutcome {
  readonly kind: 'altered';
  readonly cancelled: number;
  /** null: the new size was already filled, so nothing new was placed. */
  readonly replacement: OrderOutcome | null;
}

/** The number or id assigned to the new object. */
export interface AddedOutcome {
  readonly kind: 'added';
  readonly id: number;
}

export interface DepositOutcome {
  readonly kind: 'deposit';
  readonly deposit: number;
  readonly state: DepositSet['state'];
  readonly travelRuleId: number;
}

/** Milliseconds; 0 when the switch is off. */
export interface SwitchOutcome {
  readonly kind: 'switch';
  readonly triggerAt: number;
}

/** The policy requires approvals: nothing was executed. */
export interface ProposedOutcome {
  readonly kind: 'proposed';
  readonly proposal: number;
  /** Milliseconds. */
  readonly expires: number;
}

/** An approval. `executed`: the proposed command, if this was the last approval it needed. */
export interface ApprovedOutcome {
  readonly kind: 'approved';
  readonly proposal: number;
  readonly executed: {
    readonly command: Administration;
    readonly outcome: Outcome;
    /** Names. */
    readonly approvedBy: readonly string[];
  } | null;
}

export interface AcceptedOutcome {
  readonly kind: 'accepted';
}

/**
 * T3: the order matches more orders than one record allows. The record that completes it reports the result as a finished
 * command, with this order as its ticket.
 */
export interface UnfinishedOutcome {
  readonly kind: 'unfinished';
  readonly order: number;
}

/** T3: the command would have overtaken an unfinished order, or a command that waits for one. Nothing was executed. */
export interface WaitsOutcome {
  readonly kind: 'waits';
}

/** The result of a command of an earlier record whose outcome was `unfinished`. */
export interface FinishedCommand {
  readonly ticket: number;
  readonly outcome: Outcome;
}

export type Outcome =
  | Rejected
  | OrderOutcome
  | OrdersOutcome
  | CancelledOutcome
  | AlteredOutcome
  | AddedOutcome
  | DepositOutcome
  | SwitchOutcome
  | ProposedOutcome
  | ApprovedOutcome
  | AcceptedOutcome
  | UnfinishedOutcome
  | WaitsOutcome;

const ACCEPTED: Outcome = { kind: 'accepted' };
export const WAITS: Outcome = { kind: 'waits' };

export const rejected = (rejection: Rejection): Rejected => ({ kind: 'rejected', rejection });
/** For commands whose only result is their acceptance. */
export const acceptedUnless = (rejection: Rejection | null): Outcome =>
  rejection ? rejected(rejection) : ACCEPTED;
/** For commands that assign a number. */
export const added = (result: number | Rejection): Outcome =>
  typeof result === 'number' ? { kind: 'added', id: result } : rejected(result);
export const orRejected = (result: Outcome | Rejection): Outcome =>
  'code' in result ? rejected(result) : result;
