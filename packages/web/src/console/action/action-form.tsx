/** The form of an action, the first of its three steps: one field per parameter, and the reason. */

import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { AreaField, SelectField, TextField } from '../../ui/field.tsx';
import { FAILURE_CODES } from '../../user/user-queries.ts';
import { type Call, useFoundUsers, useOperatorQuery, type UserRow } from '../operator/queries.tsx';
import { formLabelOf, valueLabel } from '../words.ts';
import {
  type Action,
  type ActionRequest,
  type Entries,
  EntryError,
  entryOf,
  type FormField,
  requestOf,
} from './action.ts';

const REASON_MAX = 256;

export interface ActionFormProps {
  readonly action: Action;
  readonly call: Call;
  readonly fields: readonly FormField[];
  readonly entries: Entries;
  readonly onEntries: (entries: Entries) => void;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  /** Called with the complete request, for the preview. */
  readonly onReady: (request: ActionRequest) => void;
}

export function ActionForm(props: ActionFormProps) {
  const { action, call, fields, entries, onEntries, reason, onReason, onReady } = props;
  const [wrong, setWrong] = useState<{ readonly field: string; readonly message: string } | null>(null);
  const known = useKnownValues(entries);
  const before = action.before as Readonly<Record<string, unknown>> | undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    try {
      if (reason.trim() === '') throw new EntryError('reason', 'Every change needs a reason.');
      const given = new Map(Object.entries(action.given ?? {}));
      const request = requestOf({
        call,
        fields,
        entries,
        given,
        before,
        reason: reason.trim(),
        bodyOf: action.questions?.bodyOf,
      });
      // The body also has the values that the page sets.
      const said = Object.keys(request.body ?? {}).filter((name) => name !== 'reason');
      if (before !== undefined && said.length === 0) {
        throw new EntryError(fields[0]?.name ?? 'reason', 'Nothing has changed.');
      }
      setWrong(null);
      onReady(request);
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      setWrong(error);
    }
  };
  const errorOf = (name: string): string => (wrong?.field === name ? wrong.message : '');
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            entry={entries.get(field.name) ?? ''}
            known={known.get(field.name) ?? []}
            onEntry={(entry) => onEntries(new Map(entries).set(field.name, entry))}
            error={errorOf(field.name)}
          />
        ))}
      </div>
      <TextField
        label="Reason"
        hint="Recorded in the audit trail with your name."
        value={reason}
        onValue={onReason}
        maxLength={REASON_MAX}
        error={errorOf('reason')}
      />
      <div className="flex justify-end">
        <Button type="submit" kind="primary">
          Preview
        </Button>
      </div>
    </form>
  );
}

/** The initial entries: current or suggested values. */
export function firstEntries(action: Action, fields: readonly FormField[]): Entries {
  const first = new Map([
    ...Object.entries((action.before ?? {}) as Record<string, unknown>),
    ...Object.entries(action.suggested ?? {}),
  ]);
  return new Map(fields.map((field) => [field.name, entryOf(first.get(field.name), field)]));
}

export interface FieldInputProps {
  readonly field: FormField;
  readonly entry: string;
  readonly onEntry: (entry: string) => void;
  readonly error: string;
  /** Values to choose from; empty for free text. */
  readonly known: readonly KnownValue[];
}

/** One field of the form, by its kind. */
function FieldInput({ field, entry, onEntry, error, known }: FieldInputProps) {
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
    const help = kind === 'lines' ? 'one per line' : 'JSON';
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

/** A text field that searches the known values; choosing one fills it in. */
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

interface KnownValue {
  readonly value: string;
  readonly label: string;
}

export interface ListedCurrency {
  readonly currency: string;
  readonly fullName: string;
  readonly chains: readonly {
    readonly chainId: string;
    readonly chainName: string;
    readonly depositFeeRate: string;
  }[];
}

const REFRESH_MS = 60_000;

export const useListedCurrencies = () =>
  useOperatorQuery<readonly ListedCurrency[]>('/v1/currencies', REFRESH_MS);

const knownUsers = (users: readonly UserRow[] = []): readonly KnownValue[] =>
  users.map(({ userId, name }) => ({ value: name, label: userId }));

/**
 * Known values by field name: users, currencies, chains, markets, failure codes. No form has more than one of the
 * first three user fields.
 */
function useKnownValues(entries: Entries): ReadonlyMap<string, readonly KnownValue[]> {
  const typed = ['userId', 'parentId', 'fromUser'].map((field) => entries.get(field) ?? '').join('');
  const named = knownUsers(useFoundUsers(typed.trim()).data);
  const namedAsTarget = knownUsers(useFoundUsers((entries.get('toUser') ?? '').trim()).data);
  const currencies = useListedCurrencies().data ?? [];
  const symbols =
    useOperatorQuery<readonly { readonly symbol: string; readonly name: string }[]>('/v1/symbols', REFRESH_MS)
      .data ?? [];
  const chosen = currencies.find(({ currency }) => currency === entries.get('currency'));
  return new Map([
    ['userId', named],
    ['parentId', named],
    ['fromUser', named],
    ['toUser', namedAsTarget],
    ['symbol', symbols.map(({ symbol, name }) => ({ value: symbol, label: name }))],
    ['failureCode', [...FAILURE_CODES].map(([value, label]) => ({ value, label }))],
    ['currency', currencies.map(({ currency, fullName }) => ({ value: currency, label: fullName }))],
    ['chain', (chosen?.chains ?? []).map(({ chainId, chainName }) => ({ value: chainId, label: chainName }))],
  ]);
}
