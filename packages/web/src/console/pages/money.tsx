/** Money health: every currency in its parts, which sum to nothing; and the proof of it as a file. */

import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import { saveFile } from '../files/save-file.ts';
import { Answered } from '../operator/answered.tsx';
import { callOperator } from '../operator/operator.ts';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { Corrections } from './corrections.tsx';
import { Liabilities } from './liabilities.tsx';
import { Page } from './page.tsx';
import { Reconciliation } from './reconciliation.tsx';
import { Statement } from './statement.tsx';
import { Waiting } from './waiting.tsx';

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

/** It looks at every account, and nobody is served meanwhile: so it is asked for seldom. */
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
