/**
 * The initial state of a sandbox, as commands: its log starts with them like that of any exchange, so
 * its ledger sums to zero and a replay needs nothing else. Numbers are assigned in order, so they are known here.
 */

import { type Command, type Exchange, parseDecimal, toUnits } from '@bourse/core';
import { CURRENCIES, type SandboxCurrency, SYMBOLS } from './reference-data.ts';
import { KEYS, USERS, type SandboxUser } from './users.ts';

/** Published, like the keys it protects: a sandbox has no secrets. */
export const SANDBOX_SECRET_KEY = '5a4db0c0'.repeat(8);

const AUDIT = { by: 'sandbox', why: 'what a sandbox begins with' };
const KEY_VERSION = 3;

export function seedCommands(seal: (apiSecret: string, passphrase: string) => string): Command[] {
  const currencyNumber = (code: string) => CURRENCIES.findIndex((each) => each.code === code);
  const userNumber = (name: string) => USERS.findIndex((each) => each.name === name);
  return [
    ...CURRENCIES.map((currency): Command => ({ kind: 'add-currency', ...currency, ...AUDIT })),
    ...SYMBOLS.map((symbol): Command => {
      const { base, quote, fees: _, ...terms } = symbol;
      const numbers = { base: currencyNumber(base), quote: currencyNumber(quote) };
      return { kind: 'add-symbol', ...terms, ...numbers, ...AUDIT };
    }),
    ...SYMBOLS.flatMap(({ fees }, symbol): Command[] =>
      fees ? [{ kind: 'set-fees', symbol, ...fees, ...AUDIT }] : [],
    ),
    ...USERS.map(({ name, parent }): Command => {
      return { kind: 'add-user', name, ...(parent ? { parent: userNumber(parent) } : {}), ...AUDIT };
    }),
    ...KEYS.map(({ apiKey, apiSecret, apiPassphrase, user, permissions }): Command => {
      const secret = seal(apiSecret, apiPassphrase);
      const key = {
        key: apiKey,
        user: userNumber(user),
        version: KEY_VERSION,
        permissions,
        ipAllowList: [],
        secret,
      };
      return { kind: 'add-key', ...key, ...AUDIT };
    }),
    { kind: 'set-fees', maker: '0.001', taker: '0.001', ...AUDIT },
    // Money comes last. A used account stays used, so a sandbox with the last deposit has everything before it.
    ...USERS.flatMap((user, number) => moneyCommands(user, number)),
  ];
}

/** Deposits go to MAIN; the balance of TRADE is transferred from there. */
function moneyCommands({ name, main, trade }: SandboxUser, user: number): Command[] {
  return CURRENCIES.flatMap((currency, number): Command[] => {
    const toTrade = units(trade[currency.code] ?? '0', currency);
    const amount = units(main[currency.code] ?? '0', currency) + toTrade;
    if (amount === 0n) return [];
    const [{ chainId: chain }] = currency.chains;
    const id = `sandbox-${name}-${currency.code}`;
    const deposit: Command = {
      kind: 'report-deposit',
      user,
      currency: number,
      chain,
      amount,
      txId: id,
      travelRule: false,
      ...AUDIT,
    };
    if (toTrade === 0n) return [deposit];
    const move = {
      type: 'internal',
      clientId: id,
      currency: number,
      amount: toTrade,
      from: 'main',
      to: 'trade',
    } as const;
    return [deposit, { kind: 'transfer', user, ...move }];
  });
}

function units(decimal: string, { scale }: SandboxCurrency): bigint {
  return toUnits(parseDecimal(decimal)!, scale)!;
}

export type SeedState = 'none' | 'part' | 'whole' | 'foreign';

/** Whether the exchange has the sandbox's initial state; 'foreign': it has another one. */
export function seedState(exchange: Exchange): SeedState {
  const { reference, counts } = exchange;
  const isOurs = (given: readonly string[], ours: readonly string[]) =>
    given.slice(0, ours.length).every((each, at) => each === ours[at]);
  const users = isOurs(
    reference.users.map(({ name }) => name),
    USERS.map(({ name }) => name),
  );
  const currencies = isOurs(
    reference.currencies.map(({ code }) => code),
    CURRENCIES.map(({ code }) => code),
  );
  if (!users || !currencies) return 'foreign';
  if (counts.users < USERS.length) {
    const isBeyond = reference.feeRules().some(({ user, symbol }) => user < 0 && symbol < 0);
    if (isBeyond) return 'foreign';
    return counts.currencies === 0 ? 'none' : 'part';
  }
  return exchange.accounts(USERS.length - 1).some(({ type }) => type === 'trade') ? 'whole' : 'part';
}

/**
 * Whether users of a sandbox exist, even if their keys were removed or never added. A venue may start with some of
 * the same currencies, so a partial seed counts only from its users on: they come after all currencies, and before
 * money and keys.
 */
export function hasSandboxUsers(exchange: Exchange): boolean {
  const state = seedState(exchange);
  const { users, currencies } = exchange.counts;
  return state === 'whole' || (state === 'part' && users > 0 && currencies >= CURRENCIES.length);
}

/** Rejections that only mean that a part of the seed already exists. */
export const SEEN_BEFORE: readonly string[] = ['code-taken', 'key-taken'];
