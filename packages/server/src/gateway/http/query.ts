/**
 * The query string: names and values percent-decoded, `+` a blank; a name that comes twice is an error. In the family
 * dialect a value `undefined` is none: the vendor's clients write the word for a value they do not have.
 */

import type { Dialect } from '../dialects.ts';
import { Refusal } from '../errors/refusal.ts';

export type Query = Record<string, string>;

const NONE: Query = Object.freeze(Object.create(null));

export function parseQuery(url: string, { isLiteral }: Pick<Dialect, 'isLiteral'>): Query {
  const start = url.indexOf('?') + 1;
  if (start === 0 || start === url.length) return NONE;
  const query: Query = Object.create(null);
  for (const part of url.slice(start).split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    if (Object.hasOwn(query, name)) {
      throw new Refusal('parameter-invalid', `The query parameter '${name.slice(0, 40)}' is there twice.`);
    }
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (isLiteral || value !== 'undefined') query[name] = value;
  }
  return query;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal('parameter-invalid', 'The query string is not valid percent-encoded UTF-8.');
  }
}
