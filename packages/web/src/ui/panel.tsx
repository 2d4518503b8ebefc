/** What the page is made of: surfaces with a heading, and parts that scroll. */

import type { CSSProperties, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface PanelProps {
  readonly title: string;
  /** The heading is there for screen readers only. */
  readonly isTitleHidden?: boolean;
  /** At the end of the heading's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  readonly style?: CSSProperties;
}

export function Panel({ title, isTitleHidden = false, aside, children, className, style }: PanelProps) {
  return (
    <section
      aria-label={title}
      style={style}
      className={classNames(
        'flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-panel',
        className,
      )}
    >
      {isTitleHidden ? (
        <h2 className="sr-only">{title}</h2>
      ) : (
        <header className="flex h-9 shrink-0 items-center justify-between gap-2 border-b border-line px-3">
          <h2 className="font-medium">{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}

interface ScrolledProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A part of the page that scrolls by itself. It takes the focus, so that the keyboard scrolls it too. */
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
