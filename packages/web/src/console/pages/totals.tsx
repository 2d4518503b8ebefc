/** The first look at a page: how many of each, and which of them need somebody. */

import { classNames } from '../../ui/class-names.ts';

export interface Total {
  readonly name: string;
  readonly count: number;
  /** Above 0 it wants to be looked at. */
  readonly isWarning?: boolean;
}

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
