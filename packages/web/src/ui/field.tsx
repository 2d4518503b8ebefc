/** Fields of a form: a label, the control, and below it what is wrong or what helps. */

import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
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
