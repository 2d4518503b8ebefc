/**
 * A place's actions: buttons that open one, and the dialog that it runs in. Whoever may only read gets no buttons; what the
 * operator's roles do not allow is disabled and says which roles have it.
 */

import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { useCalls } from '../operator/calls.ts';
import { useOperator } from '../operator/operator.ts';
import { anyOf } from '../words.ts';
import type { Action } from './action.ts';
import { ActionDialog } from './action-dialog.tsx';

export interface Actions {
  /** `name` is what the button says, where the title would be too long; nothing where nothing may be changed. */
  readonly button: (action: Action, name?: string) => ReactNode;
  /** Renders the action as a menu item. */
  readonly item: (action: Action, name?: string) => ReactNode;
  readonly mayChange: boolean;
  readonly dialog: ReactNode;
}

export function useActions(): Actions {
  const [action, setAction] = useState<Action | null>(null);
  const operator = useOperator();
  const calls = useCalls();
  return {
    button: (each, name = each.title) => {
      if (operator?.mayChange !== true) return null;
      const isAllowed = operator.calls.includes(each.call);
      const title = isAllowed ? each.title : `${each.title}: ${lacking(calls?.get(each.call)?.roles)}`;
      return (
        <Button
          key={each.title}
          size="small"
          kind={name === each.title ? 'neutral' : 'quiet'}
          aria-label={title}
          title={title}
          disabled={!isAllowed}
          onClick={() => setAction(each)}
        >
          {name}
        </Button>
      );
    },
    item: (each, name = each.title) => {
      const isAllowed = operator?.calls.includes(each.call) === true;
      return (
        <MenuItem key={each.title} isDisabled={!isAllowed} onSelect={() => setAction(each)}>
          {isAllowed ? name : `${name}: ${lacking(calls?.get(each.call)?.roles)}`}
        </MenuItem>
      );
    },
    mayChange: operator?.mayChange === true,
    dialog: <ActionDialog action={action} onClose={() => setAction(null)} />,
  };
}

export const lacking = (roles: readonly string[] = []): string => `only for ${anyOf(roles)}`;
