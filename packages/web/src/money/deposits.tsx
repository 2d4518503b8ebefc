/** Deposit addresses with QR codes, deposits, and the questionnaires that the Travel Rule requires. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Decimal, formatExact } from '../decimal/decimal.ts';
import { publicClient } from '../exchange/connection.ts';
import { useIsSandbox } from '../session/sandbox.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton, QrCode } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { FormSection } from '../ui/panel.tsx';
import { Badge, Empty, Failed, Loading, sentenceOf } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Segments } from '../ui/tabs.tsx';
import { dateTime } from '../ui/text.ts';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import {
  type Deposit,
  type DepositAddress,
  FAILURE_CODES,
  useDepositAddresses,
  useDeposits,
} from '../user/user-queries.ts';
import { ChainFields, useChainChoice } from './chain-fields.tsx';
import { createAddress, submitQuestionnaire } from './money-actions.ts';

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
      <FormSection title="Deposit address" about="Deposits arrive in your MAIN account.">
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
      </FormSection>
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
    <FormSection title="Deposits">
      <Table
        label="Deposits"
        columns={columns}
        rows={deposits.data.items}
        rowKey={(each) => each.id ?? each.walletTxId}
        empty={<Empty icon="wallet" title="No deposits yet" />}
      />
      {asked !== undefined && <Questionnaire deposit={asked} onClose={() => setAsked(undefined)} />}
    </FormSection>
  );
}

type Sender = 'individual' | 'company';

interface Question {
  readonly name: string;
  readonly label: string;
}

const questions: ReadonlyMap<Sender, readonly Question[]> = new Map([
  [
    'individual',
    [
      { name: 'firstName', label: 'First name' },
      { name: 'lastName', label: 'Last name' },
      { name: 'identityNo', label: 'Number of the identity document' },
    ],
  ],
  [
    'company',
    [
      { name: 'companyName', label: 'Name of the company' },
      { name: 'tin', label: 'Tax number' },
    ],
  ],
]);
const always: readonly Question[] = [
  { name: 'reasonOfTransfer', label: 'Reason of the transfer' },
  { name: 'wallet', label: 'Wallet or exchange it came from' },
];
/** In this country the identity number is the national one. */
const NATIONAL_ID_COUNTRY = 'TR';

/** The Travel Rule's questions about the sender. The deposit is pending until the answers are accepted. */
function Questionnaire({ deposit, onClose }: { readonly deposit: Deposit; readonly onClose: () => void }) {
  const [sender, setSender] = useState<Sender>('individual');
  const [country, setCountry] = useState('');
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const regions = useQuery({
    queryKey: ['regions'],
    queryFn: () =>
      publicClient.http.call<readonly { readonly code: string; readonly enName: string }[]>(
        'GET',
        '/kyc/regions/v4',
      ),
  }).data;
  const act = useAct();
  const asked = [...questions.get(sender)!, ...always];
  const isComplete = asked.every(({ name }) => (answers.get(name) ?? '').trim() !== '');
  const info = Object.fromEntries([
    ...asked.map(({ name }) => [name, answers.get(name) ?? '']),
    ...(sender === 'individual'
      ? [['identityType', country === NATIONAL_ID_COUNTRY ? 'TCKN' : 'PASSPORT']]
      : []),
    ...(country === '' ? [] : [['country', country]]),
  ]) as Readonly<Record<string, string>>;
  const action = submitQuestionnaire(deposit.travelRuleOId ?? '', sender, info);

  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      isBusy={act.isPending}
      title="Who sent this deposit?"
      about={`${formatExact(deposit.amount)} ${deposit.currency} are credited when your answers are accepted.`}
    >
      <form
        aria-label="Questionnaire"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(action, {
            onSuccess: () => {
              showToast('done', 'Answered', 'The deposit is credited as soon as the answers are accepted.');
              onClose();
            },
          });
        }}
      >
        <Segments
          label="Sender"
          value={sender}
          onValue={(value) => setSender(value as Sender)}
          choices={[
            { value: 'individual', label: 'A person' },
            { value: 'company', label: 'A company' },
          ]}
        />
        {asked.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            value={answers.get(name) ?? ''}
            onValue={(value) => setAnswers(new Map(answers).set(name, value))}
          />
        ))}
        <SelectField
          label="Country"
          value={country}
          onValue={setCountry}
          choices={[
            { value: '', label: 'not said' },
            ...(regions ?? []).map(({ code, enName }) => ({ value: code, label: enName })),
          ]}
        />
        {act.isError && (
          <p role="alert" className="text-xs break-words text-danger">
            {sentenceOf(act.error)}
          </p>
        )}
        <div className="flex gap-2">
          <Button type="submit" kind="primary" isBusy={act.isPending} disabled={!isComplete}>
            Submit
          </Button>
          <ShowMeButton action={action} />
        </div>
      </form>
    </Dialog>
  );
}
