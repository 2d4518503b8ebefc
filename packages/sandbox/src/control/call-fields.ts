/** The fields of the control API's calls, derived from their schemas, for help and completion. */

import type { JsonSchema } from '@bourse/api/basics';

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
    import('../faults/effects.ts'),
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
  if (type === 'array') return 'a list with commas';
  if (type !== 'integer' && type !== 'number') return anyOf ? 'a text or number' : 'a text';
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  if (maximum !== undefined && maximum < 1e9) return `${noun} from ${minimum ?? 0} to ${maximum}`;
  return minimum ? `${noun} from ${minimum} on` : noun;
}

const WIDTH = 26;

/** The part of a call's help after the options. */
export function fieldHelp(fields: readonly CallField[], effects: CallFields['effects']): string {
  if (fields.length === 0) return '\nIt takes no fields.';
  const rows = fields.map(({ name, isRequired, values, type }) => {
    const what = name === 'effect.kind' ? 'one of those below' : values.join(', ') || type;
    return `  ${name.padEnd(WIDTH)}  ${what}${isRequired ? ' (needed)' : ''}`;
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
