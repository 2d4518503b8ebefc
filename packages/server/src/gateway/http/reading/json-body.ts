/**
 * Bodies: JSON objects, read strictly. What two readers could understand differently (a member written twice, text that
 * is not Unicode, `__proto__`) is refused with a sentence, because the signature covers the text, and two parsers could
 * read the same text differently.
 */

import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../errors/refusal.ts';

export type JsonObject = Record<string, unknown>;

const DEPTH_MAX = 8;
/** Twenty orders have 400. Reading numbers as text takes time for each, and everybody waits meanwhile. */
const VALUES_MAX = 2000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

export function parseBody(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw wrong('The body is not valid UTF-8.');
  const text = bytes.toString();
  const written = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(`The body is not JSON: ${(error as SyntaxError).message}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong('The body must be a JSON object.');
  }
  // JSON.parse keeps one of two members with the same name, so a duplicate shows as fewer members than colons.
  if (countMembers(value, text.includes('\\u')) !== written) {
    throw wrong('The body has the same member twice in one object.');
  }
  return value as JsonObject;
}

/** The body with each number as the text that was sent, so that decimals survive: `0.0000001` has no exponent. */
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

function numberAsText(
  this: unknown,
  _: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  return typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value;
}

/**
 * Counts colons outside strings, one for each member. It runs before JSON.parse and also bounds depth and number of
 * members, because JSON.parse has no bounds.
 */
function scan(text: string): number {
  let depth = 0;
  let colons = 0;
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COLON) colons++;
    else if (code === COMMA) {
      if (++commas >= VALUES_MAX) throw wrong(`The body has more than ${VALUES_MAX} values.`);
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > DEPTH_MAX) throw wrong(`The body is nested deeper than ${DEPTH_MAX}.`);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
  }
  return colons;
}

/** Where the string that starts at `start` has its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}

function countMembers(value: unknown, mayBeIllFormed: boolean): number {
  if (typeof value === 'string') {
    // Half a surrogate pair would become another character in the log: the command would not be what was answered.
    if (mayBeIllFormed && !value.isWellFormed())
      throw wrong('The body has half a surrogate pair (\\ud800 to \\udfff).');
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, mayBeIllFormed);
    return count;
  }
  for (const name in value) {
    if (name === '__proto__') throw wrong('The body has a member __proto__.');
    if (mayBeIllFormed && !name.isWellFormed())
      throw wrong('The body has half a surrogate pair (\\ud800 to \\udfff).');
    count += 1 + countMembers((value as JsonObject)[name], mayBeIllFormed);
  }
  return count;
}

const wrong = (detail: string): Refusal => new Refusal('parameter-invalid', detail);
