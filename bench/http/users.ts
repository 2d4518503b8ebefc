/** Additional users of a measured exchange: a venue has a thousand users, not the sandbox's three. */

import type { Command } from '@bourse/core';
import { CURRENCIES } from '../../packages/sandbox/src/reference-data.ts';
import { KEYS, USERS } from '../../packages/sandbox/src/users.ts';

export const USERS_DEFAULT = 1000;

export interface Trader {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const SANDBOX_TRADERS: readonly Trader[] = KEYS.filter(
  ({ permissions, name }) => permissions.includes('spot') && name !== 'alice-sub',
);

/** Without additional users: the sandbox's. */
export function traderOf(number: number, users: number): Trader {
  if (users === 0) return SANDBOX_TRADERS[number % SANDBOX_TRADERS.length];
  const name = String(number % users).padStart(6, '0');
  return { apiKey: `bench-key-${name}`, apiSecret: `bench-secret-${name}`, apiPassphrase: `bench-${name}` };
}

const AUDIT = { by: 'bench', why: 'users to measure with' };
const KEY_VERSION = 3;
/** In units of both currencies. */
const WEALTH = 10n ** 18n;

/** Applied after the initial commands of a sandbox. */
export function* userCommands(
  users: number,
  seal: (apiSecret: string, passphrase: string) => string,
): Generator<Command> {
  const currencies = ['BTC', 'USDT'].map((code) => CURRENCIES.findIndex((each) => each.code === code));
  for (let at = 0; at < users; at++) {
    const user = USERS.length + at;
    const { apiKey: key, apiSecret, apiPassphrase } = traderOf(at, users);
    yield { kind: 'add-user', name: `bench-${at}`, ...AUDIT };
    yield {
      kind: 'add-key',
      key,
      user,
      version: KEY_VERSION,
      permissions: ['general', 'spot'],
      ipAllowList: [],
      secret: seal(apiSecret, apiPassphrase),
      ...AUDIT,
    };
    for (const currency of currencies) {
      const id = `bench-${at}-${currency}`;
      const [{ chainId: chain }] = CURRENCIES[currency].chains;
      const deposit = { user, currency, chain, amount: WEALTH, txId: id, travelRule: false };
      yield { kind: 'report-deposit', ...deposit, ...AUDIT };
      const move = { clientId: id, currency, amount: WEALTH, from: 'main', to: 'trade' } as const;
      yield { kind: 'transfer', user, type: 'internal', ...move };
    }
  }
}
