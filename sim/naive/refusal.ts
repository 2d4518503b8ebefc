/** Shared checks of commands: users and objects, and the format of texts and values. */

import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import type { RejectionCode, RejectionDetails } from '../../packages/core/src/commands/rejections.ts';
import type { AcceptedOutcome, Rejected } from '../../packages/core/src/commands/outcomes.ts';
import { aroundAmount, power10 } from './decimal.ts';
import type { Currency, State } from './state.ts';

export const accepted: AcceptedOutcome = { kind: 'accepted' };

export function refused(rejection: Rejection): Rejected {
  return { kind: 'rejected', rejection };
}

export function refuse<C extends RejectionCode>(code: C, details: RejectionDetails[C]): Rejected {
  return refused(reject(code, details));
}

export function checkUser(state: State, user: number): Rejection | null {
  return state.users[user] === undefined ? reject('user-unknown', { user }) : null;
}

/** For existing users. A complete freeze covers everything; sub-accounts may be frozen with their master. */
export function checkNotFrozen(
  state: State,
  user: number,
  what: 'trading' | 'withdrawals' | 'anything else' = 'anything else',
): Rejection | null {
  const { freeze, parent } = state.users[user]!;
  const ofMaster = parent >= 0 ? state.users[parent]!.freeze : null;
  const levels: string[] = [];
  if (freeze !== null) levels.push(freeze.level);
  if (ofMaster?.withSubAccounts) levels.push(ofMaster.level);
  if (levels.includes('all')) return reject('user-frozen', { user });
  if (what === 'anything else' || !levels.includes(what)) return null;
  return reject('user-frozen', { user, level: what });
}

export function checkNotClosed(state: State, user: number): Rejection | null {
  return state.users[user]!.closed ? reject('user-closed', { user }) : null;
}

export function checkCurrency(state: State, currency: number): Rejection | null {
  return state.currencies[currency]?.removed === false ? null : reject('currency-unknown', { currency });
}

export function checkSymbol(state: State, symbol: number): Rejection | null {
  return state.instruments[symbol]?.removed === false ? null : reject('symbol-unknown', { symbol });
}

export function checkChain(currency: Currency, chain: string): Rejection | null {
  const known = currency.chains.map((each) => each.chainId);
  return known.includes(chain) ? null : reject('chain-unknown', { chain, known });
}

const alphabets = {
  printable: { pattern: /^[\x20-\x7e]*$/, allowed: 'printable ASCII' },
  clientId: { pattern: /^[0-9A-Za-z_-]*$/, allowed: 'digits, letters, _ and -' },
  code: { pattern: /^[0-9A-Za-z_.-]*$/, allowed: 'letters, digits, -, _ and .' },
  key: { pattern: /^[0-9A-Za-z-]*$/, allowed: 'digits, letters and -' },
  any: { pattern: /^[^]*$/, allowed: 'any characters' },
};

export type Alphabet = keyof typeof alphabets;

export function isText(value: string, lengthMin: number, lengthMax: number, alphabet: Alphabet): boolean {
  if (typeof value !== 'string') return false;
  return value.length >= lengthMin && value.length <= lengthMax && alphabets[alphabet].pattern.test(value);
}

export function checkText(
  field: string,
  value: string,
  lengthMin: number,
  lengthMax: number,
  alphabet: Alphabet,
): Rejection | null {
  if (isText(value, lengthMin, lengthMax, alphabet)) return null;
  return reject('text-invalid', { field, value, lengthMax, allowed: alphabets[alphabet].allowed });
}

export function valueInvalid(field: string, value: unknown, expected: string): Rejection {
  return reject('value-invalid', { field, value: String(value), expected });
}

export function checkOneOf(field: string, value: unknown, list: readonly unknown[]): Rejection | null {
  return list.includes(value) ? null : valueInvalid(field, value, list.join(', '));
}

export function checkInteger(field: string, value: number, min: number, max: number): Rejection | null {
  if (Number.isInteger(value) && value >= min && value <= max) return null;
  return valueInvalid(field, value, `an integer from ${min} to ${max}`);
}

/** Deposits, withdrawals and transfers must be positive multiples of the currency's precision. */
export function checkAmount(currency: Currency, value: bigint): Rejection | null {
  const increment = power10(currency.scale - currency.precision);
  if (value > 0n && value % increment === 0n) return null;
  return reject('amount-increment', { value, increment, ...aroundAmount(value, increment) });
}
