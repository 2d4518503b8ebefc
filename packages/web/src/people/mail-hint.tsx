/** Where to find a mail; in a sandbox, the mail itself. */

import { MailList } from '../sandbox/mail-list.tsx';
import { useIsSandbox } from '../session/sandbox.ts';

export function MailHint({ to }: { readonly to: string }) {
  if (useIsSandbox() !== true)
    return <p className="text-xs text-muted">Nothing there? Check the spam folder.</p>;
  return (
    <section aria-label="Mailbox of the sandbox">
      <h2 className="mb-2 text-xs text-muted">This is a sandbox. Here is the mail that it would send:</h2>
      <MailList to={to.trim()} isShort />
    </section>
  );
}
