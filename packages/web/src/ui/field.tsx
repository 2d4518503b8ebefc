/** Form fields: label, control, and below it the error or a hint. */

import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { readPasted, stepped } from '../decimal/decimal.ts';
import { classNames } from './text.ts';

const box =
  'w-full rounded-md border bg-raised text-text placeholder:text-faint transition-colors hover:border-line-strong focus-within:border-accent disabled:opacity-60';

interface Described {
  readonly label: string;
  /** The error in the value; announced to screen readers, and the control is marked invalid. */
  readonly error?: ReactNode;
  readonly hint?: ReactNode;
  /** Shows the label to screen readers only. */
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

/** The native select, which works well with keyboard, screen reader and touch. */
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

/** For the state of a field whose value was sent: empties it, unless something else has been typed since. */
export const emptiedAfter =
  (sent: string) =>
  (now: string): string =>
    now === sent ? '' : now;

interface CheckboxProps {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
  readonly hint?: string;
}

/** A checkbox with its label and, if it is disabled, the reason. */
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
  /** The increment of the arrow keys; Shift multiplies it by ten. */
  readonly step?: string | undefined;
  /** The starting value of the arrow keys in an empty field. */
  readonly from?: string | null | undefined;
}

const SHIFT_STEPS = 10;

/** A decimal field: accepts pasted thousands separators, and the arrow keys step by the increment. */
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
      // A change of one character was typed; a longer one was pasted.
      onValue={(text) => onValue(Math.abs(text.length - value.length) > 1 ? readPasted(text) : text.trim())}
    />
  );
}
