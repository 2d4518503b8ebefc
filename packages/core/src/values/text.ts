/** Checks of the words that users and operators send. Regular expressions are kept off the order path. */

import { type Rejection, reject } from '../commands/rejections.ts';

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

export const CLIENT_ID_LENGTH_MAX = 40;
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
