/** Which calls need more than one operator, and what was proposed. */

import type { Administration } from '../commands/commands.ts';
import type { PolicyRule, Role } from '../commands/operator-commands.ts';
import type { Rejection } from '../commands/rejections.ts';

export interface Policy {
  readonly rules: readonly PolicyRule[];
  readonly expiryMs: number;
}

/** `failed`: it was approved, and the command was refused then. */
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
  /** With who proposed it, and why. */
  readonly command: Administration;
  /** 0 for root. */
  readonly proposer: number;
  /** As the rule said when it was proposed. */
  readonly approvalsNeeded: number;
  readonly roles: readonly Role[];
  readonly createdAt: number;
  readonly expires: number;
  /** `open` although it has expired: see `statusAt`. */
  readonly status: Exclude<ProposalStatus, 'expired'>;
  readonly approvals: readonly Approval[];
  /** Who refused or withdrew it. */
  readonly closedBy?: Approval;
  /** Of one that has failed. */
  readonly failure?: Rejection;
}

export const statusAt = ({ status, expires }: Proposal, time: number): ProposalStatus =>
  status === 'open' && expires <= time ? 'expired' : status;

const DAY_MS = 24 * 3_600_000;
export const NO_POLICY: Policy = { rules: [], expiryMs: DAY_MS };
/** The oldest that are over are forgotten first. */
export const PROPOSALS_MAX = 500;

export class Proposals {
  policy: Policy = NO_POLICY;
  /** The latest number. */
  last = 0;
  private readonly byId = new Map<number, Proposal>();

  get(id: number): Proposal | null {
    return this.byId.get(id) ?? null;
  }

  set(proposal: Proposal): void {
    this.byId.set(proposal.id, proposal);
  }

  /** False where all there can be are open. */
  makeRoom(time: number): boolean {
    if (this.byId.size < PROPOSALS_MAX) return true;
    const over = this.list().find((each) => statusAt(each, time) !== 'open');
    return over !== undefined && this.byId.delete(over.id);
  }

  /** Ascending by number. */
  list(): Proposal[] {
    return [...this.byId.values()].toSorted((a, b) => a.id - b.id);
  }
}
