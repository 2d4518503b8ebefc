/** A part of a panel of the drawer. */

import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, about, children }: SectionProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-b border-line p-4 last:border-0">
      <h3 className="font-semibold">{title}</h3>
      {about !== undefined && <p className="text-xs text-muted">{about}</p>}
      {children}
    </section>
  );
}
