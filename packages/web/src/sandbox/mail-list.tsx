/** Mails that the sandbox keeps instead of sending. Their links lead to pages of this exchange. */

import { Empty, Failed, Loading } from '../ui/states.tsx';
import { listTime, visible } from '../ui/text.ts';
import { useControl } from './control.ts';

export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly time: number;
  readonly links: readonly string[];
}

export interface MailListProps {
  /** An e-mail address; '' for all. */
  readonly to: string;
  /** Only the newest mail. */
  readonly isShort?: boolean;
}

const SHOWN_MAX = 50;

const names: ReadonlyMap<string, string> = new Map([
  ['/verify', 'Confirm the address'],
  ['/reset', 'Set a new password'],
  ['/email', 'Confirm the new address'],
  ['/freeze', 'Freeze the account'],
  ['/sign-in', 'Sign in'],
]);

export function MailList({ to, isShort = false }: MailListProps) {
  const mails = useControl<readonly Mail[]>(to === '' ? '/mail' : `/mail?to=${encodeURIComponent(to)}`);
  if (mails.isError && mails.data === undefined)
    return <Failed error={mails.error} onRetry={() => void mails.refetch()} />;
  if (mails.data === undefined) return <Loading label="Mails are loading" lines={2} />;
  if (mails.data.length === 0) return <Empty icon="mail" title="No mail yet" />;
  return (
    <ul aria-label="Mails" className="flex flex-col gap-2">
      {mails.data.slice(0, isShort ? 1 : SHOWN_MAX).map((mail) => (
        <li key={mail.id} className="rounded-md border border-line bg-raised p-3 text-xs">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <strong className="text-sm font-medium">{visible(mail.subject)}</strong>
            <time className="text-faint">{listTime(mail.time)}</time>
          </p>
          <p className="mb-2 break-all text-faint">to {visible(mail.to)}</p>
          <MailText {...mail} />
        </li>
      ))}
    </ul>
  );
}

/** Only the exchange's own links become clickable: the rest of the text may contain what users wrote. */
function MailText({ text, links }: Mail) {
  return text.split('\n').map((line, at) =>
    links.includes(line) ? (
      <p key={at} className="mb-2">
        <MailLink link={line} />
      </p>
    ) : (
      <p key={at} className="mb-1 break-words text-muted last:mb-0">
        {visible(line)}
      </p>
    ),
  );
}

/** Rewritten to the page's origin, because the exchange may have another public URL configured. */
function MailLink({ link }: { readonly link: string }) {
  const { pathname, search } = new URL(link);
  return (
    <a href={pathname + search} className="font-medium text-accent hover:underline">
      {names.get(pathname) ?? pathname}
    </a>
  );
}
