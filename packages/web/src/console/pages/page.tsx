/** A page of the console: its heading with what can be done, a sentence about it, and what it lists. */

import type { ReactNode } from 'react';
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
