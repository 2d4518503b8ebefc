/** Money: balances, transfers, deposits, withdrawals, sub-accounts and their keys, and every change of a balance. */

import { lazy, type ReactNode, Suspense } from 'react';
import { useLocation, useRoute, useSearchParams } from 'wouter';
import { useRememberedUser } from '../session/person.ts';
import { useSession } from '../session/session.ts';
import { useIsSandbox } from '../session/sandbox.ts';
import { SignInButton } from '../session/sign-in.tsx';
import { LostBanner, ServiceBanner } from '../shell/connection-state.tsx';
import { Shortcuts } from '../shell/shortcuts.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import { Panel } from '../ui/panel.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { SkipLink } from '../ui/skip-link.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useUserFeed } from '../user/user-feed.ts';
import { BalanceTable } from './balance-table.tsx';
import { Deposits } from './deposits.tsx';
import { Ledger } from './ledger.tsx';
import { SubAccounts } from './sub-accounts.tsx';
import { Transfers } from './transfers.tsx';
import { Withdrawals } from './withdrawals.tsx';

/** Brings the library of its chart. */
const Portfolio = lazy(() => import('./portfolio.tsx'));

const none: readonly [] = [];

export default function Money() {
  useUserFeed();
  useRememberedUser();
  const session = useSession();
  const isSandbox = useIsSandbox();
  const [, navigate] = useLocation();
  const [, params] = useRoute('/money/:section');
  const [search] = useSearchParams();
  const currency = search.get('currency') ?? '';
  const content = (shown: ReactNode): ReactNode =>
    session === null ? (
      <Empty icon="wallet" title="You are not signed in">
        <p className="mb-3">Balances, deposits and withdrawals are a user's own.</p>
        <SignInButton />
      </Empty>
    ) : (
      shown
    );
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink to="content">Skip to the content</SkipLink>
      <Shortcuts shortcuts={none} />
      <TopBar />
      <LostBanner />
      <ServiceBanner />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex min-h-0 w-full max-w-6xl flex-1 flex-col p-1.5"
      >
        <h1 className="sr-only">Money</h1>
        <Panel title="Money" isTitleHidden className="flex-1">
          <Tabs
            label="Money"
            value={params?.section ?? 'balances'}
            onValue={(section) => navigate(`/money/${section}`)}
            className="h-full flex-1"
            tabs={[
              { value: 'balances', label: 'Balances', content: content(<BalanceTable />) },
              // A venue has no report of a user.
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
        </Panel>
      </main>
    </div>
  );
}
