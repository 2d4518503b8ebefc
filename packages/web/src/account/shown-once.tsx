/** Secrets that the exchange returns only once; dismissing them removes them from the page. */

import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

export interface ShownOnceProps {
  readonly title: string;
  /** Names and values; a name may be ''. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly onDone: () => void;
}

export function ShownOnce({ title, facts, onDone }: ShownOnceProps) {
  const all = facts.map(([name, value]) => (name === '' ? value : `${name}: ${value}`)).join('\n');
  return (
    <div role="status" className="w-full max-w-xl rounded-md bg-warning-tint p-3 text-xs">
      <p className="mb-2 font-medium text-warning">{title}</p>
      <ul className="mb-3 flex flex-col gap-1">
        {facts.map(([name, value]) => (
          <li key={value} className="flex items-center gap-2">
            {name !== '' && <span className="w-20 shrink-0 text-muted">{name}</span>}
            <code className="min-w-0 font-mono break-all">{value}</code>
            {name !== '' && <CopyButton label={name} text={value} />}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" kind="primary" onClick={onDone}>
          I have written it down
        </Button>
        <span className="flex items-center text-muted">
          Copy all <CopyButton label="All" text={all} />
        </span>
      </div>
    </div>
  );
}
