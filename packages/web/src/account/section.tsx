/** One setting: description and state on the left, controls on the right. */

import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** The current state, such as a badge. */
  readonly state?: ReactNode;
  readonly children?: ReactNode;
}

export function Section({ title, about, state, children }: SectionProps) {
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
