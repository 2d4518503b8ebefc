/** Checks parts of a request against a route's schema, and says in a sentence what is wrong and what would be right. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type JsonObject, NumberText, parseNumbersAsText } from './json-body.ts';
import { Refusal } from '../errors/refusal.ts';

export type Place = 'path' | 'query' | 'body';

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The parts of JSON Schema that the routes use. */
interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

const SHOWN_LENGTH_MAX = 60;

export class SchemaCheck {
  private readonly schema: JsonSchema;
  private readonly validator: { Check(value: unknown): boolean; Errors(value: unknown): unknown };
  private readonly place: Place;

  constructor(schema: TSchema, place: Place) {
    this.schema = schema as JsonSchema;
    this.place = place;
    this.validator = Compile(schema);
  }

  check(value: unknown): void {
    if (!this.validator.Check(value)) throw this.refuse(value);
  }

  /**
   * The family's clients send numbers where strings are documented, and null for what is unset. Only what fails as it
   * stands is read again that way.
   */
  checkLeniently(value: JsonObject, bytes: Buffer): JsonObject {
    if (this.validator.Check(value)) return value;
    const lenient = fit(this.schema, parseNumbersAsText(bytes)) as JsonObject;
    this.check(lenient);
    return lenient;
  }

  private refuse(value: unknown): Refusal {
    const errors = this.validator.Errors(value) as readonly SchemaError[];
    return new Refusal('parameter-invalid', describe(errors, value, this.place));
  }
}

function fit(schema: JsonSchema | undefined, value: unknown): unknown {
  if (value instanceof NumberText) return wantsText(schema) ? value.text : Number(value.text);
  if (Array.isArray(value)) return value.map((item) => fit(schema?.items, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, fit(schema?.properties?.[name], member)]),
  );
}

function wantsText(schema: JsonSchema | undefined): boolean {
  return schema?.type === 'string' || (schema?.anyOf?.some((each) => each.type === 'string') ?? false);
}

function describe(errors: readonly SchemaError[], value: unknown, place: Place): string {
  const [first] = errors;
  if (first === undefined) return `The ${place} is not as documented.`;
  const { keyword, instancePath, params } = first;
  const name = nameOf(instancePath);
  if (keyword === 'required') {
    const missing = (params['requiredProperties'] as readonly string[]).map((each) => join(name, each));
    const [are, list] = missing.length === 1 ? ['is', missing[0]] : ['are', missing.join(', ')];
    return `${list} ${are} missing in the ${place}.`;
  }
  const given = show(valueAt(value, instancePath));
  return `${name || `The ${place}`} ${expectation(errors, first)}; ${given} was sent.`;
}

function expectation(errors: readonly SchemaError[], first: SchemaError): string {
  const { keyword, params, instancePath } = first;
  const limit = String(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${article(String(params['type']))}`;
    case 'const':
      return `must be ${allowed(
        errors
          .filter((each) => each.keyword === 'const' && each.instancePath === instancePath)
          .map((each) => each.params['allowedValue']),
      )}`;
    case 'enum':
      return `must be ${allowed(params['allowedValues'] as readonly unknown[])}`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'pattern':
      return `must match ${String(params['pattern'])}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'minItems':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    default:
      return 'is not as documented';
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

const allowed = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;

/** `/orderList/3/size` as `orderList[3].size`. */
function nameOf(path: string): string {
  return path
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}

const join = (parent: string, name: string): string => (parent ? `${parent}.${name}` : name);

function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const part of path.split('/').slice(1)) found = (found as Record<string, unknown> | null)?.[part];
  return found;
}

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}...` : text;
}
