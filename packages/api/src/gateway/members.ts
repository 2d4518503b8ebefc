/**
 * The JSON of requests: strict parsing of bodies, and typed access to their members by dialect. Anything that two parsers
 * could interpret differently (a duplicate member, invalid Unicode, `__proto__`) is rejected with an error message,
 * because the signature covers the text.
 */

import { isUtf8 } from 'node:buffer';
import type { Currency, SymbolSet } from '@bourse/core';
import { shortened } from '@bourse/engine';
import type { Catalogue } from '../views/catalogue.ts';
import { invalid, Refusal } from './errors/refusal.ts';

export type JsonObject = Record<string, unknown>;

const DEPTH_MAX = 8;
/** A batch of twenty orders has 400. Keeping numbers as text takes time for each, and blocks the event loop. */
const VALUES_MAX = 2000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const UNDERSCORE = 0x5f;

export function parseBody(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.');
  const found = scan(bytes);
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(`The body is not JSON: ${(error as SyntaxError).message}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The body must be a JSON object.');
  }
  // JSON.parse keeps one of two members with the same name, so a duplicate shows as fewer members than colons.
  if (found !== PLAIN && countMembers(value, text.includes('\\u')) !== found) {
    throw invalid('The body has the same member twice in one object.');
  }
  return value as JsonObject;
}

/**
 * The body with each number as the text that was sent, so that decimals keep their notation: `0.0000001` has no
 * exponent.
 */
export function parseNumbersAsText(bytes: Buffer): JsonObject {
  const text = bytes.toString();
  return JSON.parse(text, numberAsText) as JsonObject;
}

/** A number as it was written. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a request for an error message: JSON, truncated if long. */
export function shown(value: unknown): string {
  return shortened(value instanceof NumberText ? value.text : (JSON.stringify(value) ?? 'nothing'));
}

function numberAsText(
  this: unknown,
  _: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  return typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value;
}

/** Instead of the number of members: no two names are equal, none is `__proto__`, and nothing is escaped. */
const PLAIN = -1;
/** Fingerprints of the first names: length, first, third and last byte. Names with equal fingerprints may be equal. */
const marks = new Int32Array(16);

/**
 * Counts colons outside strings, one per member. Runs before JSON.parse and also bounds depth and number of members,
 * because JSON.parse has no limits. For most bodies it proves that there are no duplicate members, which saves a
 * second pass over them.
 */
function scan(bytes: Buffer): number {
  const { length } = bytes;
  let depth = 0;
  let colons = 0;
  let commas = 0;
  let isPlain = true;
  /** Bounds of the last string, and of the last one with a backslash. */
  let start = 0;
  let end = 0;
  let escaped = -1;
  for (let i = 0; i < length; i++) {
    const code = bytes[i];
    if (code === QUOTE) {
      start = i + 1;
      for (i = start; i < length; i++) {
        const inside = bytes[i];
        if (inside === QUOTE) break;
        if (inside !== BACKSLASH) continue;
        isPlain = false;
        escaped = start;
        i++;
      }
      end = i;
    } else if (code === COLON) {
      // V8 may confuse such a name with an earlier one that ends with a backslash (nodejs/node#63785).
      if (escaped === start) throw invalid('The body has a member whose name is written with a backslash.');
      isPlain &&= isNewName(bytes, start, end, colons);
      colons++;
    } else if (code === COMMA) {
      if (++commas >= VALUES_MAX) throw invalid(`The body has more than ${VALUES_MAX} values.`);
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > DEPTH_MAX) throw invalid(`The body is nested deeper than ${DEPTH_MAX}.`);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
  }
  return isPlain ? PLAIN : colons;
}

/** Whether the name certainly differs from all earlier ones and from `__proto__`. */
function isNewName(bytes: Buffer, start: number, end: number, before: number): boolean {
  const length = end - start;
  if (before === marks.length || length < 1 || length > 255 || bytes[start] === UNDERSCORE) return false;
  const third = start + Math.min(2, length - 1);
  const mark = (length << 24) | (bytes[start] << 16) | (bytes[third] << 8) | bytes[end - 1];
  for (let i = 0; i < before; i++) if (marks[i] === mark) return false;
  marks[before] = mark;
  return true;
}

function countMembers(value: unknown, mayBeIllFormed: boolean): number {
  if (typeof value === 'string') {
    // A lone surrogate would become another character in the log, so the command would differ from its response.
    if (mayBeIllFormed && !value.isWellFormed())
      throw invalid('The body has half a surrogate pair (\\ud800 to \\udfff).');
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, mayBeIllFormed);
    return count;
  }
  for (const name in value) {
    if (name === '__proto__') throw invalid('The body has a member __proto__.');
    count += 1 + countMembers((value as JsonObject)[name], mayBeIllFormed);
  }
  return count;
}

// Members by dialect. Both dialects treat null as unset. The literal one otherwise accepts exactly the documented JSON
// types; the family one also accepts numbers for strings and '' as unset, because its clients send them.

/** Any JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** The literal dialect: documented types only. */
export type Strict = boolean;

export function membersOf(value: unknown, what: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw invalid(`${what} must be a JSON object.`);
}

/** Of a query. */
export function queryText(value: string | undefined, field: string): string {
  if (value !== undefined && value !== '') return value;
  throw invalid(`${field} is required: add ?${field}= to the URL.`);
}

/** A required text. */
export function requiredText(value: unknown, field: string, strict: Strict): string {
  const text = textOf(value, field, strict);
  if (text === undefined || text === '') throw invalid(`${field} is required.`);
  return text;
}

export function isUnset(value: unknown, strict: Strict): boolean {
  return value === undefined || value === null || (!strict && value === '');
}

/** In the family dialect a JSON number counts as the text that was sent. */
export function asText(value: unknown, strict: Strict): string | undefined {
  if (typeof value === 'string') return value;
  return !strict && value instanceof NumberText ? value.text : undefined;
}

export function textOf(value: unknown, field: string, strict: Strict): string | undefined {
  const text = asText(value, strict);
  if (text !== undefined) return text;
  if (value === undefined || value === null) return undefined;
  throw wrongType(value, field, 'a JSON string');
}

export function wrongType(value: unknown, field: string, expected: string): Refusal {
  return invalid(`${field} must be ${expected}; it is ${shown(value)}.`);
}

/** Resolves the symbol that a caller names; the error suggests which one may be meant. */
export function symbolOf(catalogue: Catalogue, code: string): SymbolSet {
  const symbol = catalogue.symbol(code);
  if (symbol !== undefined) return symbol;
  const named = shortened(code);
  const letters = lettersOf(named);
  const meant = catalogue.symbols().find((each) => lettersOf(each.code) === letters);
  const advice = meant ? `did you mean ${meant.code}?` : 'GET /api/v2/symbols lists them.';
  throw new Refusal('symbol-unknown', `Unknown symbol ${JSON.stringify(named)}; ${advice}`);
}

export function currencyOf(catalogue: Catalogue, code: string): Currency {
  const currency = catalogue.currency(code);
  if (currency !== undefined) return currency;
  throw new Refusal('currency-unknown', `Unknown currency '${shortened(code)}'.`);
}

/** Other exchanges write the same pair as BTC/USDT, btc_usdt or BTCUSDT. */
const lettersOf = (code: string): string => code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
