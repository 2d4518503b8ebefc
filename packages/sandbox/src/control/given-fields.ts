/**
 * Converts fields from the command line, such as `match.user=alice times=1`, into the value that the schema requires.
 */

import { fits, type JsonSchema } from '@bourse/api/basics';
import { shortened } from '@bourse/engine';

/** The message says what is wrong with the given fields. */
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

/** A text if the schema wants one; otherwise JSON, or a text if it is not valid JSON. A list may be comma-separated. */
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
      throw new WrongField(`${shortened(path)}: ${shortened(name)} has a value already, and no fields.`);
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
