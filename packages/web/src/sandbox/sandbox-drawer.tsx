/** The sandbox drawer: clock, market, users, mail, faults, worlds, requests, assertions. */

import { useState } from 'react';
import { TextField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AssertionPanel } from './assertion-panel.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { FaultPanel } from './fault-panel.tsx';
import { MailList } from './mail-list.tsx';
import { MarketPanel } from './market-panel.tsx';
import { RequestPanel } from './request-panel.tsx';
import { UserPanel } from './user-panel.tsx';
import { WorldPanel } from './world-panel.tsx';

const TABS = [
  { value: 'clock', label: 'Clock', content: <ClockPanel /> },
  { value: 'market', label: 'Market', content: <MarketPanel /> },
  { value: 'users', label: 'Users', content: <UserPanel /> },
  { value: 'mail', label: 'Mail', content: <MailPanel /> },
  { value: 'faults', label: 'Faults', content: <FaultPanel /> },
  { value: 'worlds', label: 'Snapshots', content: <WorldPanel /> },
  { value: 'requests', label: 'Requests', content: <RequestPanel /> },
  { value: 'assertions', label: 'Assertions', content: <AssertionPanel /> },
];

/** Module state, because the drawer is remounted when it docks, undocks or opens. */
let latest = 'clock';

export default function SandboxDrawer() {
  const [tab, setTab] = useState(latest);
  const choose = (next: string): void => {
    latest = next;
    setTab(next);
  };
  return <Tabs label="Sandbox" tabs={TABS} value={tab} onValue={choose} className="-m-4" />;
}

/** The sandbox's mailbox. */
function MailPanel() {
  const [to, setTo] = useState('');
  return (
    <DrawerSection
      title="Mailbox"
      about="Mails of this sandbox, newest first. With the setting smtpUrl they are sent instead."
    >
      <TextField
        label="Only to this address"
        type="email"
        value={to}
        onValue={setTo}
        hint="Empty shows all mails."
      />
      <MailList to={to.trim()} />
    </DrawerSection>
  );
}
