/** Proposals: those that wait for me first, then for others, then what became of the rest. */

import { Link, useRoute } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useOperator } from '../operator/operator.ts';
import { timeOf } from '../words.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { awaits, type Proposal, useProposals } from '../proposals/proposal.ts';
import { sentenceOf } from '../proposals/sentence.ts';
import { ProposalCard, STATUSES, TONES } from '../proposals/proposal-card.tsx';
import { Page } from './page.tsx';

export default function Proposals() {
  const [, params] = useRoute('/console/proposals/:proposalId');
  return params === null ? <AllProposals /> : <OneProposal proposalId={params.proposalId} />;
}

function OneProposal({ proposalId }: { readonly proposalId: string }) {
  const query = useOperatorQuery<Proposal>(`/v1/proposals/${encodeURIComponent(proposalId)}`);
  return (
    <Page
      title="Proposal"
      actions={
        <Link href="/console/proposals" className="text-xs text-accent hover:underline">
          All proposals
        </Link>
      }
    >
      <Answered query={query} label="the proposal">
        {(proposal) => <ProposalCard proposal={proposal} />}
      </Answered>
    </Page>
  );
}

function AllProposals() {
  const query = useProposals();
  const operator = useOperator()!;
  return (
    <Answered query={query} label="the proposals">
      {(all) => {
        const open = all.filter(({ status }) => status === 'open');
        const mine = open.filter((each) => awaits(each, operator));
        const others = open.filter((each) => !mine.includes(each));
        return (
          <div className="flex flex-col gap-3">
            <Page title={`Waiting for you (${mine.length})`}>
              {mine.map((each) => (
                <ProposalCard key={each.proposalId} proposal={each} />
              ))}
              {mine.length === 0 && (
                <Empty icon="check" title="Nothing needs your approval" className="h-auto!">
                  A call that the <PolicyLink /> names becomes a proposal, and stands here for those who may
                  approve it.
                </Empty>
              )}
            </Page>
            {others.length > 0 && (
              <Page title={`Waiting for others (${others.length})`}>
                {others.map((each) => (
                  <ProposalCard key={each.proposalId} proposal={each} />
                ))}
              </Page>
            )}
            <Past rows={all.filter(({ status }) => status !== 'open')} />
          </div>
        );
      }}
    </Answered>
  );
}

const PolicyLink = () => (
  <Link href="/console/policy" className="text-accent underline">
    policy
  </Link>
);

function Past({ rows }: { readonly rows: readonly Proposal[] }) {
  return (
    <Page title="History">
      <Table
        label="Proposals that are over"
        rows={rows}
        rowKey={({ proposalId }) => proposalId}
        empty={<Empty icon="clock" title="No proposal has been decided yet" className="h-auto!" />}
        columns={[
          {
            key: 'what',
            label: 'Proposal',
            isTitle: true,
            className: 'max-w-[28rem] truncate',
            cell: ({ proposalId, command }) => (
              <Link
                href={`/console/proposals/${proposalId}`}
                className="block truncate font-medium text-accent hover:underline max-sm:max-w-[19rem]"
              >
                {sentenceOf(command)}
              </Link>
            ),
          },
          {
            key: 'status',
            label: 'State',
            cell: ({ status }) => <Badge tone={TONES[status]}>{STATUSES[status]}</Badge>,
          },
          { key: 'by', label: 'Proposed by', cell: ({ proposedBy }) => proposedBy.name },
          { key: 'decided', label: 'Decided by', cell: decidedBy },
          { key: 'created', label: 'Proposed', cell: ({ created }) => timeOf(created).slice(0, 16) },
        ]}
      />
    </Page>
  );
}

function decidedBy({ closedBy, approvals, status }: Proposal): string {
  if (closedBy !== undefined) return closedBy.name;
  return status === 'expired' ? 'nobody' : approvals.map(({ name }) => name).join(', ');
}
