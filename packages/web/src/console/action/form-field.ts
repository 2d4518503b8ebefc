/** Fields of a call's form, made from its schema, and the body made from what was entered. */

import type { Call, JsonSchema } from '../operator/calls.ts';
import { labelOf } from '../words.ts';

export interface FormField {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'time' | 'minutes' | 'yes-no' | 'choice' | 'several' | 'lines' | 'json';
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly choices: readonly string[];
  readonly hint: string;
}

const MINUTE_MS = 60_000;

/** What was entered, by field: all of it text. */
export type Entries = ReadonlyMap<string, string>;

/** Thrown with a sentence for the field. */
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

/** All but the reason, which every change has; `given` are those that the place decides. */
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

/** The bounds in the form's unit; of less than a minute, rounded up. */
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

/** How a value that is there stands in its field. */
export function entryOf(value: unknown, { kind }: FormField): string {
  if (value === undefined || value === null) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'time') return new Date(Number(value)).toISOString().slice(0, 16);
  if (kind === 'minutes') return String(Number(value) / MINUTE_MS);
  if (Array.isArray(value)) return value.join('\n');
  return String(value);
}

/** Undefined where the field is empty and may be. */
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
