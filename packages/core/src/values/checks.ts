/**
 * The tools of every rule: the assertion for invariants, checks of the texts and numbers in a command, and the copy of
 * the fields that are kept.
 */

import { reject, type Rejection } from '../commands/rejections.ts';
import { UNITS_END } from './amount.ts';

/**
 * An invariant is false, so the program is wrong. Nothing catches this error: the process ends, and the next start
 * recovers from the log. Assertions stay on in production.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new BrokenInvariant(what);
}

const PRINTABLE = 'printable ASCII characters';
const CLIENT_ID = 'digits, letters, underscore, hyphen';
const CODE = 'letters, digits, hyphen, underscore, point';
const KEY = 'digits, letters, hyphen';

/** Digits, letters, `_` and `-`, at most `lengthMax`. Whether the text may be empty is checked by the caller. */
function isClientId(text: string, lengthMax: number): boolean {
  if (text.length > lengthMax) return false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const letter = (c >= 97 && c <= 122) || (c >= 65 && c <= 90);
    if (!letter && !(c >= 48 && c <= 57) && c !== 45 && c !== 95) return false;
  }
  return true;
}

function isPrintable(text: string, lengthMax: number): boolean {
  if (text.length > lengthMax) return false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x20 || c > 0x7e) return false;
  }
  return true;
}

const invalid = (field: string, value: string, lengthMax: number, allowed: string) =>
  reject('text-invalid', { field, value, lengthMax, allowed });

const CLIENT_ID_LENGTH_MAX = 40;
export const NOTE_LENGTH_MAX = 20;

export function checkClientId(value: string): Rejection | null {
  if (isClientId(value, CLIENT_ID_LENGTH_MAX)) return null;
  return invalid('clientId', value, CLIENT_ID_LENGTH_MAX, CLIENT_ID);
}

/** Printable ASCII between the two lengths. */
export function checkPrintable(
  field: string,
  value: string,
  lengthMin: number,
  lengthMax: number,
): Rejection | null {
  if (value.length >= lengthMin && isPrintable(value, lengthMax)) return null;
  return invalid(field, value, lengthMax, PRINTABLE);
}

/** The code of a currency or symbol. */
export function checkCode(value: string, lengthMax: number): Rejection | null {
  return value.length <= lengthMax && /^[A-Za-z0-9_.-]+$/.test(value)
    ? null
    : invalid('code', value, lengthMax, CODE);
}

const KEY_LENGTH_MAX = 64;

export function checkKey(value: string): Rejection | null {
  return value.length <= KEY_LENGTH_MAX && /^[A-Za-z0-9-]+$/.test(value)
    ? null
    : invalid('key', value, KEY_LENGTH_MAX, KEY);
}

/** Any characters at all, between the two lengths. */
export function checkLength(
  field: string,
  value: string,
  lengthMin: number,
  lengthMax: number,
): Rejection | null {
  return value.length >= lengthMin && value.length <= lengthMax
    ? null
    : invalid(field, value, lengthMax, 'any characters');
}

export function invalidValue(field: string, value: unknown, expected: string): Rejection {
  return reject('value-invalid', { field, value: String(value), expected });
}

/** Local copy of an imported constant: see event-batch.ts. */
const PRICE_END = UNITS_END;

/** Divides, because % is slow for doubles. The quotient of an exact multiple needs no rounding. */
export function isPositiveMultiple(units: number, increment: number): boolean {
  if (!Number.isInteger(units) || units <= 0) return false;
  if (increment === 1) return true;
  if (units >= PRICE_END) return units % increment === 0;
  return Math.floor(units / increment) * increment === units;
}

export function checkPrice(price: number, increment: number): Rejection | null {
  if (!isPositiveMultiple(price, increment)) {
    return reject('price-increment', { value: price, ...neighbours(price, increment) });
  }
  return price < PRICE_END ? null : reject('price-above-max', { value: price, max: PRICE_END - 1 });
}

interface Neighbours<T> {
  readonly increment: T;
  readonly below: T;
  readonly above: T;
}

/** The nearest valid values around an invalid one, exact for any size. */
export function neighbours(units: number, increment: number): Neighbours<number> {
  if (!Number.isFinite(units) || units <= 0) return { increment, below: 0, above: increment };
  const { below, above } = bigNeighbours(BigInt(Math.floor(units)), BigInt(increment));
  return { increment, below: Number(below), above: Number(above) };
}

export function bigNeighbours(units: bigint, increment: bigint): Neighbours<bigint> {
  if (units <= 0n) return { increment, below: 0n, above: increment };
  const below = (units / increment) * increment;
  return { increment, below, above: below + increment };
}

/**
 * Copies these fields, in this order, without unset ones. Whatever the core keeps of a command goes through here, so
 * that bytes in a snapshot and texts in an event do not depend on how the caller built the object.
 */
export function pick<T extends object, K extends keyof T>(from: T, fields: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const field of fields) if (from[field] !== undefined) picked[field] = from[field];
  return picked as Pick<T, K>;
}
