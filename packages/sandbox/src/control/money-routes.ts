/** Money and users for tests. */

import { createHash } from 'node:crypto';
import type { Command, Currency, Outcome, Permission } from '@bourse/core';
import {
  explain,
  findCurrency,
  findUser,
  formatMoney,
  parseAmount,
  permissionNames,
  Type,
  userId,
} from '@bourse/api';
import { OPERATOR, shortened, submit } from '@bourse/engine';
import { sandboxRefusal } from '../sandbox-errors.ts';
import type { Sandbox } from '../sandbox.ts';
import { type ControlRoute, controlRoute } from './route.ts';

const Text = Type.String();
const AUDIT = { by: 'sandbox', why: 'a test wants it' };
const KEY_VERSION = 3;
const PERMISSIONS: readonly Permission[] = ['general', 'spot', 'flex-transfers', 'withdrawal'];
const ACCOUNTS = ['main', 'trade'] as const;

type Account = (typeof ACCOUNTS)[number];

export const MONEY_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'use-faucet',
    method: 'POST',
    path: '/faucet',
    summary: 'Credits a user with an ordinary deposit of any size.',
    body: { user: Text, currency: Text, amount: Text, account: Type.Optional(Text) },
    async handle({ sandbox, body }) {
      const { services } = sandbox.world;
      const { number: user } = findUser(services, body.user);
      const currency = findCurrency(services, body.currency);
      const amount = parsePositive(body.amount, currency);
      const account = parseAccount(body.account ?? 'main');
      await submitAll(sandbox, depositOf(sandbox, user, currency, amount, account));
      const { available, hold } = await services.port.read((exchange) =>
        exchange.balance(user, account, currency.number),
      );
      return { balance: formatMoney(available + hold, currency.scale) };
    },
  }),
  controlRoute({
    id: 'add-sandbox-user',
    method: 'POST',
    path: '/users',
    summary: 'Creates a user with an API key that has every permission, and money in TRADE.',
    body: {
      name: Type.String({ minLength: 1, maxLength: 64 }),
      balances: Type.Optional(Type.Record(Text, Text)),
    },
    async handle({ sandbox, body: { name, balances = {} } }) {
      const { services } = sandbox.world;
      const amounts = Object.entries(balances).map(([code, text]) => {
        const currency = findCurrency(services, code);
        return { currency, amount: parsePositive(text, currency) };
      });
      const [added] = await submitAll(sandbox, [{ kind: 'add-user', name, ...AUDIT }]);
      if (added.kind !== 'added') throw new Error(`a new user came to '${added.kind}'`);
      const user = added.id;
      const { apiKey, apiSecret, apiPassphrase } = credentialsOf(sandbox.seed, name);
      const secret = services.secrets.seal(apiSecret, apiPassphrase);
      const key = {
        key: apiKey,
        user,
        version: KEY_VERSION,
        permissions: PERMISSIONS,
        ipAllowList: [],
        secret,
      };
      await submitAll(sandbox, [
        { kind: 'add-key', ...key, ...AUDIT },
        ...amounts.flatMap(({ currency, amount }) => depositOf(sandbox, user, currency, amount, 'trade')),
      ]);
      const permissions = permissionNames(PERMISSIONS);
      return { name, userId: userId(user), parent: null, apiKey, apiSecret, apiPassphrase, permissions };
    },
  }),
];

function depositOf(
  sandbox: Sandbox,
  user: number,
  currency: Currency,
  amount: bigint,
  account: Account,
): Command[] {
  const [{ chainId: chain }] = currency.chains;
  const txId = `faucet-${sandbox.nextTag()}`;
  const what = { user, currency: currency.number, amount };
  const deposit: Command = {
    kind: 'report-deposit',
    ...what,
    chain,
    txId,
    travelRule: false,
    isTestMoney: true,
    ...AUDIT,
  };
  if (account === 'main') return [deposit];
  return [
    deposit,
    { kind: 'transfer', ...what, type: 'internal', clientId: txId, from: 'main', to: 'trade' },
  ];
}

/** Submitted together, so that no other command comes in between. Throws the first rejection. */
async function submitAll({ world }: Sandbox, commands: readonly Command[]): Promise<Outcome[]> {
  const { port, catalogue } = world.services;
  const answers = await Promise.all(commands.map((command) => submit(port, command, OPERATOR)));
  return answers.map(({ outcome }, at) => {
    if (outcome.kind !== 'rejected') return outcome;
    const { rejection } = outcome;
    const command = commands[at];
    const about =
      'currency' in command && command.currency !== undefined
        ? { currency: catalogue.currencyAt(command.currency) }
        : {};
    const { detail, message } = explain(rejection, catalogue, about);
    throw sandboxRefusal(rejection.code, detail || message);
  });
}

/** Derived from the seed and the name: a user has the same key in every sandbox with the seed. */
function credentialsOf(seed: number, name: string) {
  const digest = (what: string) => createHash('sha256').update(`${what} ${seed} ${name}`).digest('hex');
  const secret = digest('secret');
  const parts = [secret.slice(0, 8), secret.slice(8, 12), secret.slice(12, 16), secret.slice(16, 20)];
  return {
    apiKey: digest('key').slice(0, 24),
    apiSecret: [...parts, secret.slice(20, 32)].join('-'),
    apiPassphrase: digest('passphrase').slice(0, 16),
  };
}

/** Only for currencies that accept deposits. */
function parsePositive(text: string, currency: Currency): bigint {
  const { code, chains } = currency;
  if (chains.length === 0) {
    const none = `currency: ${code} has no chain; add one with POST /operator/v1/currencies/${code}.`;
    throw sandboxRefusal('value-invalid', none);
  }
  const amount = parseAmount(text, currency);
  if (amount > 0n) return amount;
  throw sandboxRefusal('value-invalid', `amount: ${shortened(text)} must be more than 0.`);
}

function parseAccount(text: string): Account {
  const account = text.toLowerCase();
  if (account === 'main' || account === 'trade') return account;
  throw sandboxRefusal(
    'value-invalid',
    `account: '${shortened(text)}' is not one of ${ACCOUNTS.join(', ')}.`,
  );
}
