/** One field of an action's form, by its kind. */

import { useId } from 'react';
import { AreaField, SelectField, TextField } from '../../ui/field.tsx';
import { formLabelOf, valueLabel } from '../words.ts';
import type { FormField } from './form-field.ts';
import type { KnownValue } from './known-values.ts';

export interface FieldInputProps {
  readonly field: FormField;
  readonly entry: string;
  readonly onEntry: (entry: string) => void;
  readonly error: string;
  /** What there is to choose from; empty where anything may be typed. */
  readonly known: readonly KnownValue[];
}

export function FieldInput({ field, entry, onEntry, error, known }: FieldInputProps) {
  const { name, kind, isRequired, choices, hint } = field;
  const label = isRequired ? formLabelOf(name) : `${formLabelOf(name)} (optional)`;
  const common = { label, error, hint, value: entry, onValue: onEntry };
  if (kind === 'choice' || kind === 'yes-no') {
    const words = kind === 'choice' ? choices : ['true', 'false'];
    const options = words.map((value) => ({
      value,
      label: kind === 'choice' ? valueLabel(value) : yesNo(value),
    }));
    return <SelectField {...common} choices={[{ value: '', label: '–' }, ...options]} />;
  }
  if (kind === 'several') {
    return <Several name={label} choices={choices} entry={entry} onEntry={onEntry} />;
  }
  if (kind === 'json' || kind === 'lines') {
    const help = kind === 'lines' ? 'one on a line' : 'JSON';
    return <AreaField {...common} hint={help} rows={kind === 'json' ? 8 : 3} className="sm:col-span-2" />;
  }
  if (kind === 'time') return <TextField {...common} type="datetime-local" />;
  if (kind === 'text' && known.length > 0) return <Searched {...common} known={known} />;
  return (
    <TextField
      {...common}
      inputMode={kind === 'integer' ? 'numeric' : kind === 'minutes' ? 'decimal' : 'text'}
    />
  );
}

interface SearchedProps {
  readonly label: string;
  readonly error: string;
  readonly hint: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly known: readonly KnownValue[];
}

/** Typing searches what there is, and choosing fills it in. */
function Searched({ known, ...field }: SearchedProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <TextField {...field} list={id} hint={field.hint || 'Type to search.'} />
      <datalist id={id}>
        {known.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </div>
  );
}

const yesNo = (value: string): string => (value === 'true' ? 'Yes' : 'No');

interface SeveralProps {
  readonly name: string;
  readonly choices: readonly string[];
  readonly entry: string;
  readonly onEntry: (entry: string) => void;
}

function Several({ name, choices, entry, onEntry }: SeveralProps) {
  const chosen = entry.split('\n').filter((line) => line !== '');
  const toggle = (choice: string): void =>
    onEntry(choices.filter((each) => (each === choice) !== chosen.includes(each)).join('\n'));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs text-muted">{name}</legend>
      <div className="flex flex-wrap gap-3 py-1">
        {choices.map((choice) => (
          <label key={choice} className="inline-flex items-center gap-1.5 text-xs">
            <input
              type="checkbox"
              checked={chosen.includes(choice)}
              onChange={() => toggle(choice)}
              className="size-3.5 accent-accent-fill"
            />
            {valueLabel(choice)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
