/** Deposit addresses with their codes, and deposits, with those that wait for the Travel Rule. */

import { useState } from 'react';
import { Decimal } from '../decimal/decimal.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/times.ts';
import { useIsSandbox } from '../session/sandbox.ts';
import { useAct } from '../user/actions.ts';
import type { Deposit, DepositAddress } from '../user/types.ts';
import { useDepositAddresses, useDeposits } from '../user/user-queries.ts';
import { ChainFields, useChainChoice } from './chain-fields.tsx';
import { createAddress } from './money-actions.ts';
import { QrCode } from './qr-code.tsx';
import { Questionnaire } from './questionnaire.tsx';
import { FAILURE_CODES } from './failure-codes.ts';
import { Section } from './section.tsx';

const HUNDRED = new Decimal(100n, 0);

export function Deposits({ currency: first }: { readonly currency: string }) {
  const choice = useChainChoice(first);
  const { currency, chain } = choice;
  const addresses = useDepositAddresses(currency);
  const act = useAct();
  const address = addresses.data?.find((each) => each.chain === chain?.chainName);
  const action = createAddress(currency, chain?.chainId ?? '');
  return (
    <>
      <Section title="Deposit address" about="Deposits arrive in your MAIN account.">
        <ChainFields
          choice={choice}
          hint={
            chain === undefined
              ? ''
              : [
                  `${chain.confirms} confirmations`,
                  ...(chain.depositMinSize ? [`at least ${chain.depositMinSize} ${currency}`] : []),
                  ...(Number(chain.depositFeeRate) > 0
                    ? [`fee ${Decimal.of(chain.depositFeeRate).times(HUNDRED)} %`]
                    : []),
                ].join(', ')
          }
        />
        <div className="mt-4">
          {addresses.isError && addresses.data === undefined ? (
            <Failed error={addresses.error} onRetry={() => void addresses.refetch()} />
          ) : addresses.data === undefined ? (
            <Loading label="Addresses are loading" lines={2} />
          ) : address !== undefined ? (
            <Address address={address} currency={currency} />
          ) : chain?.isDepositEnabled === false ? (
            <p className="text-xs text-warning">Deposits on this chain are disabled.</p>
          ) : (
            <div className="flex gap-2">
              <Button
                kind="primary"
                isBusy={act.isPending}
                disabled={chain === undefined}
                onClick={() => act.mutate(action)}
              >
                Create the address
              </Button>
              <ShowMeButton action={action} />
            </div>
          )}
        </div>
      </Section>
      <DepositList />
    </>
  );
}

function Address({ address, currency }: { readonly address: DepositAddress; readonly currency: string }) {
  const isSandbox = useIsSandbox();
  return (
    <div className="flex flex-wrap items-start gap-4">
      <QrCode text={address.address} label={`The address ${address.address} as a QR code`} />
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-3">
        {isSandbox === true && (
          <p
            role="note"
            className="flex items-start gap-2 rounded-md bg-warning-tint p-2.5 text-xs text-warning"
          >
            <Icon name="alert" />
            This is a sandbox: the address is play, and nobody has its key. Money sent there is lost.
          </p>
        )}
        <Copied label="Address" text={address.address} />
        {address.memo !== '' && (
          <>
            <Copied label="Memo" text={address.memo} />
            <p
              role="note"
              className="flex items-start gap-2 rounded-md bg-warning-tint p-2.5 text-xs text-warning"
            >
              <Icon name="alert" />
              This address is shared. Without the memo {address.memo}, a deposit of {currency} cannot be
              matched to your account and may not be credited.
            </p>
          </>
        )}
        {address.contractAddress !== '' && (
          <p className="text-xs break-all text-faint">Contract {address.contractAddress}</p>
        )}
      </div>
    </div>
  );
}

function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <p className="text-xs text-muted">{label}</p>
      <p className="flex items-center gap-1">
        <code className="font-mono text-sm break-all">{text}</code>
        <CopyButton label={label} text={text} />
      </p>
    </div>
  );
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['PROCESSING', 'Processing'],
  ['SUCCESS', 'Credited'],
  ['FAILURE', 'Failed'],
]);

/** The status as text; a pending Travel Rule step takes precedence. */
function statusOf({ status, travelRuleOId, questionnaireStatus, failureCode }: Deposit): string {
  if (travelRuleOId === null || questionnaireStatus === 'success') return STATUSES.get(status) ?? status;
  if (questionnaireStatus === null) return 'Questionnaire missing';
  return questionnaireStatus === 'pending' ? 'Under review' : `Refused: ${failureCode}`;
}

function DepositList() {
  const deposits = useDeposits();
  const [asked, setAsked] = useState<Deposit>();
  if (deposits.isError && deposits.data === undefined)
    return <Failed error={deposits.error} onRetry={() => void deposits.refetch()} />;
  if (deposits.data === undefined) return <Loading label="Deposits are loading" />;
  const columns: readonly Column<Deposit>[] = [
    { key: 'time', label: 'Time', cell: (each) => dateTime(each.createdAt), className: 'text-muted' },
    { key: 'currency', label: 'Currency', isTitle: true, cell: (each) => each.currency },
    { key: 'chain', label: 'Chain', cell: (each) => each.chain },
    { key: 'amount', label: 'Amount', isTitle: true, amount: (each) => each.amount },
    { key: 'fee', label: 'Fee', amount: (each) => each.fee },
    {
      key: 'status',
      label: 'Status',
      cell: (each) => (
        <>
          <Badge tone={each.status === 'SUCCESS' ? 'up' : each.failureCode === null ? 'warning' : 'danger'}>
            {statusOf(each)}
          </Badge>
          {each.failureCode !== null && FAILURE_CODES.has(each.failureCode) && (
            <span className="ml-2 text-muted">{FAILURE_CODES.get(each.failureCode)}</span>
          )}
        </>
      ),
    },
    {
      key: 'tx',
      label: 'Transaction',
      cell: (each) => each.walletTxId,
      className: 'max-w-60 truncate font-mono text-muted',
    },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (each) =>
        each.travelRuleOId !== null &&
        (each.questionnaireStatus === null || each.questionnaireStatus === 'fail') && (
          <Button size="small" kind="primary" onClick={() => setAsked(each)}>
            {each.questionnaireStatus === null ? 'Name the sender' : 'Answer again'}
          </Button>
        ),
    },
  ];
  return (
    <Section title="Deposits">
      <Table
        label="Deposits"
        columns={columns}
        rows={deposits.data.items}
        rowKey={(each) => each.id ?? each.walletTxId}
        empty={<Empty icon="wallet" title="No deposits yet" />}
      />
      {asked !== undefined && <Questionnaire deposit={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}
