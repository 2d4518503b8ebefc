/** The fields of the control API's calls, derived from their schemas, for help and completion. */

import { type JsonSchema, fits } from '@bourse/api/basics';
import { shortened } from '@bourse/engine';

/** The mount of the control API. */
export const SANDBOX_MOUNT = '/sandbox/v1';

export interface CallField {
  /** Nested fields are separated by dots; `*` stands for any name. */
  readonly name: string;
  readonly isRequired: boolean;
  /** The possible values, if they can be listed. */
  readonly values: readonly string[];
  /** Its type, if it has no list of values. */
  readonly type: string;
}

/** The fields of each call and of each fault effect. */
export interface CallFields {
  readonly calls: ReadonlyMap<string, readonly CallField[]>;
  readonly effects: ReadonlyMap<string, readonly CallField[]>;
}

/** Loads the schemas, which come with the server: only for commands that need them. */
export async function loadCallFields(): Promise<CallFields> {
  const [{ CONTROL_ROUTES }, { EFFECT_SCHEMAS }] = await Promise.all([
    import('./plugin.ts'),
    import('../faults/fault-rules.ts'),
  ]);
  const effects = new Map(
    Object.entries(EFFECT_SCHEMAS).map(([kind, schema]) => [
      kind,
      fieldsIn(schema, 'effect.').filter(({ name }) => name !== 'effect.kind'),
    ]),
  );
  const calls = new Map(
    CONTROL_ROUTES.map(({ id, body, query }) => [id, fieldsIn(body ?? query ?? {}).map(withKinds)]),
  );
  function withKinds(field: CallField): CallField {
    return field.name === 'effect.kind' ? { ...field, values: [...effects.keys()] } : field;
  }
  return { calls, effects };
}

function fieldsIn(schema: JsonSchema, prefix = '', isNeeded = true): CallField[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, each]) =>
    fieldOf(each, `${prefix}${name}`, isNeeded && required.includes(name)),
  );
  const others =
    typeof additionalProperties === 'object' ? fieldOf(additionalProperties, `${prefix}*`, false) : [];
  return [...own, ...others];
}

function fieldOf(schema: JsonSchema, name: string, isRequired: boolean): CallField[] {
  if (schema.type === 'object') return fieldsIn(schema, `${name}.`, isRequired);
  return [{ name, isRequired, values: valuesOf(schema), type: typeOf(schema) }];
}

function valuesOf({ anyOf, const: only, type }: JsonSchema): string[] {
  if (type === 'boolean') return ['true', 'false'];
  if (only !== undefined) return [String(only)];
  const values = anyOf?.map((each) => each.const) ?? [];
  return values.every((each) => each !== undefined) ? values.map(String) : [];
}

function typeOf({ type, minimum, maximum, expects, anyOf }: JsonSchema): string {
  if (expects) return expects;
  if (type === 'array') return 'a comma-separated list';
  if (type !== 'integer' && type !== 'number') return anyOf ? 'a text or number' : 'a text';
  const noun = type === 'integer' ? 'an integer' : 'a number';
  if (maximum !== undefined && maximum < 1e9) return `${noun} from ${minimum ?? 0} to ${maximum}`;
  return minimum ? `${noun} from ${minimum} on` : noun;
}

const WIDTH = 26;

/** The part of a call's help after the options. */
export function fieldHelp(fields: readonly CallField[], effects: CallFields['effects']): string {
  if (fields.length === 0) return '\nNo fields.';
  const rows = fields.map(({ name, isRequired, values, type }) => {
    const what = name === 'effect.kind' ? 'one of the kinds below' : values.join(', ') || type;
    return `  ${name.padEnd(WIDTH)}  ${what}${isRequired ? ' (required)' : ''}`;
  });
  const kinds = [...effects].map(([kind, own]) => {
    const list = own.map(({ name, isRequired }) => (isRequired ? `${name}=` : `[${name}=]`)).join(' ');
    return `  ${kind.padEnd(WIDTH)}  ${list}`.trimEnd();
  });
  const hasEffect = fields.some(({ name }) => name === 'effect.kind');
  return [
    '\nFields, each as name=value:',
    ...rows,
    ...(hasEffect ? ['', 'Effects (effect.kind):', ...kinds] : []),
  ].join('\n');
}

// Parses the fields of a call on the command line, such as `match.user=alice times=1`, into the value that
// the schema expects.

/** Invalid fields; the message says why. */
export class WrongField extends Error {
  override readonly name = 'WrongField';
}

type Value = { [name: string]: unknown };

/** `effects`: the schemas of `effect`, by kind. */
export function fieldsOf(
  given: readonly string[],
  schema: JsonSchema,
  effects: Readonly<Record<string, JsonSchema>>,
): Value {
  const pairs = given.map(pairOf);
  const kind = pairs.find(([path]) => path === 'effect.kind')?.[1] ?? '';
  const fields = emptyValue();
  for (const [path, text] of pairs) {
    const names = path.split('.');
    const within =
      names[0] === 'effect' ? (Object.hasOwn(effects, kind) ? effects[kind] : undefined) : schema;
    const wanted = schemaAt(within, names[0] === 'effect' ? names.slice(1) : names);
    put(fields, names, valueOf(text, wanted), path);
  }
  return fields;
}

function pairOf(text: string): readonly [path: string, value: string] {
  const mark = text.indexOf('=');
  if (mark > 0) return [text.slice(0, mark), text.slice(mark + 1)];
  throw new WrongField(`'${shortened(text)}' is not a field: give name=value, such as ms=60000.`);
}

/** Undefined if any value is allowed. */
function schemaAt(schema: JsonSchema | undefined, names: readonly string[]): JsonSchema | undefined {
  let at = schema;
  for (const name of names) {
    const more = at?.additionalProperties;
    const own = at?.properties;
    at = own && Object.hasOwn(own, name) ? own[name] : typeof more === 'object' ? more : undefined;
  }
  return at;
}

/**
 * A string if the schema expects one; otherwise JSON, or a string if it is not valid JSON. A list may be
 * comma-separated.
 */
function valueOf(text: string, wanted: JsonSchema | undefined): unknown {
  const value = parsed(text);
  if (wanted === undefined || fits(wanted, value)) return value;
  if (wanted.type === 'array' && !Array.isArray(value)) {
    return text.split(',').map((each) => valueOf(each, wanted.items));
  }
  return fits(wanted, text) ? text : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(fields: Value, names: readonly string[], value: unknown, path: string): void {
  let at = fields;
  for (const name of names.slice(0, -1)) {
    const inner = at[name] ?? emptyValue();
    if (typeof inner !== 'object' || Array.isArray(inner)) {
      throw new WrongField(
        `${shortened(path)}: ${shortened(name)} already has a value, so it cannot have fields.`,
      );
    }
    at[name] = inner;
    at = inner as Value;
  }
  const last = names[names.length - 1];
  if (Object.hasOwn(at, last)) throw new WrongField(`${shortened(path)} is given twice.`);
  at[last] = value;
}

/** Names are untrusted, so the object must not inherit members. */
const emptyValue = (): Value => Object.create(null) as Value;
