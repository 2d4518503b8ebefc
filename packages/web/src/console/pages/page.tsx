/** A page of the console: its heading with what can be done, a sentence about it, and what it lists. */

import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Panel } from '../../ui/panel.tsx';

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
  /** Above 0 it wants to be looked at. */
  readonly isWarning?: boolean;
}

/** The first look at a page: how many of each, and which of them need somebody. */
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
