/** The mailbox of the sandbox: what it would have sent to people. */

import { useState } from 'react';
import { TextField } from '../ui/field.tsx';
import { MailList } from './mail-list.tsx';
import { Section } from './section.tsx';

export function MailPanel() {
  const [to, setTo] = useState('');
  return (
    <Section
      title="Mailbox"
      about="What this sandbox would send to people, newest first. With the setting smtpUrl it sends them instead."
    >
      <TextField
        label="Only to this address"
        type="email"
        value={to}
        onValue={setTo}
        hint="Empty: everybody's mails."
      />
      <MailList to={to.trim()} />
    </Section>
  );
}
