/** Fields of a form: a label, the control, and below it what is wrong or what helps. */

import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { readPasted, stepped } from '../decimal/format.ts';
import { classNames } from './class-names.ts';

const box =
  'w-full rounded-md border bg-raised text-text placeholder:text-faint transition-colors hover:border-line-strong focus-within:border-accent disabled:opacity-60';

interface Described {
  readonly label: string;
  /** What is wrong with the value; it is announced, and the control is marked invalid. */
  readonly error?: ReactNode;
  readonly hint?: ReactNode;
  /** The label is there for screen readers only. */
  readonly isLabelHidden?: boolean;
}

interface FrameProps extends Described {
  readonly id: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

function Frame({ id, label, error, hint, isLabelHidden = false, className, children }: FrameProps) {
  const hasError = error !== undefined && error !== null && error !== '';
  return (
    <div className={classNames('min-w-0', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block text-xs text-muted'}>
        {label}
      </label>
      {children}
      <div id={`${id}-about`} aria-live="polite" className="text-xs leading-4">
        {hasError ? (
          <p className="mt-1 text-danger">{error}</p>
        ) : (
          hint !== undefined && hint !== '' && <p className="mt-1 text-faint">{hint}</p>
        )}
      </div>
    </div>
  );
}

export interface TextFieldProps extends Described, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly onValue?: (value: string) => void;
  /** At the end of the box: a unit or a small button. */
  readonly suffix?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  error,
  hint,
  isLabelHidden = false,
  onValue,
  suffix,
  className,
  ref,
  ...input
}: TextFieldProps) {
  const ownId = useId();
  const id = input.id ?? ownId;
  const isInvalid = error !== undefined && error !== null && error !== '';
  return (
    <Frame {...{ id, label, error, hint, isLabelHidden, className }}>
      <div className={classNames(box, 'flex h-8 items-center', isInvalid ? 'border-danger' : 'border-line')}>
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          ref={ref}
          id={id}
          aria-invalid={isInvalid}
          aria-describedby={`${id}-about`}
          onChange={(event) => onValue?.(event.target.value)}
          className="h-full w-full min-w-0 bg-transparent px-2.5 outline-none"
        />
        {suffix !== undefined && (
          <span className="flex shrink-0 items-center gap-1 pr-2.5 text-xs text-faint">{suffix}</span>
        )}
      </div>
    </Frame>
  );
}

export interface AreaFieldProps
  extends Described,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  readonly onValue?: (value: string) => void;
}

export function AreaField({
  label,
  error,
  hint,
  isLabelHidden = false,
  onValue,
  className,
  ...area
}: AreaFieldProps) {
  const ownId = useId();
  const id = area.id ?? ownId;
  const isInvalid = error !== undefined && error !== null && error !== '';
  return (
    <Frame {...{ id, label, error, hint, isLabelHidden, className }}>
      <textarea
        spellCheck={false}
        {...area}
        id={id}
        aria-invalid={isInvalid}
        aria-describedby={`${id}-about`}
        onChange={(event) => onValue?.(event.target.value)}
        className={classNames(
          box,
          'min-h-20 px-2.5 py-1.5 font-mono text-xs',
          isInvalid ? 'border-danger' : 'border-line',
        )}
      />
    </Frame>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface SelectFieldProps
  extends Described,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly choices: readonly Choice[];
  readonly onValue?: (value: string) => void;
}

/** The platform's own list: it is good with keyboard, screen reader and thumb. */
export function SelectField({
  label,
  error,
  hint,
  isLabelHidden = false,
  choices,
  onValue,
  className,
  ...select
}: SelectFieldProps) {
  const ownId = useId();
  const id = select.id ?? ownId;
  return (
    <Frame {...{ id, label, error, hint, isLabelHidden, className }}>
      <select
        {...select}
        id={id}
        aria-describedby={`${id}-about`}
        onChange={(event) => onValue?.(event.target.value)}
        className={classNames(box, 'h-8 border-line px-2')}
      >
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

interface CheckboxProps {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
  readonly hint?: string;
}

/** A box to tick, with its label and, where needed, why it cannot be ticked. */
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

interface DecimalFieldProps extends Omit<TextFieldProps, 'inputMode' | 'value' | 'onValue' | 'step'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What an arrow key adds; with shift ten times as much. */
  readonly step?: string | undefined;
  /** Where an arrow key begins while the field is empty. */
  readonly from?: string | null | undefined;
}

const SHIFT_STEPS = 10;

/** A field for a decimal: pasted separators are understood, and the arrow keys go up and down by the increment. */
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
