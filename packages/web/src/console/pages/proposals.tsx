/** Proposals: first those that wait for this operator, then for others, then decided ones. */

import { type FormEvent, useState } from 'react';
import { Link, useRoute } from 'wouter';
import { queryClient, useSending } from '../../exchange/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Badge, Empty, FormError, type Tone } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { visible } from '../../ui/text.ts';
import { showToast } from '../../ui/toast.tsx';
import { DepositEffect } from '../action/effects.tsx';
import { callOperator, type Operator, useOperator } from '../operator/operator.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import {
  awaits,
  isOwn,
  type Proposal,
  type ProposalDetail,
  type Signature,
  useProposals,
  whyNot,
} from '../proposals/proposal.ts';
import { changesOf, sentenceOf } from '../proposals/sentence.ts';
import { anyOf, timeOf } from '../words.ts';
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

const TONES: Readonly<Record<Proposal['status'], Tone>> = {
  open: 'warning',
  approved: 'up',
  refused: 'danger',
  expired: 'neutral',
  withdrawn: 'neutral',
  failed: 'danger',
};

/** Labels of the API's states. */
const STATUSES: Readonly<Record<Proposal['status'], string>> = {
  open: 'open',
  approved: 'approved',
  refused: 'rejected',
  expired: 'expired',
  withdrawn: 'withdrawn',
  failed: 'approved, but failed',
};

/** Fields that a deposit's sentence already has. */
const IN_SENTENCE: ReadonlySet<string> = new Set(['user', 'currency', 'amount']);

const minute = (time: number): string => `${timeOf(time).slice(0, 16)} UTC`;

/** One proposal: its effect before and after, its author and reason, and the decision. */
function ProposalCard({ proposal }: { readonly proposal: Proposal }) {
  const { proposalId, command, status } = proposal;
  const operator = useOperator()!;
  const detail = useOperatorQuery<ProposalDetail>(`/v1/proposals/${proposalId}`).data;
  const before = detail?.change.before ?? null;
  const sentence = sentenceOf(command, before);
  return (
    <article aria-label={sentence} className="flex flex-col gap-3 border-b border-line p-4 last:border-0">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 text-sm font-semibold break-words">
          <Link href={`/console/proposals/${proposalId}`} className="hover:underline">
            {sentence}
          </Link>
        </h3>
        <Badge tone={TONES[status]}>{STATUSES[status]}</Badge>
      </header>
      <p className="text-xs break-words text-muted">
        Proposed by <strong className="font-medium text-text">{proposal.proposedBy.name}</strong>,{' '}
        {minute(proposal.created)}: “{visible(proposal.reason)}”
      </p>
      {command.kind === 'report-deposit' && status === 'open' && <DepositEffect body={command} />}
      {detail !== undefined && <Changes detail={detail} />}
      <Signatures proposal={proposal} />
      {status === 'open' && <Decisions proposal={proposal} sentence={sentence} operator={operator} />}
    </article>
  );
}

function Changes({ detail: { change, status } }: { readonly detail: ProposalDetail }) {
  // After the decision, the current state may already include the change.
  const facts = changesOf(status === 'open' ? change.before : null, change.after).filter(
    ({ name }) => change.after['kind'] !== 'report-deposit' || !IN_SENTENCE.has(name),
  );
  if (facts.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md border border-line bg-raised p-3 text-xs">
      {facts.map(({ name, before, after }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words whitespace-pre-wrap">
            {before !== undefined && (
              <>
                <span className="text-muted">{before}</span>
                <span aria-label="becomes"> → </span>
              </>
            )}
            <strong className="font-medium">{after}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Signatures({ proposal }: { readonly proposal: Proposal }) {
  const { approvals, approvalsNeeded, roles, status, closedBy, failure, expires } = proposal;
  const signed = ({ id, name, reason, time }: Signature, verb: string) => (
    <li key={`${id} ${verb}`} className="break-words">
      {verb} by <strong className="font-medium text-text">{name}</strong>, {minute(time)}: “{visible(reason)}”
    </li>
  );
  return (
    <div className="text-xs text-muted">
      <p>
        {approvals.length} of {approvalsNeeded} {approvalsNeeded === 1 ? 'approval' : 'approvals'} by{' '}
        {anyOf(roles)}
        {status === 'open' && `, until ${minute(expires)}`}
        {status === 'expired' && `; expired ${minute(expires)}`}.
      </p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {approvals.map((each) => signed(each, 'Approved'))}
        {closedBy !== undefined && signed(closedBy, status === 'withdrawn' ? 'Withdrawn' : 'Rejected')}
      </ul>
      {failure !== undefined && (
        <p className="mt-1 text-danger">
          It was approved, but the exchange rejected it: {visible(failure.msg)} ({failure.code})
        </p>
      )}
    </div>
  );
}

interface DecisionsProps {
  readonly proposal: Proposal;
  readonly sentence: string;
  readonly operator: Operator;
}

function Decisions({ proposal, sentence, operator }: DecisionsProps) {
  const [decision, setDecision] = useState<Decision | null>(null);
  const own = isOwn(proposal, operator);
  const hindrance = whyNot(proposal, operator);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {hindrance === '' && (
        <>
          <Button kind="primary" onClick={() => setDecision('approve')}>
            Approve
          </Button>
          <Button onClick={() => setDecision('refuse')}>Reject</Button>
        </>
      )}
      {hindrance !== '' && <p className="text-xs text-muted">{hindrance}</p>}
      {own && <Button onClick={() => setDecision('withdraw')}>Withdraw</Button>}
      {decision !== null && (
        <DecisionDialog {...{ proposal, sentence, decision }} onClose={() => setDecision(null)} />
      )}
    </div>
  );
}

type Decision = 'approve' | 'refuse' | 'withdraw';

const TITLES: Readonly<Record<Decision, string>> = {
  approve: 'Approve',
  refuse: 'Reject',
  withdraw: 'Withdraw',
};
const REASON_MAX = 256;

interface DecisionDialogProps {
  readonly proposal: Proposal;
  readonly sentence: string;
  readonly decision: Decision;
  readonly onClose: () => void;
}

/** Approves, rejects or withdraws a proposal, with the reason for the audit trail. */
function DecisionDialog({ proposal, sentence, decision, onClose }: DecisionDialogProps) {
  const { proposalId, hash, approvals, approvalsNeeded } = proposal;
  const [reason, setReason] = useState('');
  const sending = useSending({
    mutationFn: () =>
      callOperator<Proposal>('POST', `/v1/proposals/${proposalId}/${decision}`, {
        ...(decision === 'approve' && { hash }),
        reason: reason.trim(),
      }),
    onSuccess: (after) => {
      tell(decision, after, sentence);
      onClose();
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['operator'] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    sending.mutate();
  };
  const isLast = approvals.length + 1 >= approvalsNeeded;
  const about = {
    approve: isLast ? 'It is carried out at once.' : 'It then waits for another approval.',
    refuse: 'It is over: nothing is changed.',
    withdraw: 'It is over: nothing is changed.',
  }[decision];
  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      isBusy={sending.isPending}
      title={TITLES[decision]}
      about={about}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p className="font-medium break-words">{sentence}</p>
        <TextField
          label="Reason"
          data-autofocus
          hint="Recorded in the audit trail with your name."
          value={reason}
          onValue={setReason}
          maxLength={REASON_MAX}
        />
        <FormError error={sending.error} />
        <div className="flex justify-end gap-2">
          <Button isBusy={sending.isPending} onClick={onClose}>
            Back
          </Button>
          <Button
            type="submit"
            kind={decision === 'refuse' ? 'danger' : 'primary'}
            isBusy={sending.isPending}
            disabled={reason.trim() === ''}
          >
            {TITLES[decision]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function tell(
  decision: Decision,
  { status, approvals, approvalsNeeded, failure }: Proposal,
  sentence: string,
): void {
  if (decision !== 'approve') {
    showToast('done', decision === 'refuse' ? 'Rejected' : 'Withdrawn', sentence);
  } else if (status === 'failed') {
    showToast('refused', 'Approved, but rejected by the exchange', failure?.msg ?? '');
  } else if (status === 'approved') {
    showToast('done', 'Approved and carried out', sentence);
  } else {
    showToast('done', 'Approved', `${approvals.length} of ${approvalsNeeded} approvals. ${sentence}`);
  }
}
