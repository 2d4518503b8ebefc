/** An operator's action: the call, its form fields from the call's schema, and the request built from the entries. */

import type { ReactNode } from 'react';
import type { Call, JsonSchema } from '../operator/queries.tsx';
import { labelOf, valueLabel } from '../words.ts';

interface Questions {
  readonly fields: readonly FormField[];
  /** Builds the body from the answers. Throws an EntryError for inconsistent answers. */
  readonly bodyOf: (answers: ReadonlyMap<string, unknown>) => Readonly<Record<string, unknown>>;
}

export interface Action {
  /** The operation id in the operator API. */
  readonly call: string;
  readonly title: string;
  /** The consequences in a sentence or two, shown in the preview. */
  readonly consequence: string;
  /** Values that the page sets: path parameters, and fields that the form does not have. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** The current state; if present, only changed fields are sent. */
  readonly before?: object;
  /** Initial values of the fields. */
  readonly suggested?: Readonly<Record<string, unknown>>;
  readonly isDangerous?: boolean;
  /** Fields that are optional in the API and required here. */
  readonly required?: readonly string[];
  /** Questions that replace the API's fields if the body is more than a list of values. */
  readonly questions?: Questions;
  /** API fields that the form omits. */
  readonly left?: readonly string[];
  /** The effect in figures, before and after, computed from the request's body; shown in the preview. */
  readonly effect?: (body: Readonly<Record<string, unknown>>) => ReactNode;
}

/** Built before it is sent, so that the preview can show it. */
export interface ActionRequest {
  readonly method: Call['method'];
  /** Below `/operator`, with the query string. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly changes: readonly Change[];
}

/** One line of the preview. */
interface Change {
  readonly name: string;
  /** Undefined if it did not exist before, or is unknown. */
  readonly before: string | undefined;
  readonly after: string;
}

interface Filled {
  readonly call: Call;
  readonly fields: readonly FormField[];
  readonly entries: Entries;
  /** Values that the page sets: path parameters, and fields that the form does not have. */
  readonly given: ReadonlyMap<string, unknown>;
  /** The current state; if present, only changed fields are sent. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly reason: string;
  readonly bodyOf?: Questions['bodyOf'] | undefined;
}

/** Throws an EntryError for an invalid entry. */
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

/** The entry as shown in the preview. */
function shownEntry(field: FormField, value: unknown): string {
  const entry = entryOf(value, field);
  if (entry === '') return 'nothing';
  if (field.kind === 'choice') return valueLabel(entry);
  if (field.kind === 'yes-no') return entry === 'true' ? 'Yes' : 'No';
  return field.kind === 'time' ? `${entry.replace('T', ' ')} UTC` : entry;
}

export interface FormField {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'time' | 'minutes' | 'yes-no' | 'choice' | 'several' | 'lines' | 'json';
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly choices: readonly string[];
  readonly hint: string;
}

const MINUTE_MS = 60_000;

/** The entered text by field. */
export type Entries = ReadonlyMap<string, string>;

/** An invalid entry; the message is shown at the field. */
export class EntryError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** A question that does not correspond to a field of the API. */
export const question = (
  name: string,
  kind: FormField['kind'],
  more: Partial<Pick<FormField, 'isRequired' | 'choices' | 'hint'>> = {},
): FormField => ({ name, kind, isRequired: true, isNullable: false, choices: [], hint: '', ...more });

/** The call's fields without the reason, which every change has; `given` are those that the page sets. */
export function formFieldsOf(
  call: Call,
  given: ReadonlySet<string>,
  needed: readonly string[] = [],
): FormField[] {
  const inBody = Object.entries(call.body?.properties ?? {}).map(([name, schema]) =>
    formField(name, schema, call.body?.required?.includes(name) ?? false),
  );
  const outside = call.parameters.map(({ name, schema, required }) => formField(name, schema, required));
  return [...outside, ...inBody]
    .filter(({ name }) => name !== 'reason' && !given.has(name))
    .map((field) => (needed.includes(field.name) ? { ...field, isRequired: true } : field));
}

function formField(name: string, whole: JsonSchema, isRequired: boolean): FormField {
  const isNullable = whole.anyOf?.some(({ type }) => type === 'null') ?? false;
  const others = whole.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const schema = isNullable && others.length === 1 ? others[0]! : whole;
  const constants = (schema.anyOf ?? []).map((each) => String(each.const));
  const several = (schema.items?.anyOf ?? []).map((each) => String(each.const));
  const kind = timeKind(name, schema) ?? kindOf(schema, constants.length > 0, several.length > 0);
  return {
    name,
    kind,
    isRequired,
    isNullable,
    choices: constants.length > 0 ? constants : several,
    hint: kind === 'time' ? '' : hintOf(kind === 'minutes' ? inMinutes(schema) : schema),
  };
}

/** Fields in milliseconds are entered as a date in UTC, or in minutes. */
function timeKind(name: string, { type }: JsonSchema): 'time' | 'minutes' | undefined {
  if (type !== 'integer') return undefined;
  if (name === 'at' || name.endsWith('At')) return 'time';
  return name.endsWith('Ms') ? 'minutes' : undefined;
}

function kindOf({ type, items }: JsonSchema, isChoice: boolean, isSeveral: boolean): FormField['kind'] {
  if (isChoice) return 'choice';
  if (type === 'boolean') return 'yes-no';
  if (type === 'integer') return 'integer';
  if (type === 'object') return 'json';
  if (type !== 'array') return 'text';
  if (isSeveral) return 'several';
  return items?.type === 'string' ? 'lines' : 'json';
}

/** Converts the bounds to minutes, rounded up. */
function inMinutes({ minimum, maximum, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(minimum !== undefined && { minimum: Math.ceil(minimum / MINUTE_MS) }),
    ...(maximum !== undefined && { maximum: Math.floor(maximum / MINUTE_MS) }),
  };
}

function hintOf({ expects, minimum, maximum, maxLength }: JsonSchema): string {
  if (expects !== undefined) return expects;
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  return maxLength === undefined ? '' : `at most ${maxLength} characters`;
}

/** The text of an existing value in its field. */
export function entryOf(value: unknown, { kind }: FormField): string {
  if (value === undefined || value === null) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'time') return new Date(Number(value)).toISOString().slice(0, 16);
  if (kind === 'minutes') return String(Number(value) / MINUTE_MS);
  if (Array.isArray(value)) return value.join('\n');
  return String(value);
}

/** Undefined if the field is empty and optional. */
export function valueOf(field: FormField, entry: string): unknown {
  const { name, kind, isRequired, isNullable } = field;
  if (kind === 'several' || kind === 'lines') {
    const lines = entry.split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '');
  }
  if (entry === '') {
    if (isNullable) return null;
    if (isRequired) throw new EntryError(name, `${labelOf(name)} is needed.`);
    return undefined;
  }
  if (kind === 'yes-no') return entry === 'true';
  if (kind === 'time') {
    const time = Date.parse(`${entry}Z`);
    if (Number.isNaN(time)) throw new EntryError(name, 'Enter a date and a time.');
    return time;
  }
  if (kind === 'minutes') {
    if (!/^\d{1,9}(\.\d+)?$/.test(entry)) throw new EntryError(name, 'Enter a number of minutes.');
    return Math.round(Number(entry) * MINUTE_MS);
  }
  if (kind === 'integer' || (kind === 'choice' && /^\d+$/.test(entry))) {
    if (!/^\d{1,15}$/.test(entry)) throw new EntryError(name, 'A whole number is needed.');
    return Number(entry);
  }
  if (kind !== 'json') return entry;
  try {
    return JSON.parse(entry) as unknown;
  } catch (error) {
    throw new EntryError(name, `This is not JSON: ${(error as Error).message}`);
  }
}
