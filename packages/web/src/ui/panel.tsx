/** Surfaces with a heading, their sections, and parts that scroll. */

import type { CSSProperties, ReactNode } from 'react';
import { classNames } from './text.ts';

export interface PanelProps {
  readonly title: string;
  /** Shows the heading to screen readers only. */
  readonly isTitleHidden?: boolean;
  /** At the end of the heading row. */
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

/** A part of the page that scrolls by itself. It is focusable, so that the keyboard can scroll it. */
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

export interface SettingSectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** The current state, such as a badge. */
  readonly state?: ReactNode;
  readonly children?: ReactNode;
}

/** One setting: description and state on the left, controls on the right. */
export function SettingSection({ title, about, state, children }: SettingSectionProps) {
  return (
    <section
      aria-label={title}
      className="grid gap-x-8 gap-y-3 border-b border-line p-4 last:border-0 md:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <div>
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-semibold">
          <span>{title}</span> {state}
        </h2>
        {about !== undefined && <div className="mt-1 text-xs text-muted">{about}</div>}
      </div>
      <div className="flex min-w-0 flex-col items-start gap-3">{children}</div>
    </section>
  );
}

export interface FormSectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** A form below its heading. */
export function FormSection({ title, about, children }: FormSectionProps) {
  return (
    <div className="border-b border-line p-4 last:border-0">
      <h2 className="text-sm font-semibold">{title}</h2>
      {about !== undefined && <p className="mt-0.5 max-w-prose text-xs text-muted">{about}</p>}
      <div className="mt-3">{children}</div>
    </div>
  );
}

export interface DrawerSectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the sandbox drawer. */
export function DrawerSection({ title, about, children }: DrawerSectionProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-b border-line p-4 last:border-0">
      <h3 className="font-semibold">{title}</h3>
      {about !== undefined && <p className="text-xs text-muted">{about}</p>}
      {children}
    </section>
  );
}
