/** A place's actions: buttons that open one, and the dialog that it runs in. Who may only read gets no buttons. */

import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useOperator } from '../operator/operator.ts';
import type { Action } from './action.ts';
import { ActionDialog } from './action-dialog.tsx';

export interface Actions {
  /** `name` is what the button says, where the title would be too long; nothing where nothing may be changed. */
  readonly button: (action: Action, name?: string) => ReactNode;
  readonly dialog: ReactNode;
}

export function useActions(): Actions {
  const [action, setAction] = useState<Action | null>(null);
  const operator = useOperator();
  return {
    button: (each, name = each.title) =>
      operator?.mayChange === true && (
        <Button
          key={each.title}
          size="small"
          kind={name === each.title ? 'neutral' : 'quiet'}
          aria-label={each.title}
          title={each.title}
          onClick={() => setAction(each)}
        >
          {name}
        </Button>
      ),
    dialog: <ActionDialog action={action} onClose={() => setAction(null)} />,
  };
}
