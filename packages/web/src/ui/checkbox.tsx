/** A box to tick, with its label and, where needed, why it cannot be ticked. */

import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface CheckboxProps {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
  readonly hint?: string;
}

export function Checkbox({ label, isChecked, onChecked, isDisabled = false, hint = '' }: CheckboxProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      title={hint || undefined}
      className={classNames(
        'inline-flex items-center gap-1.5 text-xs',
        isDisabled ? 'text-faint' : 'text-muted',
      )}
    >
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChecked(event.target.checked)}
        className="size-3.5 accent-accent-fill"
      />
      {label}
    </label>
  );
}
