/** A person's account: security, sessions, keys, the address book and activity. */

import type { ReactNode } from 'react';
import type { PersonInfo } from '../session/identity.ts';
import { usePerson, useRememberedUser } from '../session/person.ts';
import { useSession } from '../session/session.ts';
import { PersonForm } from '../session/sign-in.tsx';
import { TabbedPage } from '../shell/page.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { dateTime } from '../ui/text.ts';
import { useUserFeed } from '../user/user-feed.ts';
import { Addresses } from './addresses.tsx';
import { OwnKeys } from './own-keys.tsx';
import { Security } from './security.tsx';
import { Activity, Sessions } from './sessions.tsx';

export default function Account() {
  useUserFeed();
  useRememberedUser();
  const session = useSession();
  const info = usePerson();
  const content = (show: (info: PersonInfo) => ReactNode): ReactNode => {
    if (session?.isPerson !== true) return <Nobody name={session?.name} />;
    if (info.data !== undefined) return show(info.data);
    if (info.isError) return <Failed error={info.error} onRetry={() => void info.refetch()} />;
    return <Loading label="The account is loading" />;
  };
  return (
    <TabbedPage
      title="Account"
      path="/account"
      banner={info.data !== undefined && <LockBanner {...info.data} />}
      tabs={[
        { value: 'security', label: 'Security', content: content((data) => <Security info={data} />) },
        { value: 'sessions', label: 'Sessions', content: content(() => <Sessions />) },
        { value: 'keys', label: 'Keys', content: content(() => <OwnKeys />) },
        { value: 'addresses', label: 'Addresses', content: content((data) => <Addresses info={data} />) },
        { value: 'activity', label: 'Activity', content: content((data) => <Activity info={data} />) },
      ]}
    />
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

/** Shown to users of API keys, who have no account here: a sandbox's published users, and anyone who pasted a key. */
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
