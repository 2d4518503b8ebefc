/** Reconciliation of the exchange's liabilities with the latest reported wallet balances. */

import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { timeOf } from '../operator/time.ts';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface Row {
  readonly currency: string;
  readonly liabilities: string | null;
  readonly wallets: string | null;
  readonly difference: string | null;
  readonly at: number | null;
  readonly by: string | null;
}

const REFRESH_MS = 15_000;

export function Reconciliation() {
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
