/**
 * Money: the balance sheet of each currency, which sums to zero, with its proof as a file; liabilities,
 * reconciliation, corrections and statements.
 */

import { ApiError } from '@bourse/client';
import { useState } from 'react';
import { formatExact } from '../../decimal/decimal.ts';
import { useSending } from '../../exchange/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { saveFile } from '../../ui/text.ts';
import { showToast } from '../../ui/toast.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { type Action, EntryError, question } from '../action/action.ts';
import { MoveEffect } from '../action/effects.tsx';
import { callOperator } from '../operator/operator.ts';
import { Answered, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { timeOf, valueLabel } from '../words.ts';
import { Page } from './page.tsx';
import { Waiting } from './queues.tsx';

interface LedgerRow {
  readonly currency: string;
  readonly available: string;
  readonly holds: string;
  readonly fees: string;
  readonly waiting: string;
  readonly suspense: string;
  readonly outside: string;
  readonly sum: string;
}

/** The refresh interval; long, because the sum over all accounts blocks the exchange. */
const REFRESH_MS = 15_000;

export function Money() {
  const ledger = useOperatorQuery<LedgerRow[]>('/v1/ledger', REFRESH_MS);
  const wrong = ledger.data?.filter(({ sum }) => sum !== '0') ?? [];
  return (
    <div className="flex flex-col gap-3">
      <Waiting />
      <Page
        title="Money"
        about="Available balances, holds, fees, pending deposits and the outside world. All accounts of a currency always sum to 0; a negative amount outside is what was deposited."
        actions={
          <Button size="small" onClick={() => void saveProof()}>
            Save the proof
          </Button>
        }
      >
        <Answered query={ledger} label="the ledger">
          {(rows) => (
            <>
              <p role="status" className="flex items-center gap-2 border-b border-line px-3 py-2 text-xs">
                {wrong.length === 0 ? (
                  <>
                    <Badge tone="up">Balanced</Badge> {rows.length} currencies, each with the sum 0.
                  </>
                ) : (
                  <>
                    <Badge tone="danger">broken</Badge> The sum is not 0 of{' '}
                    {wrong.map(({ currency }) => currency).join(', ')}: stop trading and look at the log.
                  </>
                )}
              </p>
              <Table
                label="Money by currency"
                rows={rows}
                rowKey={({ currency }) => currency}
                columns={[
                  { key: 'currency', label: 'Currency', cell: (row) => <strong>{row.currency}</strong> },
                  { key: 'available', label: 'Users, available', amount: (row) => row.available },
                  { key: 'holds', label: 'Users, held', amount: (row) => row.holds },
                  { key: 'fees', label: 'Fees', amount: (row) => row.fees },
                  { key: 'waiting', label: 'Pending deposits', amount: (row) => row.waiting },
                  { key: 'suspense', label: 'Suspense', amount: (row) => row.suspense },
                  { key: 'outside', label: 'Outside', amount: (row) => row.outside },
                  {
                    key: 'sum',
                    label: 'Sum',
                    isFigure: true,
                    cell: ({ sum }) => (
                      <strong className={sum === '0' ? 'text-good' : 'text-danger'}>{sum}</strong>
                    ),
                  },
                ]}
              />
            </>
          )}
        </Answered>
      </Page>
      <Reconciliation />
      <Corrections />
      <Statement
        path="/v1/statement"
        name="house"
        about="The exchange’s own accounts: fees, suspense, pending deposits and outside, with every entry of the period. Together with the statements of all users they sum to zero."
      />
      <Liabilities />
    </div>
  );
}

/** Saves the sums and their parts, with the sequence number of the record. */
async function saveProof(): Promise<void> {
  const [status, sums, ledger] = await Promise.all([
    callOperator<{ readonly seq: number }>('GET', '/v1/status'),
    callOperator('GET', '/v1/ledger/check'),
    callOperator('GET', '/v1/ledger'),
  ]);
  const proof = { savedAt: new Date().toISOString(), record: status.seq, sums, ledger };
  saveFile(`bourse-proof-${status.seq}.json`, 'application/json', JSON.stringify(proof, null, 2));
}

interface Published {
  readonly id: string;
  readonly record: number;
  readonly time: number;
  readonly currencies: readonly { readonly currency: string; readonly sum: string; readonly root: string }[];
}

/** Published liabilities to users: roots and sums against which each user can verify a proof. */
function Liabilities() {
  const published = useOperatorQuery<Published[]>('/v1/liabilities', REFRESH_MS);
  const { button, dialog } = useActions();
  return (
    <Page
      title="Liabilities"
      about="Users' balances as of a record, signed together with the log. The sums are public at /transparency/liabilities, and each user can get a proof that they include the user's balances."
      actions={button({
        call: 'take-liabilities',
        title: 'Publish liabilities',
        consequence:
          'Builds a tree of all users’ balances per currency, and makes the roots and sums public. Balances do not change.',
      })}
    >
      <Answered query={published} label="the liabilities">
        {(all) => (
          <Table
            label="Published liabilities"
            rows={all.flatMap(({ id, time, currencies }) =>
              currencies.map((each) => ({ ...each, id, time: new Date(time).toISOString() })),
            )}
            rowKey={({ id, currency }) => `${id} ${currency}`}
            empty={<Empty title="Nothing published yet" />}
            columns={[
              { key: 'record', label: 'Record', isFigure: true, cell: ({ id }) => id },
              { key: 'time', label: 'Time', cell: ({ time }) => time },
              { key: 'currency', label: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
              { key: 'sum', label: 'Owed to users', isFigure: true, cell: ({ sum }) => formatExact(sum) },
              { key: 'root', label: 'Root', cell: ({ root }) => <code>{root}</code> },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}

interface Row {
  readonly currency: string;
  readonly liabilities: string | null;
  readonly wallets: string | null;
  readonly difference: string | null;
  readonly at: number | null;
  readonly by: string | null;
}

/** Reconciliation of the exchange's liabilities with the latest reported wallet balances. */
function Reconciliation() {
  const query = useOperatorQuery<readonly Row[]>('/v1/reconciliation', REFRESH_MS);
  const { button, dialog } = useActions();
  return (
    <Page
      title="Reconciliation"
      about="For each currency: the latest reported wallet balance, the exchange's liabilities at that time, and the difference."
      actions={button({
        call: 'report-wallet',
        title: 'Report a wallet balance',
        consequence:
          'Recorded with the exchange’s current liabilities. No balance changes; a later report supersedes it.',
        suggested: { at: Date.now() },
      })}
    >
      <Answered query={query} label="the reconciliation">
        {(rows) => {
          const reported = rows.filter(({ at }) => at !== null);
          return (
            <Table
              label="Liabilities and wallets"
              rows={reported}
              rowKey={({ currency }) => currency}
              empty={<Empty icon="wallet" title="No wallet balance reported yet" />}
              columns={[
                { key: 'currency', label: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
                { key: 'owed', label: 'Owed', amount: ({ liabilities }) => liabilities },
                { key: 'wallets', label: 'In wallets', amount: ({ wallets }) => wallets },
                {
                  key: 'difference',
                  label: 'Difference',
                  isSigned: true,
                  amount: ({ difference }) => difference,
                },
                {
                  key: 'state',
                  label: 'State',
                  cell: ({ difference }) =>
                    difference?.startsWith('-') === true ? (
                      <Badge tone="danger">Wallets hold less</Badge>
                    ) : (
                      <Badge tone="up">Covered</Badge>
                    ),
                },
                { key: 'at', label: 'As of', cell: ({ at }) => timeOf(at ?? 0) },
                { key: 'by', label: 'Reported by', cell: ({ by }) => by || '–' },
              ]}
            />
          );
        }}
      </Answered>
      {dialog}
    </Page>
  );
}

interface Posting {
  readonly system?: string;
  readonly userId?: string;
  readonly account?: string;
  readonly amount: string;
}

interface Correction {
  readonly correctionId: string;
  readonly kind: 'reverse' | 'move';
  readonly currency: string;
  readonly amount: string;
  readonly reverses: Readonly<Record<string, string>> | null;
  readonly reversedBy: string | null;
  readonly postings: readonly Posting[];
}

const SIDES = ['user-main', 'user-trade', 'fees', 'suspense'] as const;

/** Corrections by new postings: moves of money, and reversals. */
function Corrections() {
  const list = useOperatorQuery<{ readonly items: readonly Correction[] }>('/v1/corrections?pageSize=100');
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  const sideOf = ({ system, userId, account }: Posting): string =>
    system !== undefined
      ? valueLabel(system)
      : `${nameOf(userId ?? '')}, ${account === undefined ? '' : valueLabel(account)}`;
  return (
    <Page
      title="Corrections"
      about="A correction adds postings and never edits existing ones. Reverse a deposit or withdrawal on its own page. The newest 100 are shown."
      actions={button(moveMoney())}
    >
      <Answered query={list} label="the corrections">
        {({ items }) => (
          <Table
            label="Corrections made"
            rows={items}
            rowKey={({ correctionId }) => correctionId}
            empty={<Empty icon="wallet" title="No corrections yet" />}
            columns={[
              { key: 'id', label: 'Correction', cell: (row) => <code>{row.correctionId}</code> },
              { key: 'kind', label: 'Kind', cell: (row) => KINDS[row.kind] },
              { key: 'amount', label: 'Amount', amount: (row) => row.amount, unit: (row) => row.currency },
              {
                key: 'postings',
                label: 'Postings',
                cell: ({ postings }) =>
                  postings.map((each) => `${sideOf(each)}: ${each.amount.replace('-', '−')}`).join('; '),
              },
              {
                key: 'of',
                label: 'Reverses',
                cell: ({ reverses }) => (reverses === null ? '–' : Object.values(reverses).join(', ')),
              },
              {
                key: 'state',
                label: 'State',
                cell: ({ reversedBy }) =>
                  reversedBy === null ? (
                    <Badge tone="up">In force</Badge>
                  ) : (
                    <Badge>{`Reversed by ${reversedBy}`}</Badge>
                  ),
              },
              {
                key: 'do',
                label: 'Actions',
                isAction: true,
                cell: (row) => row.reversedBy === null && button(reversalOf(row), 'Reverse'),
              },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}

const KINDS = { reverse: 'Reversal', move: 'Move' } as const;

const reversalOf = ({ correctionId, amount, currency }: Correction): Action => ({
  call: 'correct',
  title: `Reverse ${correctionId}`,
  consequence: `Adds the opposite postings, of ${amount} ${currency}. Rejected if the money was spent. A correction can be reversed once.`,
  given: { kind: 'reverse', correctionId },
  questions: { fields: [], bodyOf: () => ({}) },
  isDangerous: true,
});

/** Each opening gets its own id: if the move is sent again after a lost response, it is booked once. */
const moveMoney = (): Action => ({
  call: 'correct',
  title: 'Move money',
  effect: (body) => <MoveEffect body={body} />,
  consequence: 'Both accounts change together. The correction can be reversed, once.',
  given: { kind: 'move', clientOid: crypto.randomUUID() },
  questions: {
    fields: [
      question('currency', 'text'),
      question('amount', 'text'),
      question('from', 'choice', { choices: SIDES }),
      question('fromUser', 'text', { isRequired: false, hint: 'For MAIN or TRADE of a user.' }),
      question('to', 'choice', { choices: SIDES }),
      question('toUser', 'text', { isRequired: false, hint: 'For MAIN or TRADE of a user.' }),
    ],
    bodyOf: (answers) => ({
      currency: answers.get('currency'),
      amount: answers.get('amount'),
      from: side(answers, 'from'),
      to: side(answers, 'to'),
    }),
  },
});

function side(answers: ReadonlyMap<string, unknown>, end: 'from' | 'to'): object {
  const chosen = String(answers.get(end));
  const user = answers.get(`${end}User`);
  if (!chosen.startsWith('user-')) return { system: chosen };
  if (user === undefined) throw new EntryError(`${end}User`, 'Enter the user who owns the account.');
  return { userId: String(user), account: chosen.slice('user-'.length) };
}

interface StatementProps {
  /** The call's path, below `/operator`. */
  readonly path: string;
  /** The owner's name, for the file name. */
  readonly name: string;
  readonly about: string;
}

const DAY_MS = 86_400_000;

/** Saves the statement of a user or of the house, for complete UTC days. */
export function Statement({ path, name, about }: StatementProps) {
  const [from, setFrom] = useState(() => firstOfMonth(-1));
  const [last, setLast] = useState(() => dayOf(Date.parse(firstOfMonth(0)) - DAY_MS));
  const isPeriod = from !== '' && last !== '' && from <= last;

  const saving = useSending({
    mutationFn: async () => {
      const period = new URLSearchParams({
        from: String(Date.parse(from)),
        until: String(Date.parse(last) + DAY_MS),
        format: 'csv',
      });
      const csv = await callOperator<string>('GET', `${path}?${period}`);
      saveFile(`statement-${name}-${from}-to-${last}.csv`, 'text/csv', csv);
    },
    onError: (error) => {
      const text = error instanceof ApiError ? error.message : 'The exchange did not answer. Try again.';
      showToast('refused', 'No statement was saved', text);
    },
  });

  return (
    <Page title="Statement" about={about}>
      <div className="flex flex-wrap items-end gap-2 p-3">
        <TextField label="First day, UTC" type="date" value={from} onValue={setFrom} className="w-40" />
        <TextField label="Last day, UTC" type="date" value={last} onValue={setLast} className="w-40" />
        <Button size="small" isBusy={saving.isPending} disabled={!isPeriod} onClick={() => saving.mutate()}>
          Save as CSV
        </Button>
        {!isPeriod && <p className="text-xs text-muted">Choose a first day that is not after the last.</p>}
      </div>
    </Page>
  );
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The first day of this month, or of `months` months ago. */
function firstOfMonth(months: number): string {
  const now = new Date();
  return dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
}
