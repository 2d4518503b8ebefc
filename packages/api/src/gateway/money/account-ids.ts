/**
 * Account ids, one for each user, type and currency, permanent and decodable without a table: 24 hex digits for MAIN,
 * 12 or more decimal digits for TRADE. Both contain check digits, which detect guessed or mistyped ids before any
 * balance is looked up.
 */

import type { AccountType } from '@bourse/core';

export interface AccountName {
  readonly user: number;
  readonly type: AccountType;
  readonly currency: number;
}

/** Added to the number, so that the first ids do not look like 1, 2, 3. */
const MAIN_PREFIX = 0x6163_0000;
const TRADE_OFFSET = 100_000_000_000n;
const CURRENCIES = 10_000n;
const CHECKS = 97n;

export function accountId({ user, type, currency }: AccountName): string {
  if (type === 'main') {
    const check = Number(checkOf(user, currency));
    return hex(MAIN_PREFIX + check, 8) + hex(user, 8) + hex(currency, 8);
  }
  const number = BigInt(user) * CURRENCIES + BigInt(currency);
  return String(TRADE_OFFSET + number * 100n + checkOf(user, currency));
}

/** Null if the text is not an account id. */
export function parseAccountId(text: string): AccountName | null {
  const name = /^[0-9a-f]{24}$/.test(text)
    ? parseMain(text)
    : /^\d{12,20}$/.test(text)
      ? parseTrade(text)
      : null;
  return name !== null && accountId(name) === text ? name : null;
}

function parseMain(text: string): AccountName {
  const part = (at: number) => Number.parseInt(text.slice(at, at + 8), 16);
  return { user: part(8), type: 'main', currency: part(16) };
}

function parseTrade(text: string): AccountName | null {
  const number = (BigInt(text) - TRADE_OFFSET) / 100n;
  if (number < 0n) return null;
  return { user: Number(number / CURRENCIES), type: 'trade', currency: Number(number % CURRENCIES) };
}

const checkOf = (user: number, currency: number): bigint =>
  (BigInt(user) * 7n + BigInt(currency) * 31n + 5n) % CHECKS;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
