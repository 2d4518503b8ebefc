/** The first stop of the tab key: leads past everything that is the same on every page. */

import type { ReactNode } from 'react';

export interface SkipLinkProps {
  /** The id of what it leads to; it is always there. */
  readonly to: string;
  /** The id of what it leads to instead where that is shown. */
  readonly preferred?: string;
  readonly children: ReactNode;
}

export function SkipLink({ to, preferred = to, children }: SkipLinkProps) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault();
        (document.getElementById(preferred) ?? document.getElementById(to))?.focus();
      }}
      className="sr-only focus:not-sr-only focus:absolute focus:top-1 focus:left-1 focus:z-50 focus:rounded-md focus:bg-accent-fill focus:px-3 focus:py-2 focus:text-white"
    >
      {children}
    </a>
  );
}
