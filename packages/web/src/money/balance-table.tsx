/** The user's balances in both accounts. The exchange computes the sums: balance is available plus held. */

import type { Account } from '@bourse/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { setPreferences } from '../preferences/preferences.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { Checkbox } from '../ui/field.tsx';
import { Figure } from '../ui/figure.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { useAccounts } from '../user/user-queries.ts';

/** The same for every currency, so that the columns align. A tooltip shows more digits. */
const PLACES = 8;

interface CurrencyRow {
  readonly currency: string;
  readonly main: Account | undefined;
  readonly trade: Account | undefined;
}

export function BalanceTable() {
  const accounts = useAccounts();
  const { isZeroHidden } = usePreferences();
  if (accounts.isError && accounts.data === undefined)
    return <Failed error={accounts.error} onRetry={() => void accounts.refetch()} />;
  if (accounts.data === undefined) return <Loading label="Balances are loading" />;
  const rows = rowsOf(accounts.data).filter(
    ({ main, trade }) =>
      !isZeroHidden || [main, trade].some((each) => each !== undefined && each.balance !== '0'),
  );
  const columns: readonly Column<CurrencyRow>[] = [
    {
      key: 'currency',
      isTitle: true,
      label: 'Currency',
      cell: (row) => <span className="font-medium">{row.currency}</span>,
    },
    {
      key: 'trade',
      label: 'TRADE available',
      isFigure: true,
      cell: (row) => <Figure value={row.trade?.available ?? '0'} places={PLACES} />,
    },
    { key: 'held', label: 'TRADE held', isFigure: true, cell: (row) => <Held amount={row.trade?.holds} /> },
    {
      key: 'main',
      label: 'MAIN available',
      isFigure: true,
      cell: (row) => <Figure value={row.main?.available ?? '0'} places={PLACES} />,
    },
    { key: 'mainHeld', label: 'MAIN held', isFigure: true, cell: (row) => <Held amount={row.main?.holds} /> },
    {
      key: 'actions',
      isAction: true,
      label: <span className="sr-only">Actions</span>,
      cell: (row) => (
        <span className="flex justify-end gap-3">
          {(['transfer', 'deposit', 'withdraw'] as const).map((section) => (
            <Go
              key={section}
              href={`/money/${section}?currency=${row.currency}`}
              name={`${section} ${row.currency}`}
            >
              {section}
            </Go>
          ))}
        </span>
      ),
    },
  ];
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Table
        label="Balances"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.currency}
        className="min-h-0 flex-1"
        empty={
          <Empty icon="wallet" title="No balances yet" className="flex-1">
            <Link href="/money/deposit" className="text-accent underline">
              Create a deposit address
            </Link>
            ; deposits are credited to MAIN.
          </Empty>
        }
      />
      <div className="shrink-0 border-t border-line px-3 py-1.5">
        <Checkbox
          label="Hide zero balances"
          isChecked={isZeroHidden}
          onChecked={(next) => setPreferences({ isZeroHidden: next })}
        />
      </div>
    </div>
  );
}

interface GoProps {
  readonly href: string;
  readonly name: string;
  readonly children: ReactNode;
}

function Go({ href, name, children }: GoProps) {
  return (
    <Link href={href} aria-label={name} className="text-muted capitalize hover:text-text hover:underline">
      {children}
    </Link>
  );
}

function Held({ amount = '0' }: { readonly amount: string | undefined }) {
  return (
    <span className={amount === '0' ? 'text-faint' : ''}>
      <Figure value={amount} places={PLACES} />
    </span>
  );
}

function rowsOf(accounts: readonly Account[]): CurrencyRow[] {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].toSorted();
  const find = (currency: string, type: string): Account | undefined =>
    accounts.find((each) => each.currency === currency && each.type === type);
  return currencies.map((currency) => ({
    currency,
    main: find(currency, 'main'),
    trade: find(currency, 'trade'),
  }));
}
