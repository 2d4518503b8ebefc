/** The top bar: navigation, connection state, notifications, preferences, and the user's menu. */

import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { usePriceAlerts } from '../exchange/live-tickers.ts';
import { setPreferences, UP_COLOURS } from '../preferences/preferences.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { SandboxButton } from '../sandbox/sandbox-button.tsx';
import { useIsSandbox } from '../session/sandbox.ts';
import { signOut, useSession } from '../session/session.ts';
import { SignInDialog } from '../session/sign-in.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { classNames } from '../ui/text.ts';
import { readToasts, useUnreadToasts } from '../ui/toast.tsx';
import { useUserInfo } from '../user/user-queries.ts';
import { ConnectionState } from './connection-state.tsx';

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

const Notifications = lazy(() => import('./notifications.tsx'));

/** The bell, with the number of unread notifications. Notifications and alerts are loaded lazily. */
function NotificationButton() {
  usePriceAlerts();
  const unread = useUnreadToasts();
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => {
    readToasts();
    setIsOpen(false);
  };
  return (
    <span className="relative">
      <IconButton
        icon="bell"
        label={unread === 0 ? 'Notifications' : `Notifications, ${unread} new`}
        onClick={() => setIsOpen(true)}
      />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0.5 right-0.5 min-w-4 rounded-full bg-accent-fill px-1 text-center text-2xs leading-4 font-medium text-white"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
      {isOpen && (
        <Suspense>
          <Notifications onClose={close} />
        </Suspense>
      )}
    </span>
  );
}

/** The signed-in user, the permissions of the key, and a switch to another user. */
function UserMenu() {
  const session = useSession();
  const [, navigate] = useLocation();
  const [isSigningIn, setIsSigningIn] = useState(false);
  return (
    <div data-focus-place>
      {session === null ? (
        <Button kind="primary" onClick={() => setIsSigningIn(true)}>
          Sign in
        </Button>
      ) : (
        <Menu
          trigger={
            <Button aria-label={`Signed in as ${session.name}`}>
              <Icon name="user" />
              <span className="max-w-32 truncate max-sm:hidden">{session.name}</span>
              <span className="max-sm:hidden">
                <Icon name="chevronDown" />
              </span>
            </Button>
          }
        >
          <MenuLabel>
            {session.key.isMaster ? 'Master account' : 'Sub-account'}, may:{' '}
            {session.key.permission.replaceAll(',', ', ')}
          </MenuLabel>
          <UserFacts />
          <MenuLine />
          {session.isPerson && (
            <MenuItem onSelect={() => navigate('/account')}>
              <Icon name="shield" /> Account and security
            </MenuItem>
          )}
          <MenuItem onSelect={() => setIsSigningIn(true)}>
            <Icon name="user" /> Switch user
          </MenuItem>
          <MenuItem onSelect={signOut}>
            <Icon name="exit" /> Sign out
          </MenuItem>
        </Menu>
      )}
      <SignInDialog isOpen={isSigningIn} onOpen={setIsSigningIn} />
    </div>
  );
}

/** Rendered only while the menu is open, so its queries run only then. */
function UserFacts() {
  const info = useUserInfo().data;
  if (info === undefined) return null;
  return (
    <MenuLabel>
      Level {info.level}; {info.subQuantity} of at most {info.maxSubQuantity} sub-accounts
    </MenuLabel>
  );
}

const themes = [
  { value: 'system', label: 'Same as the system' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

const downColour = { blue: 'orange', orange: 'blue', green: 'red', red: 'green' } as const;

/** Theme and colours, and the licenses of the libraries. */
export function PreferencesMenu() {
  const { theme, up } = usePreferences();
  return (
    <Menu trigger={<IconButton icon={theme === 'light' ? 'sun' : 'moon'} label="Theme and colours" />}>
      <MenuLabel>Theme</MenuLabel>
      {themes.map(({ value, label }) => (
        <MenuItem key={value} isChosen={theme === value} onSelect={() => setPreferences({ theme: value })}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuLabel>Up and down</MenuLabel>
      {UP_COLOURS.map((colour) => (
        <MenuItem key={colour} isChosen={up === colour} onSelect={() => setPreferences({ up: colour })}>
          Up {colour}, down {downColour[colour]}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => window.open('/licenses.txt', '_blank', 'noopener')}>
        Licenses of the libraries
      </MenuItem>
    </Menu>
  );
}
