/** The frame of pages before sign-in: one task in a centred panel. */

import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { MailList } from '../sandbox/mail-list.tsx';
import { useIsSandbox } from '../session/sandbox.ts';
import { LostBanner } from '../shell/connection-state.tsx';
import { SkipLink } from '../shell/page.tsx';
import { TopBar } from '../shell/top-bar.tsx';

export interface EntranceProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

export function Entrance({ title, about, children }: EntranceProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink to="content">Skip to the content</SkipLink>
      <TopBar />
      <LostBanner />
      <main
        id="content"
        tabIndex={-1}
        className="flex flex-1 flex-col items-center p-3 focus:outline-none sm:pt-16"
      >
        <div className="w-full max-w-md rounded-xl border border-line bg-panel p-5 sm:p-6">
          <h1 className="text-lg font-semibold">{title}</h1>
          {about !== undefined && <p className="mt-1 text-muted">{about}</p>}
          <div className="mt-5 flex flex-col gap-4">{children}</div>
        </div>
      </main>
    </div>
  );
}

/** Where to look for the mail; in a sandbox, the mail itself. */
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

/**
 * The token of a mail's link. It is removed from the address bar at once, so that it is in no history or shared URL.
 */
export function useLinkToken(): string {
  const [token] = useState(() => {
    const found = new URLSearchParams(location.search).get('token') ?? '';
    if (found !== '') history.replaceState(history.state, '', location.pathname);
    return found;
  });
  return token;
}

/** Shown if the page was opened without the link's token. */
export function NoToken({ again }: { readonly again: string }) {
  return (
    <p className="text-xs text-muted">
      Open the complete link from the mail. Lost it?{' '}
      <Link href={again} className="text-accent hover:underline">
        Request a new one
      </Link>
      .
    </p>
  );
}
