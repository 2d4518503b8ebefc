/** User, type and currency of an account as one whole number, for tables and events. */

/** Currencies are below this. */
export const CURRENCIES_END = 4096;
const TYPES = 8;

/** The system counts as the user before the first. */
export function accountKey(user: number, type: number, currency: number): number {
  return ((user + 1) * TYPES + type) * CURRENCIES_END + currency;
}

export function ownerOf(key: number): { user: number; type: number; currency: number } {
  const account = Math.floor(key / CURRENCIES_END);
  return { user: Math.floor(account / TYPES) - 1, type: account % TYPES, currency: key % CURRENCIES_END };
}
