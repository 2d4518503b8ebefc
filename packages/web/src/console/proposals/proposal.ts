/** Proposals: calls that need the approval of other operators under the policy. */

import type { Operator } from '../operator/operator.ts';
import { useOperatorQuery } from '../operator/queries.tsx';

export interface Signature {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  readonly time: number;
}

export type Facts = Readonly<Record<string, unknown>>;

export interface Proposal {
  readonly proposalId: string;
  readonly call: string;
  readonly status: 'open' | 'approved' | 'refused' | 'expired' | 'withdrawn' | 'failed';
  readonly hash: string;
  readonly proposedBy: { readonly id: string; readonly name: string };
  readonly reason: string;
  readonly created: number;
  readonly expires: number;
  readonly approvalsNeeded: number;
  readonly roles: readonly string[];
  readonly approvals: readonly Signature[];
  readonly closedBy?: Signature;
  readonly failure?: { readonly code: string; readonly msg: string };
  readonly command: Facts & { readonly kind: string };
}

export interface ProposalDetail extends Proposal {
  /** `before`: the current state of the proposal's subject; null for something new. */
  readonly change: { readonly before: Facts | null; readonly after: Facts };
}

export const useOpenProposals = () => useOperatorQuery<readonly Proposal[]>('/v1/proposals?status=open');
export const useProposals = () => useOperatorQuery<readonly Proposal[]>('/v1/proposals');

export const isOwn = ({ proposedBy }: Proposal, { id }: Operator): boolean => proposedBy.id === id;

const hasApproved = ({ approvals }: Proposal, { id }: Operator): boolean =>
  approvals.some((each) => each.id === id);

/** The root token has every role. */
const mayDecide = ({ roles }: Proposal, operator: Operator): boolean =>
  operator.mayChange && (operator.id === 'root' || roles.some((role) => operator.roles.includes(role)));

export const awaits = (proposal: Proposal, operator: Operator): boolean =>
  proposal.status === 'open' && whyNot(proposal, operator) === '';

/** Why this operator cannot approve the proposal; '' if they can. */
export function whyNot(proposal: Proposal, operator: Operator): string {
  if (isOwn(proposal, operator)) return 'You proposed it: others have to approve it.';
  if (hasApproved(proposal, operator)) return 'You have approved it. It waits for others.';
  if (!mayDecide(proposal, operator)) return 'None of your roles may approve it.';
  return '';
}
