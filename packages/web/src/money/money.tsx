/** Money: balances, transfers, deposits, withdrawals, sub-accounts and their keys, and every change of a balance. */

import { lazy, type ReactNode, Suspense } from 'react';
import { useSearchParams } from 'wouter';
import { useRememberedUser } from '../session/person.ts';
import { useIsSandbox } from '../session/sandbox.ts';
import { useSession } from '../session/session.ts';
import { SignInButton } from '../session/sign-in.tsx';
import { TabbedPage } from '../shell/page.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { useUserFeed } from '../user/user-feed.ts';
import { BalanceTable } from './balance-table.tsx';
import { Deposits } from './deposits.tsx';
import { Ledger } from './ledger.tsx';
import { SubAccounts } from './sub-accounts.tsx';
import { Transfers } from './transfers.tsx';
import { Withdrawals } from './withdrawals.tsx';

/** Lazy, because it loads the chart library. */
const Portfolio = lazy(() => import('./portfolio.tsx'));

export default function Money() {
  useUserFeed();
  useRememberedUser();
  const session = useSession();
  const isSandbox = useIsSandbox();
  const [search] = useSearchParams();
  const currency = search.get('currency') ?? '';
  const content = (shown: ReactNode): ReactNode =>
    session === null ? (
      <Empty icon="wallet" title="You are not signed in">
        <p className="mb-3">Sign in to see your balances, deposits and withdrawals.</p>
        <SignInButton />
      </Empty>
    ) : (
      shown
    );
  return (
    <TabbedPage
      title="Money"
      path="/money"
      tabs={[
        { value: 'balances', label: 'Balances', content: content(<BalanceTable />) },
        // Only a sandbox has reports.
        ...(isSandbox === true
          ? [
              {
                value: 'portfolio',
                label: 'Portfolio',
                content: content(
                  <Suspense fallback={<Loading label="The portfolio is loading" />}>
                    <Portfolio user={session?.name ?? ''} />
                  </Suspense>,
                ),
              },
            ]
          : []),
        {
          value: 'transfer',
          label: 'Transfer',
          content: content(<Transfers key={currency} currency={currency} />),
        },
        {
          value: 'deposit',
          label: 'Deposit',
          content: content(<Deposits key={currency} currency={currency} />),
        },
        {
          value: 'withdraw',
          label: 'Withdraw',
          content: content(<Withdrawals key={currency} currency={currency} />),
        },
        { value: 'sub-accounts', label: 'Sub-accounts', content: content(<SubAccounts />) },
        { value: 'ledger', label: 'Ledger', content: content(<Ledger />) },
      ]}
    />
  );
}
