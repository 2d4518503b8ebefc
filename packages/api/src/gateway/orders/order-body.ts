/** The body of an order request; keeps the notation of numbers if the dialect accepts numbers. */

import { parseNumbersAsText } from '../http/reading/json-body.ts';
import { type Members, membersOf } from '../members.ts';
import type { Call } from '../route.ts';

type OrderCall = Pick<Call<unknown, unknown, unknown>, 'body' | 'rawBody' | 'dialect'>;

export function orderBody({ body, rawBody, dialect }: OrderCall): Members {
  const members = membersOf(body, 'The body');
  if (dialect.isLiteral || rawBody === undefined || !hasNumber(members)) return members;
  return parseNumbersAsText(rawBody);
}

/** Integer members, which JSON.parse does not round. */
const INTEGERS: ReadonlySet<string> = new Set(['cancelAfter', 'clientTimestamp', 'allowMaxTimeWindow']);

/** A decimal that was parsed as a number may have been rounded; then the text is parsed again. */
function hasNumber(members: Members): boolean {
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'number' && !INTEGERS.has(name)) return true;
    if (name === 'orderList' && Array.isArray(value) && value.some(hasNumber)) return true;
  }
  return false;
}
