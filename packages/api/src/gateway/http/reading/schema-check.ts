/** Validates parts of a request against a route's schema; the error says what is wrong and what would be valid. */

import { shortened } from '@bourse/engine';
import { findProblem, fits, type JsonSchema, type Problem, type TSchema } from '../../schema.ts';
import { type JsonObject, NumberText, parseNumbersAsText } from './json-body.ts';
import { Refusal } from '../../errors/refusal.ts';

export type Place = 'path' | 'query' | 'body';

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

/** What is wrong, with the value, and what would be valid. */
export function describeProblem({ path, value, missing, expected }: Problem, place: Place): string {
  const name = nameOf(path);
  if (missing) {
    const names = missing.map((each) => (name ? `${name}.${each}` : each));
    return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing in the ${place}.`;
  }
  return `${name || `The ${place}`} ${expected}; ${show(value)} was sent.`;
}

/** `orderList[3].size`. */
function nameOf(path: Problem['path']): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return shortened(JSON.stringify(value) ?? 'nothing');
}
