/** The console for operators: all functions of the operator API, by subject. */

import { lazy, Suspense, useEffect } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { SandboxButton } from '../sandbox/sandbox-button.tsx';
import { ConnectionState, LostBanner } from '../shell/connection-state.tsx';
import { Logo, PreferencesMenu } from '../shell/top-bar.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Badge, Loading } from '../ui/states.tsx';
import { classNames } from '../ui/text.ts';
import { continueAsPerson, type Operator, signOut, useOperator } from './operator/operator.ts';
import { SignIn } from './operator/sign-in.tsx';
import { Audit } from './pages/audit.tsx';
import { Cluster } from './pages/cluster.tsx';
import { Currencies } from './pages/currencies.tsx';
import { Deposits } from './pages/deposits.tsx';
import { Fees } from './pages/fees.tsx';
import { Interface } from './pages/interface.tsx';
import { Markets } from './pages/markets.tsx';
import { Money } from './pages/money.tsx';
import { QuestionnairePage } from './pages/questionnaires.tsx';
import { User } from './pages/user.tsx';
import { Users } from './pages/users.tsx';
import { Withdrawals } from './pages/withdrawals.tsx';
import { PLACES } from './places.ts';
import { awaits, useOpenProposals } from './proposals/proposal.ts';

const PROPOSALS = '/console/proposals';

/** Lazy, because it loads the chart library. */
const Overview = lazy(() => import('./pages/overview.tsx'));
const Operators = lazy(() => import('./pages/operators.tsx'));
const PolicyPage = lazy(() => import('./pages/policy.tsx'));
const Proposals = lazy(() => import('./pages/proposals.tsx'));

export default function Console() {
  const operator = useOperator();
  useEffect(() => void continueAsPerson(), []);
  return (
    <div className="flex min-h-dvh flex-col">
      <ConsoleHeader operator={operator} />
      <LostBanner />
      {operator === null && <SignIn />}
      {operator !== null && !mayRead(operator) && <NotForYou roles={operator.roles} />}
      {operator !== null && mayRead(operator) && (
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <Navigation operator={operator} />
          <main className="@container min-w-0 flex-1 p-3 lg:p-4">
            <Suspense fallback={<Loading label="Loading" />}>
              <Switch>
                <Route path="/console" component={Overview} />
                <Route path="/console/money" component={Money} />
                <Route path="/console/markets" component={Markets} />
                <Route path="/console/currencies" component={Currencies} />
                <Route path="/console/fees" component={Fees} />
                <Route path="/console/users" component={Users} />
                <Route path="/console/users/:userId">{({ userId }) => <User userId={userId} />}</Route>
                <Route path="/console/deposits" component={Deposits} />
                <Route path="/console/deposits/questionnaires/:orderId">
                  {({ orderId }) => <QuestionnairePage orderId={orderId} />}
                </Route>
                <Route path="/console/withdrawals" component={Withdrawals} />
                <Route path="/console/cluster" component={Cluster} />
                <Route path="/console/proposals/:proposalId?" component={Proposals} />
                <Route path="/console/policy" component={PolicyPage} />
                <Route path="/console/operators" component={Operators} />
                <Route path="/console/audit" component={Audit} />
                <Route path="/console/interface" component={Interface} />
                <Route>
                  <Redirect to="/console" replace />
                </Route>
              </Switch>
            </Suspense>
          </main>
        </div>
      )}
    </div>
  );
}

/** The custodian's programs have no page here: each rejected query would be an entry of the audit trail. */
const mayRead = ({ calls }: Operator): boolean => calls.includes('list-proposals');

function NotForYou({ roles }: Pick<Operator, 'roles'>) {
  return (
    <main className="p-3">
      <p role="alert" className="rounded-md bg-warning-tint px-3 py-2 text-xs text-warning">
        The console is for operators who may read. Your roles may not: {roles.join(', ')}.
      </p>
    </main>
  );
}

/** The number of proposals that this operator can decide. */
function Waiting({ operator }: { readonly operator: Operator }) {
  const { data = [] } = useOpenProposals();
  const count = data.filter((each) => awaits(each, operator)).length;
  return count > 0 && <Badge tone="warning">{`${count} for you`}</Badge>;
}

function Navigation({ operator }: { readonly operator: Operator }) {
  const [location] = useLocation();
  const isHere = (path: string): boolean =>
    location === path || (path !== '/console' && location.startsWith(`${path}/`));
  return (
    <nav
      aria-label="Console"
      className="flex shrink-0 gap-0.5 border-b border-line bg-panel p-2 max-lg:scroll-cue lg:w-48 lg:flex-col lg:border-r lg:border-b-0"
    >
      {PLACES.map(({ path, title, icon }) => (
        <Link
          key={path}
          href={path}
          aria-current={isHere(path) ? 'page' : undefined}
          className={classNames(
            'flex h-8 shrink-0 items-center gap-2 rounded-md px-2.5 font-medium whitespace-nowrap',
            isHere(path) ? 'bg-hover text-text' : 'text-muted hover:bg-hover hover:text-text',
          )}
        >
          <Icon name={icon} />
          {title}
          {path === PROPOSALS && <Waiting operator={operator} />}
        </Link>
      ))}
    </nav>
  );
}

const rolesOf = ({ id, roles }: Operator): string => (id === 'root' ? 'root: all roles' : roles.join(', '));

/** The console's header: navigation, the operator, and the preferences. */
function ConsoleHeader({ operator }: { readonly operator: Operator | null }) {
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b border-line bg-panel px-3">
      <Logo />
      <h1 className="font-semibold tracking-tight">Console</h1>
      <nav aria-label="Pages" className="flex items-center gap-3 text-muted max-sm:hidden">
        <Link href="/" className="hover:text-text">
          Terminal
        </Link>
        <a href="/docs" className="hover:text-text">
          Docs
        </a>
      </nav>
      <div className="ml-auto flex min-w-0 items-center gap-1">
        {operator !== null && (
          <section aria-label="Signed in" className="mr-2 flex min-w-0 items-center gap-2 text-xs">
            {!operator.mayChange && <Badge tone="warning">read only</Badge>}
            <p className="min-w-0 text-right leading-4">
              <span className="sr-only">Audit trail name: </span>
              <strong className="block truncate font-medium">{operator.name}</strong>
              <span className="block truncate text-2xs text-muted" title={operator.roles.join(', ')}>
                {rolesOf(operator)}
              </span>
            </p>
          </section>
        )}
        <ConnectionState />
        <SandboxButton />
        <PreferencesMenu />
        {operator !== null && <IconButton icon="exit" label="Sign out" onClick={signOut} />}
      </div>
    </header>
  );
}
