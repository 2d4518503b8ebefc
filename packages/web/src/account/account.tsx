/** A person's account: security, sessions, keys, the address book and activity. */

import type { ReactNode } from 'react';
import { useLocation, useRoute } from 'wouter';
import { PersonForm } from '../people/person-form.tsx';
import type { PersonInfo } from '../session/identity.ts';
import { usePerson, useRememberedUser } from '../session/person.ts';
import { useSession } from '../session/session.ts';
import { LostBanner, ServiceBanner } from '../shell/connection-state.tsx';
import { Shortcuts } from '../shell/shortcuts.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import { Panel } from '../ui/panel.tsx';
import { SkipLink } from '../ui/skip-link.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { dateTime } from '../ui/times.ts';
import { useUserFeed } from '../user/user-feed.ts';
import { Addresses } from './addresses.tsx';
import { OwnKeys } from './own-keys.tsx';
import { Security } from './security.tsx';
import { Activity, Sessions } from './sessions.tsx';

const none: readonly [] = [];

export default function Account() {
  useUserFeed();
  useRememberedUser();
  const session = useSession();
  const info = usePerson();
  const [, navigate] = useLocation();
  const [, params] = useRoute('/account/:section');
  const content = (show: (info: PersonInfo) => ReactNode): ReactNode => {
    if (session?.isPerson !== true) return <Nobody name={session?.name} />;
    if (info.data !== undefined) return show(info.data);
    if (info.isError) return <Failed error={info.error} onRetry={() => void info.refetch()} />;
    return <Loading label="The account is loading" />;
  };
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink to="content">Skip to the content</SkipLink>
      <Shortcuts shortcuts={none} />
      <TopBar />
      <LostBanner />
      <ServiceBanner />
      {info.data !== undefined && <LockBanner {...info.data} />}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex min-h-0 w-full max-w-6xl flex-1 flex-col p-1.5"
      >
        <h1 className="sr-only">Account</h1>
        <Panel title="Account" isTitleHidden className="flex-1">
          <Tabs
            label="Account"
            value={params?.section ?? 'security'}
            onValue={(section) => navigate(`/account/${section}`)}
            className="h-full flex-1"
            tabs={[
              { value: 'security', label: 'Security', content: content((data) => <Security info={data} />) },
              { value: 'sessions', label: 'Sessions', content: content(() => <Sessions />) },
              { value: 'keys', label: 'Keys', content: content(() => <OwnKeys />) },
              {
                value: 'addresses',
                label: 'Addresses',
                content: content((data) => <Addresses info={data} />),
              },
              { value: 'activity', label: 'Activity', content: content((data) => <Activity info={data} />) },
            ]}
          />
        </Panel>
      </main>
    </div>
  );
}

function LockBanner({ withdrawalsLockedUntil }: PersonInfo) {
  if (withdrawalsLockedUntil === null) return null;
  return (
    <p role="status" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      Withdrawals are locked until {dateTime(withdrawalsLockedUntil)}, because your password, e-mail address
      or second factor changed.
    </p>
  );
}

/** Users of API keys have no account here: published ones of a sandbox, and whoever pasted a key. */
function Nobody({ name }: { readonly name: string | undefined }) {
  return (
    <div className="mx-auto flex max-w-sm flex-col gap-4 p-6">
      <h2 className="text-sm font-semibold">Sign in as a person</h2>
      {name !== undefined && (
        <p className="text-xs text-muted">
          You are signed in as {name} with an API key, which has no password, sessions or address book.
        </p>
      )}
      <PersonForm onDone={() => undefined} />
    </div>
  );
}
