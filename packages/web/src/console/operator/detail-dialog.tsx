/** One thing as the operator's interface shows it, asked for when it is looked at. */

import { Dialog } from '../../ui/dialog.tsx';
import { labelOf } from '../words.ts';
import { visible } from '../../ui/visible.ts';
import { Answered } from './answered.tsx';
import { useOperatorQuery } from './use-operator-query.ts';

export interface DetailDialogProps {
  readonly title: string;
  /** Below `/operator`. */
  readonly path: string;
  readonly onClose: () => void;
}

export function DetailDialog({ title, path, onClose }: DetailDialogProps) {
  const query = useOperatorQuery<Readonly<Record<string, unknown>>>(path);
  return (
    <Dialog isOpen onOpen={(isOpen) => !isOpen && onClose()} title={title}>
      <Answered query={query} label={title}>
        {(answer) => (
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-xs">
            {Object.entries(answer).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{labelOf(name)}</dt>
                <dd className="min-w-0 break-words whitespace-pre-wrap">{textOf(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </Answered>
    </Dialog>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === '') return '–';
  return visible(typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value));
}
