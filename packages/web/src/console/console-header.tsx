/** The line above the console: where it is, who is at work, and what belongs to every page. */

import { Link } from 'wouter';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { SandboxButton } from '../sandbox/sandbox-button.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { type Operator, signOut } from './operator/operator.ts';

export function ConsoleHeader({ operator }: { readonly operator: Operator | null }) {
  const { theme } = usePreferences();
  const isLight = theme === 'light';
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-panel px-3">
      <h1 className="text-sm font-semibold">
        Bourse <span className="font-normal text-muted">console</span>
      </h1>
      <Link href="/" className="text-xs text-muted hover:text-text">
        Terminal
      </Link>
      <a href="/docs" className="text-xs text-muted hover:text-text">
        Docs
      </a>
      <span className="flex-1" />
      {operator !== null && (
        <p className="flex min-w-0 items-center gap-2 text-xs">
          <span className="hidden text-muted sm:inline">In the audit trail you are</span>
          <strong className="truncate font-medium">{operator.name}</strong>
          {!operator.mayChange && <Badge tone="warning">read only</Badge>}
        </p>
      )}
      <SandboxButton />
      <IconButton
        icon={isLight ? 'moon' : 'sun'}
        label={isLight ? 'Dark theme' : 'Light theme'}
        onClick={() => setPreferences({ theme: isLight ? 'dark' : 'light' })}
      />
      {operator !== null && <IconButton icon="exit" label="Sign out" onClick={signOut} />}
    </header>
  );
}
