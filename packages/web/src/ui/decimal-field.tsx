/** A field for a decimal: pasted separators are understood, and the arrow keys go up and down by the increment. */

import type { KeyboardEvent } from 'react';
import { readPasted, stepped } from '../decimal/typed.ts';
import { TextField, type TextFieldProps } from './field.tsx';

export interface DecimalFieldProps extends Omit<TextFieldProps, 'inputMode' | 'value' | 'onValue' | 'step'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What an arrow key adds; with shift ten times as much. */
  readonly step?: string | undefined;
  /** Where an arrow key begins while the field is empty. */
  readonly from?: string | null | undefined;
}

const SHIFT_STEPS = 10;

export function DecimalField({ value, onValue, step, from, ...field }: DecimalFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0 || step === undefined) return;
    event.preventDefault();
    const next = stepped(value || (from ?? '0'), step, direction * (event.shiftKey ? SHIFT_STEPS : 1));
    if (next !== null) onValue(next);
  };
  return (
    <TextField
      {...field}
      inputMode="decimal"
      value={value}
      onKeyDown={onKeyDown}
      // One character more or less was typed; anything longer was pasted.
      onValue={(text) => onValue(Math.abs(text.length - value.length) > 1 ? readPasted(text) : text.trim())}
    />
  );
}
