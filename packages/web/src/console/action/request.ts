/** The request that a form makes, before it is sent: so that it can be shown first. */

import type { Call } from '../operator/calls.ts';
import { valueLabel } from '../words.ts';
import type { Questions } from './action.ts';
import { type Entries, entryOf, type FormField, valueOf } from './form-field.ts';

export interface ActionRequest {
  readonly method: Call['method'];
  /** Below `/operator`, with query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly changes: readonly Change[];
}

/** One line of the preview. */
export interface Change {
  readonly name: string;
  /** Undefined where it was not there before, or nobody knows. */
  readonly before: string | undefined;
  readonly after: string;
}

export interface Filled {
  readonly call: Call;
  readonly fields: readonly FormField[];
  readonly entries: Entries;
  /** What the place decides: names of the path, and values that are no question. */
  readonly given: ReadonlyMap<string, unknown>;
  /** As it is now; then only what differs is sent. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly reason: string;
  readonly bodyOf?: Questions['bodyOf'] | undefined;
}

/** Throws an EntryError for what cannot be read. */
export function requestOf({ call, fields, entries, given, before, reason, bodyOf }: Filled): ActionRequest {
  const answers = new Map<string, unknown>();
  const changes: Change[] = [];
  for (const field of fields) {
    const entry = entries.get(field.name) ?? '';
    const value = valueOf(field, entry);
    const was = before && Object.hasOwn(before, field.name) ? entryOf(before[field.name], field) : undefined;
    if (value === undefined || (was !== undefined && was === entryOf(value, field))) continue;
    answers.set(field.name, value);
    changes.push({ name: field.name, before: was, after: shownEntry(field, value) });
  }
  const asked = bodyOf === undefined ? answers : Object.entries(bodyOf(answers));
  const values = new Map<string, unknown>([...given, ...asked]);
  const inPath = new Set(Array.from(call.path.matchAll(/\{(\w+)\}/g), ([, name]) => name!));
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name) ?? '')),
  );
  const rest = [...values].filter(([name]) => !inPath.has(name));
  const sent = [...rest, ...(call.method === 'GET' ? [] : [['reason', reason] as const])];
  if (call.method === 'POST') return { method: 'POST', path, body: Object.fromEntries(sent), changes };
  const query = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return { method: call.method, path: query === '' ? path : `${path}?${query}`, body: undefined, changes };
}

/** The entry as text for people. */
function shownEntry(field: FormField, value: unknown): string {
  const entry = entryOf(value, field);
  if (entry === '') return 'nothing';
  if (field.kind === 'choice') return valueLabel(entry);
  if (field.kind === 'yes-no') return entry === 'true' ? 'Yes' : 'No';
  return field.kind === 'time' ? `${entry.replace('T', ' ')} UTC` : entry;
}
