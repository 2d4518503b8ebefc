/**
 * Approvals. A command whose call is subject to the policy is kept as a proposal; the last approval executes it, under the
 * rules and balances of that moment.
 */

import type { Administration } from '../commands/commands.ts';
import type {
  ApproveProposal,
  PolicyRule,
  ProposalCommand,
  RefuseProposal,
  SetPolicy,
  WithdrawProposal,
} from '../commands/operator-commands.ts';
import type { Audited } from '../commands/reference-commands.ts';
import { acceptedUnless, type Outcome, orRejected, rejected } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';
import { checkRoles } from './operate.ts';
import { type Approval, type Proposal, PROPOSALS_MAX, statusAt } from './operators.ts';

const ROOT = 0;
const RULES_MAX = 100;
const CALL_LENGTH_MAX = 64;
const APPROVALS_MAX = 3;
const EXPIRY_MS_MAX = 90 * 24 * 3_600_000;

type Execute = (state: State, command: Administration) => Outcome;

/** null: no rule applies, so the command may be executed. */
export function propose(state: State, command: Administration): Outcome | null {
  const { call } = command;
  const { policy } = state.proposals;
  // Break-glass access has nobody to approve it.
  if (call === undefined || policy.rules.length === 0 || command.kind === 'break-glass') return null;
  const calls = callsOf(call, command);
  const applying = policy.rules.filter((rule) => calls.includes(rule.call) && applies(state, rule, command));
  if (applying.length === 0) return null;
  const mixed = checkOneEffect(command, applying);
  if (mixed) return rejected(mixed);
  const effect = calls.findLast((each) => applying.some((rule) => rule.call === each));
  const { proposals, time } = state;
  if (!proposals.makeRoom(time)) return rejected(reject('proposals-in-all', { max: PROPOSALS_MAX }));
  const id = ++proposals.last;
  const expires = time + policy.expiryMs;
  proposals.set({
    id,
    call,
    command: withSortedFields(command) as Administration,
    proposer: operatorOf(command),
    approvalsNeeded: strictest(applying).approvals,
    // Those of the effect: a wider call must not let others approve it.
    roles: strictest(applying.filter((rule) => rule.call === effect)).roles,
    createdAt: time,
    expires,
    status: 'open',
    approvals: [],
  });
  return { kind: 'proposed', proposal: id, expires };
}

const strictest = (rules: readonly PolicyRule[]): PolicyRule =>
  rules.reduce((most, each) => (each.approvals > most.approvals ? each : most));

/**
 * Another call that does the same must not be a way around the policy: the rules of both apply. The call that names the
 * effect comes last.
 */
function callsOf(call: string, command: Administration): string[] {
  switch (command.kind) {
    case 'schedule-call':
      return [call, ...callsOf(command.scheduled, command.command)];
    case 'settle-withdrawal':
      return [call, 'settle-withdrawal'];
    case 'publish-notice':
      return command.change === undefined ? [call] : [call, 'change-symbol'];
    case 'begin-auction':
    case 'cancel-auction':
      return [call, 'set-market-state'];
    case 'change-user':
      if (command.frozen === undefined) return [call];
      return [call, command.frozen ? 'freeze-user' : 'unfreeze-user'];
    default:
      return [call];
  }
}

/** Those who may approve a freeze must not approve a tier with it, if the rules name others for the tier. */
function checkOneEffect(command: Administration, rules: readonly PolicyRule[]): Rejection | null {
  if (command.kind !== 'change-user' || command.tier === undefined || command.frozen === undefined)
    return null;
  if (new Set(rules.map(({ roles }) => roles.toSorted().join())).size < 2) return null;
  return invalidValue(
    'tier',
    command.tier,
    'sent without frozen: the policy has rules with other roles for each',
  );
}

export function decide(state: State, command: ProposalCommand, execute: Execute): Outcome {
  switch (command.kind) {
    case 'set-policy':
      return acceptedUnless(setPolicy(state, command));
    case 'approve-proposal':
      return orRejected(approve(state, command, execute));
    case 'refuse-proposal':
      return acceptedUnless(close(state, command, 'refused', mayDecide));
    case 'withdraw-proposal':
      return acceptedUnless(close(state, command, 'withdrawn', isProposer));
  }
}

function setPolicy(state: State, { rules, expiryMs }: SetPolicy): Rejection | null {
  if (rules.length > RULES_MAX) return invalidValue('rules', rules.length, `at most ${RULES_MAX}`);
  if (!Number.isSafeInteger(expiryMs) || expiryMs < 1 || expiryMs > EXPIRY_MS_MAX) {
    return invalidValue('expiryMs', expiryMs, `an integer from 1 to ${EXPIRY_MS_MAX}`);
  }
  for (const rule of rules) {
    const refused = checkRule(state, rule);
    if (refused) return refused;
  }
  state.proposals.policy = withSortedFields({ rules, expiryMs }) as { rules: PolicyRule[]; expiryMs: number };
  return null;
}

function checkRule(state: State, { call, above = [], approvals, roles }: PolicyRule): Rejection | null {
  const wrong = checkPrintable('call', call, 1, CALL_LENGTH_MAX) ?? checkRoles(roles);
  if (wrong) return wrong;
  if (!Number.isInteger(approvals) || approvals < 1 || approvals > APPROVALS_MAX) {
    return invalidValue('approvals', approvals, `an integer from 1 to ${APPROVALS_MAX}`);
  }
  for (const { currency, amount } of above) {
    if (!state.currencies.all[currency]) return reject('currency-unknown', { currency });
    if (amount < 0n) return invalidValue('above', amount, 'at least 0');
  }
  return null;
}

function approve(state: State, command: ApproveProposal, execute: Execute): Outcome | Rejection {
  const found = state.proposals.get(command.proposal);
  if (!found) return unknown(command);
  const refused = mayDecide(state, found, command);
  if (refused) return refused;
  const operator = operatorOf(command);
  const { id } = found;
  if (found.approvals.some((each) => each.operator === operator)) {
    return reject('approved-already', { proposal: id });
  }
  const over = closed(state, found);
  if (over) return over;
  const approvals = [...found.approvals, signature(state, command)];
  // Approvals of operators removed or demoted since do not count.
  const counted = approvals.filter((each) => !lacksRole(state, found, each.operator));
  if (counted.length < found.approvalsNeeded) {
    state.proposals.set({ ...found, approvals });
    return { kind: 'approved', proposal: id, executed: null };
  }
  // Set before the command runs, which may itself concern the policy or proposals.
  state.proposals.set({ ...found, approvals, status: 'approved' });
  const outcome = execute(state, found.command);
  if (outcome.kind === 'rejected') {
    state.proposals.set({ ...found, approvals, status: 'failed', failure: outcome.rejection });
  }
  const approvedBy = counted.map(({ by }) => by);
  return { kind: 'approved', proposal: id, executed: { command: found.command, outcome, approvedBy } };
}

function close(
  state: State,
  command: RefuseProposal | WithdrawProposal,
  status: 'refused' | 'withdrawn',
  check: (state: State, proposal: Proposal, command: Audited) => Rejection | null,
): Rejection | null {
  const found = state.proposals.get(command.proposal);
  if (!found) return unknown(command);
  const refused = check(state, found, command) ?? closed(state, found);
  if (refused) return refused;
  state.proposals.set({ ...found, status, closedBy: signature(state, command) });
  return null;
}

function mayDecide(state: State, proposal: Proposal, command: Audited): Rejection | null {
  const operator = operatorOf(command);
  if (operator === proposal.proposer) return reject('own-proposal', { proposal: proposal.id });
  return lacksRole(state, proposal, operator) ? reject('role', { roles: proposal.roles }) : null;
}

function isProposer(_state: State, { id, proposer }: Proposal, command: Audited): Rejection | null {
  return operatorOf(command) === proposer ? null : reject('not-proposer', { proposal: id });
}

function lacksRole(state: State, { roles }: Proposal, operator: number): boolean {
  if (operator === ROOT) return state.operators.isRootClosed;
  const found = state.operators.get(operator);
  return !found?.roles.some((role) => roles.includes(role));
}

function closed(state: State, proposal: Proposal): Rejection | null {
  const { id, expires } = proposal;
  const status = statusAt(proposal, state.time);
  if (status === 'open') return null;
  return status === 'expired'
    ? reject('expired', { proposal: id, at: expires })
    : reject('proposal-closed', { proposal: id, status });
}

const unknown = ({ proposal }: { proposal: number }): Rejection => reject('proposal-unknown', { proposal });
const operatorOf = ({ operator = ROOT }: Audited): number => operator;

const signature = ({ time }: State, command: Audited): Approval => ({
  operator: operatorOf(command),
  by: command.by ?? '',
  why: command.why ?? '',
  time,
});

function applies(state: State, { above }: PolicyRule, command: Administration): boolean {
  if (above === undefined) return true;
  const moved = moneyOf(state, command);
  // Its object does not exist: the command will be rejected for that.
  if (moved === null) return false;
  const limit = moved && above.find(({ currency }) => currency === moved.currency);
  return !limit || moved.amount > limit.amount;
}

/** The amount that the command, or its object, moves; null if the object does not exist, undefined if it moves nothing. */
function moneyOf(
  state: State,
  command: Administration,
): { readonly currency: number; readonly amount: bigint } | null | undefined {
  switch (command.kind) {
    case 'report-deposit':
    case 'move-money':
      return command;
    case 'return-deposit':
      return state.deposits.get(command.deposit);
    case 'reverse-movement':
      return (
        state.deposits.get(command.deposit ?? 0) ??
        state.withdrawals.get(command.withdrawal ?? 0) ??
        state.corrections.get(command.correction ?? 0)
      );
    case 'claim-withdrawal':
    case 'unclaim-withdrawal':
    case 'advance-withdrawal':
    case 'settle-withdrawal':
      return state.withdrawals.get(command.withdrawal);
    case 'decide-questionnaire': {
      const found = state.deposits.questionnaire(command.questionnaire);
      return found && state.deposits.ofTravelRule(found.travelRuleId);
    }
    default:
      return undefined;
  }
}

/** Sorts the fields, because a command read from a log may have them in another order than one that was sent. */
export function withSortedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, withSortedFields(field)]),
  );
}
