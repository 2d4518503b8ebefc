/** The last look at a withdrawal: what leaves, what arrives and where, and what is left. Only its button sends. */

import type { ReactNode } from 'react';
import { formatExact } from '../decimal/format.ts';
import type { ChainInfo } from '../exchange/market-data.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { sentenceOf } from '../ui/states.tsx';
import type { Action } from '../user/actions.ts';
import type { WithdrawalDraft } from './money-actions.ts';
import { hasMemos, type WithdrawalCost } from './withdrawal-terms.ts';

export interface WithdrawalReviewProps {
  readonly draft: WithdrawalDraft;
  readonly chain: ChainInfo;
  readonly cost: WithdrawalCost;
  /** In MAIN when it is sent. */
  readonly balanceAfter: string;
  readonly action: Action;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

export function WithdrawalReview(props: WithdrawalReviewProps) {
  const { draft, chain, cost, balanceAfter, action, isPending, error, onSend, onClose } = props;
  const { currency, toAddress, memo, remark } = draft;
  const amount = (text: string): string => `${formatExact(text)} ${currency}`;
  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      title="Review the withdrawal"
      about="Compare the address with the one you were given. A withdrawal that has been sent cannot be undone."
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        <Line name="To">
          <span className="font-mono break-all">{toAddress}</span>
        </Line>
        <Line name="Chain">{chain.chainName}</Line>
        <Line name="Memo">
          {memo !== '' ? (
            <span className="font-mono break-all">{memo}</span>
          ) : hasMemos(chain) ? (
            <span className="text-warning">None. Most receivers on {chain.chainName} need one.</span>
          ) : (
            <span className="text-faint">none</span>
          )}
        </Line>
        {remark !== '' && <Line name="Remark">{remark}</Line>}
        <Line name="Network fee">{amount(cost.fee.toString())}</Line>
        <Line name="Arrives">
          <strong className="font-semibold">{amount(cost.received.toString())}</strong>
        </Line>
        <Line name="Leaves MAIN">{amount(cost.taken.toString())}</Line>
        <Line name="MAIN after">{amount(balanceAfter)}</Line>
      </dl>
      {error !== null && (
        <p role="alert" className="mt-3 text-xs break-words text-danger">
          {sentenceOf(error)}
        </p>
      )}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" isBusy={isPending} onClick={onSend}>
          Withdraw
        </Button>
        <Button onClick={onClose}>Back</Button>
        <ShowMeButton action={action} />
      </div>
    </Dialog>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </>
  );
}
