/**
 * JSON schemas as values that carry their types, and validation against them. The types are TypeBox's. The objects are
 * created and checked here, because the routes need a dozen keywords of JSON Schema, and loading the 540 modules of the
 * library took an eighth of the CPU time of a first start (0.25 of 2 s).
 */

import { shortened } from '@bourse/engine';
import type { TSchema, Type as TypeBox } from 'typebox';
import { Refusal } from './errors/refusal.ts';
import { type JsonObject, NumberText, parseNumbersAsText } from './members.ts';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

/** The supported keywords. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  /** Only for the documentation: see `wordOf`. */
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Describes the pattern in words. */
  readonly expects?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

type Options = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, JsonSchema>>;

/** Whether a member is optional is part of the object's schema, not of its own. */
const optional = new WeakSet<JsonSchema>();

const markOptional = (schema: JsonSchema): JsonSchema => {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
};

const makeObject = (properties: Properties, options: Options = {}): JsonSchema => {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name]));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
};

const words = {
  Any: (options?: Options) => ({ ...options }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  String: (options?: Options) => ({ type: 'string', ...options }),
  Literal: (value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Union: (anyOf: readonly JsonSchema[], options?: Options) => ({ anyOf, ...options }),
  Array: (items: JsonSchema, options?: Options) => ({ type: 'array', items, ...options }),
  Object: makeObject,
  Optional: markOptional,
  Partial: ({ properties = {} }: JsonSchema) =>
    makeObject(
      Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, markOptional(each)])),
    ),
  Record: (_key: JsonSchema, additionalProperties: JsonSchema, options?: Options) => ({
    type: 'object',
    additionalProperties,
    ...options,
  }),
};

export const Type = words as unknown as Pick<typeof TypeBox, keyof typeof words>;

/**
 * One of these values, for readers of the documentation. The code that reads the value checks it and explains what
 * would be valid.
 */
export const wordOf = (...values: readonly string[]) => Type.String({ enum: values });

/**
 * A line of text for people that cannot disguise itself: no control characters, line breaks, or bidirectional
 * formatting marks.
 */
export const line = (maxLength: number, minLength = 0) =>
  Type.String({
    minLength,
    maxLength,
    pattern: '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069]*$',
    expects: 'one line of text without control characters',
  });

/** The first problem and its path: names and indexes from the outside in. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** Names of missing members; otherwise `expected` says what the value must be. */
  readonly missing?: readonly string[];
  readonly expected?: string;
  /** The path names a member that a closed schema does not have. */
  readonly isUnknown?: true;
}

export const fits = (schema: JsonSchema, value: unknown): boolean => findProblem(schema, value) === undefined;

export function findProblem(schema: JsonSchema, value: unknown): Problem | undefined {
  const { type, anyOf } = schema;
  // Fast path: most values are plain strings.
  if (type === 'string' && typeof value === 'string' && schema.const === undefined) {
    return problemOfText(schema, value);
  }
  if (anyOf !== undefined) return anyOf.some((each) => fits(each, value)) ? undefined : noneOf(anyOf, value);
  if (schema.const !== undefined) {
    return value === schema.const ? undefined : wrong(value, `must be ${String(schema.const)}`);
  }
  if (type !== undefined && !isOf(type, value)) return wrong(value, `must be ${article(type)}`);
  if (typeof value === 'string') return problemOfText(schema, value);
  if (typeof value === 'number') return problemOfNumber(schema, value);
  if (Array.isArray(value)) return problemOfList(schema, value);
  if (typeof value === 'object' && value !== null) return problemOfObject(schema, value as Options);
  return undefined;
}

const wrong = (value: unknown, expected: string): Problem => ({ path: [], value, expected });

function article(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/**
 * If all alternatives are fixed words, the message lists them; otherwise it explains the alternative of the value's
 * type. If there is none, it names the types.
 */
function noneOf(anyOf: readonly JsonSchema[], value: unknown): Problem | undefined {
  if (anyOf.every((each) => each.const !== undefined)) {
    const listed = anyOf.map((each) => String(each.const));
    return wrong(value, `must be ${listed.length === 1 ? listed[0] : `one of ${listed.join(', ')}`}`);
  }
  const meant = anyOf.find(({ type }) => type !== undefined && isOf(type, value));
  if (meant !== undefined) return findProblem(meant, value);
  if (anyOf.some(({ type }) => type === undefined)) return findProblem(anyOf[0], value);
  return wrong(value, `must be ${anyOf.map(({ type }) => article(type as string)).join(' or ')}`);
}

const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, 'u');
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}

function problemOfText(schema: JsonSchema, value: string) {
  const { minLength = 0, maxLength = Infinity, pattern, expects } = schema;
  // A character has one or two UTF-16 units, so characters are counted only if `length` is not conclusive.
  if (value.length > maxLength && Array.from(value).length > maxLength) {
    return wrong(value, `must have at most ${maxLength} characters`);
  }
  if (value.length < 2 * minLength && Array.from(value).length < minLength) {
    return wrong(value, minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`);
  }
  if (pattern === undefined || matches(pattern, value)) return undefined;
  return wrong(value, expects === undefined ? `must match ${pattern}` : `must be ${expects}`);
}

function problemOfNumber({ minimum = -Infinity, maximum = Infinity }: JsonSchema, value: number) {
  if (value < minimum) return wrong(value, `must be at least ${minimum}`);
  return value > maximum ? wrong(value, `must be at most ${maximum}`) : undefined;
}

function problemOfList({ items, minItems = 0, maxItems = Infinity }: JsonSchema, value: readonly unknown[]) {
  if (value.length < minItems) {
    return wrong(value, minItems === 1 ? 'must not be empty' : `must have at least ${minItems} entries`);
  }
  if (value.length > maxItems) return wrong(value, `must have at most ${maxItems} entries`);
  if (items === undefined) return undefined;
  for (let at = 0; at < value.length; at++) {
    const problem = findProblem(items, value[at]);
    if (problem) return within(at, problem);
  }
  return undefined;
}

/** Names and schemas of an object's members, computed once: iterating over a list is faster than over an object. */
const membersOf = new WeakMap<JsonSchema, readonly (readonly [name: string, schema: JsonSchema])[]>();

/** JSON has no undefined, so an undefined member counts as absent. */
function problemOfObject(schema: JsonSchema, value: Options): Problem | undefined {
  const { properties = {}, required, additionalProperties } = schema;
  if (required !== undefined) {
    for (const name of required) {
      if (value[name] === undefined)
        return { path: [], value, missing: required.filter((each) => value[each] === undefined) };
    }
  }
  let members = membersOf.get(schema);
  if (members === undefined) {
    members = Object.entries(properties);
    membersOf.set(schema, members);
  }
  for (const [name, each] of members) {
    const member = value[name];
    const problem = member === undefined ? undefined : findProblem(each, member);
    if (problem) return within(name, problem);
  }
  if (additionalProperties === undefined || additionalProperties === true) return undefined;
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) continue;
    if (additionalProperties === false) {
      const known = Object.keys(properties).join(', ') || 'none';
      const problem = wrong(value[name], `is not a known field; expected: ${known}`);
      return within(shortened(name), { ...problem, isUnknown: true });
    }
    const problem = findProblem(additionalProperties, value[name]);
    if (problem) return within(name, problem);
  }
  return undefined;
}

const within = (name: string | number, problem: Problem): Problem => ({
  ...problem,
  path: [name, ...problem.path],
});

export type Place = 'path' | 'query' | 'body';

/** Validates a part of a request against a route's schema. The error says what is wrong and what would be valid. */
export class SchemaCheck {
  readonly #schema: JsonSchema;
  readonly #place: Place;

  constructor(schema: TSchema, place: Place) {
    this.#schema = schema as JsonSchema;
    this.#place = place;
  }

  check(value: unknown): void {
    const problem = findProblem(this.#schema, value);
    if (problem) throw new Refusal('parameter-invalid', describeProblem(problem, this.#place));
  }

  /** `null` means unset. Only a body that fails the check as sent is copied without them. */
  checkPresent(value: JsonObject): JsonObject {
    if (fits(this.#schema, value)) return value;
    const present = fit(this.#schema, value) as JsonObject;
    this.check(present);
    return present;
  }

  /**
   * Clients of the family dialect send numbers where strings are documented, and null for unset members. A body is
   * converted only when it fails the check as sent, so that most requests cost nothing extra.
   */
  checkLeniently(value: JsonObject, bytes: Buffer): JsonObject {
    if (fits(this.#schema, value)) return value;
    const lenient = fit(this.#schema, parseNumbersAsText(bytes)) as JsonObject;
    this.check(lenient);
    return lenient;
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

/** The error message: what is wrong, with the value, and what would be valid. */
export function describeProblem({ path, value, missing, expected }: Problem, place: Place): string {
  const name = pathText(path);
  if (missing) {
    const names = missing.map((each) => (name ? `${name}.${each}` : each));
    return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing in the ${place}.`;
  }
  return `${name || `The ${place}`} ${expected}; ${shownValue(value)} was sent.`;
}

/** `orderList[3].size`. */
function pathText(path: Problem['path']): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return shortened(JSON.stringify(value) ?? 'nothing');
}
