/** A part of the page that scrolls by itself. It takes the focus, so that the keyboard scrolls it too. */

import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface ScrolledProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Scrolled({ label, className, children }: ScrolledProps) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className={classNames('relative overflow-auto focus-visible:-outline-offset-2', className)}
    >
      {children}
    </div>
  );
}
