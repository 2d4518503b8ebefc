/** The mailbox of the sandbox: the mails it would have sent. */

import { useState } from 'react';
import { TextField } from '../ui/field.tsx';
import { MailList } from './mail-list.tsx';
import { Section } from './section.tsx';

export function MailPanel() {
  const [to, setTo] = useState('');
  return (
    <Section
      title="Mailbox"
      about="Mails of this sandbox, newest first. With the setting smtpUrl they are sent instead."
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
