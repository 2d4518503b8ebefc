/** Operators and their roles, the policy, and proposals that need approval. */

import type { Administration } from '../commands/commands.ts';
import type { PolicyRule, Role } from '../commands/operator-commands.ts';
import type { Rejection } from '../commands/rejections.ts';
import { DAY_MS } from '../values/intervals.ts';

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
  /** SHA-256 of the token. */
  readonly token: string;
  /** Keyed hash of the e-mail address of a person; '' for a program. */
  readonly login: string;
  readonly createdAt: number;
  /** The token is valid from this time on. */
  readonly usableFrom: number;
  /** Root added it after it was closed. It becomes an ordinary operator when an admin changes its roles or renews its token. */
  readonly isBrokenGlass?: true;
}

/** Operators by number, from 1. Root, the holder of the start-up token, is not among them. */
export class Operators {
  /** The latest number, even if that operator was removed. */
  last = 0;
  isRootClosed = false;
  readonly #byId = new Map<number, Operator>();
  readonly #byName = new Map<string, number>();
  readonly #byToken = new Map<string, number>();
  readonly #byLogin = new Map<string, number>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Operator | null {
    return this.#byId.get(id) ?? null;
  }

  ofName(name: string): Operator | null {
    return this.get(this.#byName.get(name) ?? 0);
  }

  ofToken(token: string): Operator | null {
    return this.get(this.#byToken.get(token) ?? 0);
  }

  ofLogin(login: string): Operator | null {
    return this.get(this.#byLogin.get(login) ?? 0);
  }

  set(operator: Operator): void {
    const before = this.#byId.get(operator.id);
    if (before) this.#byToken.delete(before.token);
    this.#byId.set(operator.id, operator);
    this.#byName.set(operator.name, operator.id);
    this.#byToken.set(operator.token, operator.id);
    if (operator.login !== '') this.#byLogin.set(operator.login, operator.id);
  }

  remove({ id, name, token, login }: Operator): void {
    this.#byId.delete(id);
    this.#byName.delete(name);
    this.#byToken.delete(token);
    this.#byLogin.delete(login);
  }

  /** Ascending by number. */
  list(): Operator[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }
}

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
