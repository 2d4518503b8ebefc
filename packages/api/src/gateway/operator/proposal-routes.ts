/** Proposals: calls that await approval by other operators. */

import { statusAt } from '@bourse/core';
import { Type } from '../schema.ts';
import { WithStatus } from '../json-interface.ts';
import { operatorRefusal } from './operator-errors.ts';
import {
  APPROVERS,
  failureOf,
  findProposal,
  hashOf,
  readBefore,
  showInList,
  showProposal,
} from './proposal.ts';
import { findMarked } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

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
      if (outcome.kind !== 'approved') throw new Error(`an approval came to '${outcome.kind}'`);
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
