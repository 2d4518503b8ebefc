/** Approves, rejects or withdraws a proposal, with the reason for the audit trail. */

import { type FormEvent, useState } from 'react';
import { queryClient, useSending } from '../../exchange/query-client.ts';
import { FormError } from '../../people/form-error.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { callOperator } from '../operator/operator.ts';
import type { Proposal } from './proposal.ts';

export type Decision = 'approve' | 'refuse' | 'withdraw';

const TITLES: Readonly<Record<Decision, string>> = {
  approve: 'Approve',
  refuse: 'Reject',
  withdraw: 'Withdraw',
};
const REASON_MAX = 256;

export interface DecisionDialogProps {
  readonly proposal: Proposal;
  readonly sentence: string;
  readonly decision: Decision;
  readonly onClose: () => void;
}

export function DecisionDialog({ proposal, sentence, decision, onClose }: DecisionDialogProps) {
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
    <Dialog isOpen onOpen={(isOpen) => isOpen || onClose()} title={TITLES[decision]} about={about}>
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
          <Button onClick={onClose}>Back</Button>
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
    showToast('refused', 'Approved, but refused by the exchange', failure?.msg ?? '');
  } else if (status === 'approved') {
    showToast('done', 'Approved and carried out', sentence);
  } else {
    showToast('done', 'Approved', `${approvals.length} of ${approvalsNeeded} approvals. ${sentence}`);
  }
}
