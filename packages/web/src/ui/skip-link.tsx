/** The first stop of the tab key: leads past everything that is the same on every page. */

import type { ReactNode } from 'react';

export interface SkipLinkProps {
  /** The id of what it leads to; it is always there. */
  readonly to: string;
  /** The id of what it leads to instead where that is shown, or as soon as it is. */
  readonly preferred?: string;
  readonly children: ReactNode;
}

/** Where `preferred` is not drawn yet, `to` has the focus until it is, unless the user goes on before. */
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
