/** The frame of a console page: heading with actions, introduction, content. */

import type { ReactNode } from 'react';
import { Panel } from '../../ui/panel.tsx';
import { classNames } from '../../ui/text.ts';

export interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, about, actions, children }: PageProps) {
  return (
    <Panel title={title} aside={<span className="flex shrink-0 gap-2">{actions}</span>}>
      {about !== undefined && <p className="border-b border-line px-3 py-2 text-xs text-muted">{about}</p>}
      <div className="min-h-0 overflow-auto">{children}</div>
    </Panel>
  );
}

interface Total {
  readonly name: string;
  readonly count: number;
  /** A count above 0 is highlighted. */
  readonly isWarning?: boolean;
}

/** Totals at the top of a page; highlights those that need attention. */
export function Totals({ label, totals }: { readonly label: string; readonly totals: readonly Total[] }) {
  return (
    <dl aria-label={label} className="flex flex-wrap gap-x-8 gap-y-2 border-b border-line px-3 py-2.5">
      {totals.map(({ name, count, isWarning = false }) => (
        <div key={name}>
          <dt className="text-xs text-muted">{name}</dt>
          <dd className={classNames('text-base font-semibold', isWarning && count > 0 && 'text-warning')}>
            {count.toLocaleString('en')}
          </dd>
        </div>
      ))}
    </dl>
  );
}
