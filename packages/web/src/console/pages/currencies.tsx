/** Currencies, and their chains for deposits and withdrawals. */

import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { Page } from './page.tsx';

interface Chain {
  readonly chainId: string;
  readonly chainName: string;
  readonly isDepositEnabled: boolean;
  readonly isWithdrawEnabled: boolean;
  readonly withdrawalMinSize: string;
  readonly withdrawalMinFee: string;
}

interface Currency {
  readonly currency: string;
  readonly name: string;
  readonly fullName: string;
  readonly precision: number;
  readonly scale: number;
  readonly chains: readonly Chain[];
}

export function Currencies() {
  const currencies = useOperatorQuery<Currency[]>('/v1/currencies');
  const { button, dialog } = useActions();
  return (
    <Page
      title="Currencies"
      about="Code, precision and scale never change. Chains are replaced as a whole."
      actions={button({
        call: 'add-currency',
        title: 'Add a currency',
        consequence: 'The currency is listed for everybody. Its code, precision and scale never change.',
        suggested: { chains: [], isMarginEnabled: false, isDebitEnabled: false },
      })}
    >
      <Answered query={currencies} label="the currencies">
        {(rows) => (
          <Table
            label="Listed currencies"
            rows={rows}
            rowKey={({ currency }) => currency}
            empty={<Empty title="No currencies listed yet" />}
            columns={[
              { key: 'currency', label: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
              { key: 'name', label: 'Name', cell: ({ fullName }) => fullName },
              { key: 'precision', label: 'Precision', isFigure: true, cell: ({ precision }) => precision },
              { key: 'scale', label: 'Scale', isFigure: true, cell: ({ scale }) => scale },
              {
                key: 'chains',
                label: 'Chains',
                cell: ({ chains }) => (
                  <span className="flex flex-wrap gap-1 py-1">
                    {chains.length === 0 && <span className="text-faint">none</span>}
                    {chains.map((chain) => (
                      <ChainBadge key={chain.chainId} chain={chain} />
                    ))}
                  </span>
                ),
              },
              {
                key: 'do',
                label: 'Actions',
                cell: (row) => (
                  <span className="flex gap-1">
                    {button(
                      {
                        call: 'change-currency',
                        title: `Change ${row.currency}`,
                        consequence:
                          'The fields you change apply immediately, for everybody. Chains are replaced as a whole.',
                        given: { currency: row.currency },
                        before: row,
                      },
                      'Change',
                    )}
                    {button(
                      {
                        call: 'remove-currency',
                        title: `Remove ${row.currency}`,
                        consequence:
                          'Removes the currency. Rejected if a market uses it, or anybody has an account or address in it.',
                        given: { currency: row.currency },
                        isDangerous: true,
                      },
                      'Remove',
                    )}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}

function ChainBadge({ chain }: { readonly chain: Chain }) {
  const { chainName, isDepositEnabled, isWithdrawEnabled, withdrawalMinFee } = chain;
  const closed = [!isDepositEnabled && 'no deposits', !isWithdrawEnabled && 'no withdrawals'].filter(Boolean);
  return (
    <Badge tone={closed.length === 0 ? 'neutral' : 'warning'}>
      {chainName}, fee {withdrawalMinFee}
      {closed.length > 0 && `, ${closed.join(', ')}`}
    </Badge>
  );
}
