/** Something that an operator may do at some place of the console, and the request that its form makes. */

import type { ReactNode } from 'react';
import type { Call } from '../operator/calls.ts';
import { valueLabel } from '../words.ts';
import { type Entries, entryOf, type FormField, valueOf } from './form-field.ts';

interface Questions {
  readonly fields: readonly FormField[];
  /** Builds the body from the answers. Throws an EntryError for inconsistent answers. */
  readonly bodyOf: (answers: ReadonlyMap<string, unknown>) => Readonly<Record<string, unknown>>;
}

export interface Action {
  /** Of the operator's interface. */
  readonly call: string;
  readonly title: string;
  /** What follows from it, in a sentence or two; the preview shows it. */
  readonly consequence: string;
  /** What the place decides: the names in the path, and values that are no question. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** As it is now; then only what differs is sent. */
  readonly before?: object;
  /** What stands in the fields at first. */
  readonly suggested?: Readonly<Record<string, unknown>>;
  readonly isDangerous?: boolean;
  /** Fields that the interface leaves open and this action needs. */
  readonly required?: readonly string[];
  /** Questions that replace the API's fields if the body is more than a list of values. */
  readonly questions?: Questions;
  /** Fields that make no sense in this action. */
  readonly left?: readonly string[];
  /** What the preview says in a sentence with figures, before and after, made from the request's body. */
  readonly effect?: (body: Readonly<Record<string, unknown>>) => ReactNode;
}

/** Made before it is sent, so that it can be shown first. */
export interface ActionRequest {
  readonly method: Call['method'];
  /** Below `/operator`, with query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly changes: readonly Change[];
}

/** One line of the preview. */
interface Change {
  readonly name: string;
  /** Undefined where it was not there before, or nobody knows. */
  readonly before: string | undefined;
  readonly after: string;
}

interface Filled {
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
