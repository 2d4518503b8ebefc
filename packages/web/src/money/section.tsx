/** One form with what belongs to it: side by side where there is room. */

import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, about, children }: SectionProps) {
  return (
    <div className="border-b border-line p-4 last:border-0">
      <h2 className="text-sm font-semibold">{title}</h2>
      {about !== undefined && <p className="mt-0.5 max-w-prose text-xs text-muted">{about}</p>}
      <div className="mt-3">{children}</div>
    </div>
  );
}
