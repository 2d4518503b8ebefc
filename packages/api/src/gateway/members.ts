/**
 * Members of a request's objects, by dialect. Both treat null as unset. The literal dialect otherwise accepts exactly
 * the documented JSON types; the family dialect also accepts numbers for strings and '' as unset, because its clients
 * send them.
 */

import type { SymbolSet } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { invalid, Refusal } from './errors/refusal.ts';
import { shown, NumberText } from './http/reading/json-body.ts';
import type { Catalogue } from '../views/catalogue.ts';

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
  throw invalid(`${field} is required: add ?${field}= to the address.`);
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
  throw new Refusal('symbol-unknown', `There is no symbol ${JSON.stringify(named)}; ${advice}`);
}

/** Other exchanges write the same pair as BTC/USDT, btc_usdt or BTCUSDT. */
const lettersOf = (code: string): string => code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
