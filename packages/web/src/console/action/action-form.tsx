/** The first step of an action: what is wanted, and why. */

import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Call } from '../operator/calls.ts';
import { type Action, type ActionRequest, requestOf } from './action.ts';
import { type Entries, EntryError, entryOf, type FormField } from './form-field.ts';
import { FieldInput } from './field-input.tsx';
import { useKnownValues } from './known-values.ts';

const REASON_MAX = 256;

export interface ActionFormProps {
  readonly action: Action;
  readonly call: Call;
  readonly fields: readonly FormField[];
  readonly entries: Entries;
  readonly onEntries: (entries: Entries) => void;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  /** The request is whole and may be looked at. */
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
      // What the place decides is in the body, too.
      const said = Object.keys(request.body ?? {}).filter((name) => name !== 'reason');
      if (before !== undefined && said.length === 0) {
        throw new EntryError(fields[0]?.name ?? 'reason', 'Nothing differs from what is there.');
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
          Show what will happen
        </Button>
      </div>
    </form>
  );
}

/** What stands in the fields at first: as it is, or as suggested. */
export function firstEntries(action: Action, fields: readonly FormField[]): Entries {
  const first = new Map([
    ...Object.entries((action.before ?? {}) as Record<string, unknown>),
    ...Object.entries(action.suggested ?? {}),
  ]);
  return new Map(fields.map((field) => [field.name, entryOf(first.get(field.name), field)]));
}
