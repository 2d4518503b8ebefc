/** The bar above both parts of the terminal: where one is, whether the exchange can be reached, preferences, and who one is. */

import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { classNames } from '../ui/class-names.ts';
import { useIsSandbox } from '../session/sandbox.ts';
import { SandboxButton } from '../sandbox/sandbox-button.tsx';
import { ConnectionState } from './connection-state.tsx';
import { NotificationButton } from './notification-button.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import { UserMenu } from './user-menu.tsx';

export interface TopBarProps {
  readonly children?: ReactNode;
}

export function TopBar({ children }: TopBarProps) {
  const isSandbox = useIsSandbox();
  return (
    <header className="flex h-11 shrink-0 items-center gap-x-4 max-sm:gap-x-2 border-b border-line bg-panel px-3">
      <Link
        href="/"
        aria-label="Bourse, to the terminal"
        className="flex h-11 items-center gap-2 font-semibold tracking-tight max-sm:hidden"
      >
        <Logo />
        <span className="max-sm:sr-only">Bourse</span>
      </Link>
      <nav aria-label="Pages" className="flex h-11 min-w-0 items-stretch gap-0.5 max-md:scroll-cue">
        <Page href="/" isHere={(path) => path === '/' || path.startsWith('/trade')}>
          Trade
        </Page>
        <Page href="/money" isHere={(path) => path.startsWith('/money')}>
          Money
        </Page>
        {isSandbox === true && (
          <Page href="/report" isHere={(path) => path.startsWith('/report')}>
            Report
          </Page>
        )}
        <a href="/docs" className="flex items-center px-2 text-muted hover:text-text max-sm:px-1.5">
          Docs
        </a>
      </nav>
      {children}
      <div className="ml-auto flex h-11 shrink-0 items-center gap-1">
        <ConnectionState />
        <SandboxButton />
        <NotificationButton />
        <PreferencesMenu />
        <UserMenu />
      </div>
    </header>
  );
}

interface PageProps {
  readonly href: string;
  readonly isHere: (path: string) => boolean;
  readonly children: ReactNode;
}

function Page({ href, isHere, children }: PageProps) {
  const [path] = useLocation();
  const here = isHere(path);
  return (
    <Link
      href={href}
      aria-current={here ? 'page' : undefined}
      className={classNames(
        'flex items-center px-2 hover:text-text max-sm:px-1.5',
        here ? 'font-medium text-text' : 'text-muted',
      )}
    >
      {children}
    </Link>
  );
}

export function Logo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5">
      <path d="M6 3v14M4 6.5h4v6H4z" className="fill-up stroke-up" strokeWidth="1.4" strokeLinejoin="round" />
      <path
        d="M14 2v15M12 5h4v7h-4z"
        className="fill-down stroke-down"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
    </svg>
  );
}
