/** The first stop of the tab key: leads past everything that is the same on every page. */

import type { ReactNode } from 'react';

export interface SkipLinkProps {
  /** The id of what it leads to; it is always there. */
  readonly to: string;
  /** The id of an element that takes precedence once it is rendered. */
  readonly preferred?: string;
  readonly children: ReactNode;
}

/** Until `preferred` is rendered, `to` has the focus; if the user moves on before, the focus stays there. */
function focusOn(preferred: string, to: string): void {
  const wanted = document.getElementById(preferred);
  const meanwhile = wanted ?? document.getElementById(to);
  if (meanwhile === null) return;
  meanwhile.focus();
  if (wanted !== null) return;
  const observer = new MutationObserver(() => {
    const isLeft = document.activeElement !== meanwhile;
    const drawn = document.getElementById(preferred);
    if (!isLeft && drawn === null) return;
    observer.disconnect();
    if (!isLeft) drawn?.focus();
  });
  observer.observe(meanwhile, { childList: true, subtree: true });
}

export function SkipLink({ to, preferred = to, children }: SkipLinkProps) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault();
        focusOn(preferred, to);
      }}
      className="sr-only focus:not-sr-only focus:absolute focus:top-1 focus:left-1 focus:z-50 focus:rounded-md focus:bg-accent-fill focus:px-3 focus:py-2 focus:text-white"
    >
      {children}
    </a>
  );
}
