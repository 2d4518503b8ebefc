/** A password, hidden unless the user chooses to show it. */

import { useState } from 'react';
import { TextField, type TextFieldProps } from '../ui/field.tsx';

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'suffix'> {
  /** Tells the browser's password manager whether to fill it in or to propose one. */
  readonly isNew?: boolean;
}

export function PasswordField({ isNew = false, ...field }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      suffix={
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={`Show: ${field.label}`}
          className="text-accent hover:underline"
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}

export const PASSWORD_MIN = 15;
export const PASSWORD_HINT =
  'At least 15 characters of any kind, 10 with a second factor. Four unrelated words are a good one.';
