/**
 * Proposals: calls that await approval by other operators, and the hash with which an operator confirms which one to
 * approve.
 */

import { createHash } from 'node:crypto';
import {
  type Administration,
  type Approval,
  type Proposal,
  RATE_DECIMALS,
  type Role,
  statusAt,
} from '@bourse/core';
import { formatMoney, formatSmall } from '../decimals.ts';
import { explain } from '../errors/explain.ts';
import { actorId, markedId } from '../ids.ts';
import { WithStatus } from '../json-interface.ts';
import { Type } from '../schema.ts';
import { detailsOf, showRules } from './audit-entry.ts';
import { showCorrection } from './correction-routes.ts';
import { depositDetail, questionnaireDetail, withdrawalDetail } from './money-routes.ts';
import { operatorRefusal } from './operator-errors.ts';
import { showOperator } from './operator-routes.ts';
import { findMarked, unknownId } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';
import { showRule } from './withdrawal-rule-routes.ts';

/** Roles that can approve: neither programs nor viewers. */
export const APPROVERS: readonly Role[] = ['support', 'finance', 'listing', 'compliance', 'admin'];

/** In a fee rule: all users or all symbols. In a limit: no user or no tier. */
const ANY = -1;

/** SHA-256 of the proposed command with its number. Proposals are immutable, so this covers all of the content. */
function hashOf({ id, call, command }: Proposal): string {
  let found = hashes.get(command);
  if (found === undefined) {
    found = createHash('sha256').update(canonical({ id, call, command })).digest('hex');
    hashes.set(command, found);
  }
  return found;
}

/** Hashing the largest command, 1,000 addresses, takes milliseconds, and a list shows up to 500 proposals. */
const hashes = new WeakMap<Administration, string>();

/** JSON with sorted names; amounts as decimal units with an `n`. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const shown = fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${shown.join(',')}}`;
}

async function findProposal({ port }: OperatorServices, id: number): Promise<Proposal> {
  const found = await port.read(({ reference }) => reference.proposals.get(id));
  if (found) return found;
  throw unknownId('proposal', markedId('proposal', id));
}

/** The response to a call that needs approval. */
export async function proposalResponse(services: OperatorServices, id: number): Promise<object> {
  const proposal = await findProposal(services, id);
  const { call, expires } = proposal;
  return { proposalId: markedId('proposal', id), hash: hashOf(proposal), call, expires };
}

function showProposal(services: OperatorServices, proposal: Proposal) {
  const { id, call, command, proposer, approvalsNeeded, roles, createdAt, expires } = proposal;
  const { approvals, closedBy, failure } = proposal;
  const { catalogue, clock } = services;
  const { by = '', why = '' } = command;
  return {
    proposalId: markedId('proposal', id),
    call,
    status: statusAt(proposal, clock.now()),
    hash: hashOf(proposal),
    proposedBy: { id: actorId(proposer), name: by },
    reason: why,
    created: createdAt,
    expires,
    approvalsNeeded,
    roles,
    approvals: approvals.map(showApproval),
    ...(closedBy && { closedBy: showApproval(closedBy) }),
    ...(failure && { failure: failureOf(services, command, failure) }),
    command: { kind: command.kind, ...detailsOf(command, catalogue) },
  };
}

/** A long list in a command is shown in full only with the proposal itself. */
const LISTED_ENTRIES_MAX = 20;

/** As in a list of proposals: long lists in the command are replaced by `{ count }`. */
function showInList(services: OperatorServices, proposal: Proposal) {
  const shown = showProposal(services, proposal);
  const short = Object.entries(shown.command).map(([name, value]) => [
    name,
    Array.isArray(value) && value.length > LISTED_ENTRIES_MAX ? { count: value.length } : value,
  ]);
  return { ...shown, command: Object.fromEntries(short) as typeof shown.command };
}

const showApproval = ({ operator, by, why, time }: Approval) => ({
  id: actorId(operator),
  name: by,
  reason: why,
  time,
});

export function failureOf(
  { catalogue }: OperatorServices,
  command: Administration,
  rejection: NonNullable<Proposal['failure']>,
): { readonly code: string; readonly msg: string } {
  const about = 'currency' in command ? { currency: catalogue.currencyAt(command.currency) } : {};
  const { detail, message: text } = explain(rejection, catalogue, about);
  return { code: rejection.code, msg: detail || text };
}

/** The current state of the command's object; null if the command creates something. */
async function readBefore(services: OperatorServices, command: Administration): Promise<unknown> {
  const { port, catalogue } = services;
  return port.read((exchange) => {
    const { reference } = exchange;
    switch (command.kind) {
      case 'claim-withdrawal':
      case 'unclaim-withdrawal':
      case 'advance-withdrawal':
      case 'settle-withdrawal': {
        const found = reference.withdrawal(command.withdrawal);
        return found && withdrawalDetail(found, catalogue);
      }
      case 'return-deposit': {
        const found = reference.deposit(command.deposit);
        return found && depositDetail(found, catalogue);
      }
      case 'reverse-movement': {
        const deposit = reference.deposit(command.deposit ?? 0);
        const withdrawal = reference.withdrawal(command.withdrawal ?? 0);
        const correction = reference.correction(command.correction ?? 0);
        if (deposit) return depositDetail(deposit, catalogue);
        if (withdrawal) return withdrawalDetail(withdrawal, catalogue);
        return (
          correction && showCorrection(correction, reference.reversalOf(correction.correction), catalogue)
        );
      }
      case 'remove-address-rule': {
        const found = reference.addressRules().find(({ rule }) => rule === command.rule);
        return found ? showRule(found, catalogue) : null;
      }
      case 'set-withdrawal-limits': {
        const { user = ANY, tier = ANY } = command;
        const shown = command.limits.map(({ currency }) => {
          const { code, scale } = catalogue.currencyAt(currency);
          const limit = reference.withdrawalLimit({ user, tier, currency });
          return [code, limit === null ? null : formatMoney(limit.amount, scale)];
        });
        return { withdrawalPerDay: Object.fromEntries(shown) };
      }
      case 'decide-questionnaire': {
        const found = reference.questionnaire(command.questionnaire);
        return found && questionnaireDetail(found);
      }
      case 'change-operator':
      case 'set-operator-token':
      case 'remove-operator': {
        const found = reference.operators.get(command.changed);
        return found && showOperator(found);
      }
      case 'set-policy': {
        const { rules, expiryMs } = reference.proposals.policy;
        return { rules: showRules(rules, catalogue), expiryMs };
      }
      case 'change-user':
      case 'freeze-user':
      case 'unfreeze-user':
      case 'close-user': {
        const { name, tier, frozen, freeze } = reference.users[command.user];
        return { name, tier, frozen, ...(freeze && { freeze }) };
      }
      case 'change-currency':
      case 'remove-currency':
        return reference.currencies[command.currency];
      case 'change-symbol':
      case 'remove-symbol':
      case 'set-market-state':
      case 'begin-auction':
      case 'cancel-auction':
        return reference.symbol(command.symbol);
      case 'pause-exchange':
      case 'resume-exchange':
        return { paused: reference.isPaused };
      case 'set-limits':
        return reference.limits;
      case 'set-fees':
      case 'remove-fees': {
        const { user = ANY, symbol = ANY } = command;
        const rule = reference.feeRules().find((each) => each.user === user && each.symbol === symbol);
        return rule
          ? { maker: formatSmall(rule.maker, RATE_DECIMALS), taker: formatSmall(rule.taker, RATE_DECIMALS) }
          : null;
      }
      case 'remove-notice': {
        const found = reference.notices().find(({ notice }) => notice === command.notice);
        return found ? { title: found.title, text: found.text, publishAt: found.publishAt } : null;
      }
      case 'report-deposit': {
        const { user, currency: number } = command;
        const currency = catalogue.currencyAt(number);
        const { available, hold } = exchange.balance(user, 'main', number);
        const { code, scale } = currency;
        const shown = { available: formatMoney(available, scale), hold: formatMoney(hold, scale) };
        return { account: 'main', currency: code, ...shown };
      }
      default:
        return null;
    }
  });
}

const STATUSES = ['open', 'approved', 'refused', 'expired', 'withdrawn', 'failed'] as const;
/** Hashed in one turn of the event loop. */
const PROPOSALS_PER_TURN = 4;
const PARAMS = { proposalId: Type.String() };

const nextTurn = ({ clock }: OperatorServices): Promise<void> =>
  new Promise((resolve) => clock.machine.soon(resolve));

export const PROPOSAL_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-proposals',
    method: 'GET',
    path: '/v1/proposals',
    summary:
      'Proposals, newest first, optionally by `status`. Long lists in a command are shown as `{ count }`.',
    query: { status: Type.Optional(Type.Union(STATUSES.map((status) => Type.Literal(status)))) },
    async handle({ services, query: { status } }) {
      const all = await services.port.read(({ reference }) => reference.proposals.list());
      const now = services.clock.now();
      const wanted = all.filter((each) => status === undefined || statusAt(each, now) === status);
      const shown: object[] = [];
      for (const each of wanted.toReversed()) {
        shown.push(showInList(services, each));
        if (shown.length % PROPOSALS_PER_TURN === 0) await nextTurn(services);
      }
      return shown;
    },
  }),
  operatorRoute({
    id: 'get-proposal',
    method: 'GET',
    path: '/v1/proposals/:proposalId',
    summary: 'A proposal: the complete command, its hash, and the current values that it would change.',
    params: PARAMS,
    async handle({ services, params }) {
      const proposal = await findProposal(services, findMarked('proposal', params.proposalId));
      const before = await readBefore(services, proposal.command);
      const shown = showProposal(services, proposal);
      return { ...shown, change: { before, after: shown.command } };
    },
  }),
  operatorRoute({
    id: 'approve-proposal',
    method: 'POST',
    path: '/v1/proposals/:proposalId/approve',
    roles: APPROVERS,
    policy: 'never',
    summary:
      'Approves the proposal with this hash. The last required approval executes the command and returns its outcome; earlier ones return 202.',
    params: PARAMS,
    body: { hash: Type.String() },
    async handle({ services, params, body, act }) {
      const id = findMarked('proposal', params.proposalId);
      const found = await findProposal(services, id);
      const hash = hashOf(found);
      // For a closed proposal, report that instead of a wrong hash.
      if (body.hash !== hash && found.status === 'open') {
        throw operatorRefusal('hash', 'hash: this is not the hash of the proposal. Read it again.');
      }
      const outcome = await act({ kind: 'approve-proposal', proposal: id });
      if (outcome.kind !== 'approved') throw new Error(`unexpected outcome '${outcome.kind}' of an approval`);
      services.addressStock?.changed();
      const shown = showProposal(services, await findProposal(services, id));
      const { executed } = outcome;
      if (!executed) return new WithStatus(202, shown);
      const came = executed.outcome;
      return {
        ...shown,
        outcome:
          came.kind === 'rejected'
            ? { kind: 'rejected', ...failureOf(services, executed.command, came.rejection) }
            : { kind: came.kind, ...('id' in came && { number: came.id }) },
      };
    },
  }),
  operatorRoute({
    id: 'refuse-proposal',
    method: 'POST',
    path: '/v1/proposals/:proposalId/refuse',
    roles: APPROVERS,
    policy: 'never',
    summary: 'Refuses and closes another operator’s proposal.',
    params: PARAMS,
    body: {},
    async handle({ services, params, act }) {
      const id = findMarked('proposal', params.proposalId);
      await act({ kind: 'refuse-proposal', proposal: id });
      return showProposal(services, await findProposal(services, id));
    },
  }),
  operatorRoute({
    id: 'withdraw-proposal',
    method: 'POST',
    path: '/v1/proposals/:proposalId/withdraw',
    roles: [...APPROVERS, 'custodian'],
    policy: 'never',
    summary: 'Withdraws the caller’s own proposal.',
    params: PARAMS,
    body: {},
    async handle({ services, params, act }) {
      const id = findMarked('proposal', params.proposalId);
      await act({ kind: 'withdraw-proposal', proposal: id });
      return showProposal(services, await findProposal(services, id));
    },
  }),
];
