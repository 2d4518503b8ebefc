/** Money health: every currency in its parts, which sum to nothing; and the proof of it as a file. */

import { formatExact } from '../../decimal/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/saved-file.ts';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { callOperator } from '../operator/operator.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { timeOf } from '../words.ts';
import { Corrections } from './corrections.tsx';
import { Page } from './page.tsx';
import { Statement } from './statement.tsx';
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

/** The ledger looks at every account, and nobody is served meanwhile: so all of this is asked for seldom. */
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

/** The sums and their parts, with the record that they are of. */
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
            empty={<Empty title="Nothing was published yet" />}
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
              empty={<Empty icon="wallet" title="No wallet balance was reported yet" />}
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
