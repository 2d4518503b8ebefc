/** The line above the console: where it is, who is at work, and what belongs to every page. */

import { Link } from 'wouter';
import { SandboxButton } from '../sandbox/sandbox-button.tsx';
import { ConnectionState } from '../shell/connection-state.tsx';
import { PreferencesMenu } from '../shell/preferences-menu.tsx';
import { Logo } from '../shell/top-bar.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { type Operator, signOut } from './operator/operator.ts';

const rolesOf = ({ id, roles }: Operator): string => (id === 'root' ? 'root: all roles' : roles.join(', '));

export function ConsoleHeader({ operator }: { readonly operator: Operator | null }) {
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b border-line bg-panel px-3">
      <Logo />
      <h1 className="font-semibold tracking-tight">Console</h1>
      <nav aria-label="Pages" className="flex items-center gap-3 text-muted max-sm:hidden">
        <Link href="/" className="hover:text-text">
          Terminal
        </Link>
        <a href="/docs" className="hover:text-text">
          Docs
        </a>
      </nav>
      <div className="ml-auto flex min-w-0 items-center gap-1">
        {operator !== null && (
          <section aria-label="Signed in" className="mr-2 flex min-w-0 items-center gap-2 text-xs">
            {!operator.mayChange && <Badge tone="warning">read only</Badge>}
            <p className="min-w-0 text-right leading-4">
              <span className="sr-only">Audit trail name: </span>
              <strong className="block truncate font-medium">{operator.name}</strong>
              <span className="block truncate text-2xs text-muted" title={operator.roles.join(', ')}>
                {rolesOf(operator)}
              </span>
            </p>
          </section>
        )}
        <ConnectionState />
        <SandboxButton />
        <PreferencesMenu />
        {operator !== null && <IconButton icon="exit" label="Sign out" onClick={signOut} />}
      </div>
    </header>
  );
}
