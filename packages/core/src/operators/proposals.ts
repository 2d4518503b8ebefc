/** The policy, and proposals that need approval. */

import type { Administration } from '../commands/commands.ts';
import type { PolicyRule, Role } from '../commands/operator-commands.ts';
import type { Rejection } from '../commands/rejections.ts';
import { DAY_MS } from '../values/intervals.ts';

export interface Policy {
  readonly rules: readonly PolicyRule[];
  readonly expiryMs: number;
}

/** `failed`: it was approved, but then the command was rejected. */
export type ProposalStatus = 'open' | 'approved' | 'refused' | 'expired' | 'withdrawn' | 'failed';

export interface Approval {
  /** 0 for root. */
  readonly operator: number;
  readonly by: string;
  readonly why: string;
  readonly time: number;
}

export interface Proposal {
  readonly id: number;
  readonly call: string;
  /** Includes the proposer and the reason. */
  readonly command: Administration;
  /** 0 for root. */
  readonly proposer: number;
  /** By the rule at the time of the proposal. */
  readonly approvalsNeeded: number;
  readonly roles: readonly Role[];
  readonly createdAt: number;
  readonly expires: number;
  /** Still `open` after it has expired: see `statusAt`. */
  readonly status: Exclude<ProposalStatus, 'expired'>;
  readonly approvals: readonly Approval[];
  /** Whoever refused or withdrew it. */
  readonly closedBy?: Approval;
  /** Set if it failed. */
  readonly failure?: Rejection;
}

export const statusAt = ({ status, expires }: Proposal, time: number): ProposalStatus =>
  status === 'open' && expires <= time ? 'expired' : status;

export const NO_POLICY: Policy = { rules: [], expiryMs: DAY_MS };
/** The oldest closed ones are dropped first. */
export const PROPOSALS_MAX = 500;

export class Proposals {
  policy: Policy = NO_POLICY;
  /** The latest number. */
  last = 0;
  readonly #byId = new Map<number, Proposal>();

  get(id: number): Proposal | null {
    return this.#byId.get(id) ?? null;
  }

  set(proposal: Proposal): void {
    this.#byId.set(proposal.id, proposal);
  }

  /** False if the maximum number is open. */
  makeRoom(time: number): boolean {
    if (this.#byId.size < PROPOSALS_MAX) return true;
    const over = this.list().find((each) => statusAt(each, time) !== 'open');
    return over !== undefined && this.#byId.delete(over.id);
  }

  /** Ascending by number. */
  list(): Proposal[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }
}
