/** Conversion of values to and from SQLite. */

import type { SQLOutputValue } from 'node:sqlite';

const INT64_BITS = 64;

/** Exact at any size: an integer if 64 bits hold it, otherwise decimal text. */
export function storeAmount(amount: bigint): bigint | string {
  return BigInt.asIntN(INT64_BITS, amount) === amount ? amount : String(amount);
}

export function readAmount(value: SQLOutputValue): bigint {
  return BigInt(value as bigint | string);
}

/**
 * Values that JSON lacks are stored as an object with one field. They occur because a rejected command may contain
 * anything.
 */
type Tagged = { readonly units: string } | { readonly number: string };

export function storeJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown): unknown => {
    if (typeof field === 'bigint') return { units: String(field) } satisfies Tagged;
    if (typeof field === 'number' && !Number.isFinite(field))
      return { number: String(field) } satisfies Tagged;
    return field;
  });
}

export function readJson<Value>(text: SQLOutputValue): Value {
  return JSON.parse(text as string, (_, field: unknown): unknown => {
    if (!isTagged(field)) return field;
    return 'units' in field ? BigInt(field.units) : Number(field.number);
  }) as Value;
}

function isTagged(field: unknown): field is Tagged {
  if (typeof field !== 'object' || field === null) return false;
  const keys = Object.keys(field);
  return keys.length === 1 && (keys[0] === 'units' || keys[0] === 'number');
}
