import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Command, Exchange, formatUnits } from '@bourse/core';
import { CURRENCIES, SYMBOLS } from '../../../sandbox/src/reference-data.ts';
import { seedCommands, seedState } from '../../../sandbox/src/seed.ts';
import { KEYS, SANDBOX_OPERATOR_TOKEN, USERS } from '../../../sandbox/src/users.ts';

const seal = (secret: string, passphrase: string) => `${secret} ${passphrase}`;

function apply(exchange: Exchange, commands: readonly Command[]) {
  const { outcomes } = exchange.apply({ seq: exchange.seq + 1, time: 1_700_000_000_000, commands });
  return outcomes.decode();
}

function sandbox(): Exchange {
  const exchange = new Exchange();
  for (const outcome of apply(exchange, seedCommands(seal))) assert.notEqual(outcome.kind, 'rejected');
  return exchange;
}

const MASTER = ['1000000', '100', '1000'];
const number = (code: string) => CURRENCIES.findIndex((each) => each.code === code);
const show = (units: bigint) => formatUnits(units, 12);

describe('the seed of the sandbox', () => {
  const exchange = sandbox();

  test('is accepted as a whole, with every currency, symbol, user and key', () => {
    const { reference, counts } = exchange;
    assert.deepEqual(
      { ...counts, keys: reference.keys().length },
      {
        users: USERS.length,
        symbols: SYMBOLS.length,
        currencies: CURRENCIES.length,
        orders: 0,
        keys: KEYS.length,
      },
    );
    assert.ok(SYMBOLS.length >= 15);
  });

  test('masters have 1000000 USDT, 100 BTC and 1000 ETH in MAIN and in TRADE, and the sub-account has 10000 USDT in TRADE', () => {
    for (const [user, { name }] of USERS.entries()) {
      const balances = (['main', 'trade'] as const).map((type) =>
        ['USDT', 'BTC', 'ETH'].map((code) => show(exchange.balance(user, type, number(code)).available)),
      );
      const wanted =
        name === 'alice-sub'
          ? [
              ['0', '0', '0'],
              ['10000', '0', '0'],
            ]
          : [MASTER, MASTER];
      assert.deepEqual(balances, wanted, name);
    }
  });

  test('masters have every currency in MAIN and in TRADE, so that every symbol can be bought and sold', () => {
    for (const [user, { parent }] of USERS.entries()) {
      if (parent) continue;
      for (const { base, quote } of SYMBOLS) {
        for (const code of [base, quote]) {
          for (const type of ['main', 'trade'] as const) {
            assert.ok(exchange.balance(user, type, number(code)).available > 0n, `${code} in ${type}`);
          }
        }
      }
    }
  });

  test('all balances of each currency sum to zero', () => {
    for (const currency of CURRENCIES.keys()) {
      let sum = exchange.systemBalance('outside', currency);
      for (const user of USERS.keys()) {
        for (const type of ['main', 'trade'] as const)
          sum += exchange.balance(user, type, currency).available;
      }
      assert.equal(sum, 0n);
    }
  });

  test('fees are 0.001, and on ETH-BTC 0.0005 for makers and 0.0015 for takers, also of a sub-account', () => {
    for (const user of USERS.keys()) {
      for (const [symbol, { code }] of SYMBOLS.entries()) {
        const wanted =
          code === 'ETH-BTC' ? { maker: 50_000, taker: 150_000 } : { maker: 100_000, taker: 100_000 };
        const { maker, taker } = exchange.reference.rates(user, symbol);
        assert.deepEqual({ maker, taker }, wanted, code);
      }
    }
  });

  test('keys have the format of the family, names are unique, and alice-viewer can only read', () => {
    for (const { apiKey, apiSecret, apiPassphrase } of KEYS) {
      assert.match(apiKey, /^[0-9a-f]{24}$/);
      assert.match(apiSecret, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.match(apiPassphrase, /^[\x21-\x7e]{7,32}$/);
    }
    assert.equal(new Set(KEYS.map(({ apiKey }) => apiKey)).size, KEYS.length);
    const viewer = KEYS.find(({ name }) => name === 'alice-viewer');
    assert.deepEqual([viewer?.user, viewer?.permissions], ['alice', ['general']]);
  });

  test('every currency has 12 decimal places, and every symbol has its base and quote', () => {
    assert.ok(CURRENCIES.every(({ scale, precision }) => scale === 12 && precision === 8));
    for (const { base, quote } of SYMBOLS) assert.ok(number(base) >= 0 && number(quote) >= 0);
  });
});

test('the page on the sandbox lists every key and symbol correctly', () => {
  const page = readFileSync(new URL('../../../../docs/operating/sandbox.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const has = (...cells: string[]) =>
    rows.some((row) => cells.every((cell, at) => row.split(' | ')[at]?.includes(cell)));
  for (const { name, apiKey, apiSecret, apiPassphrase } of KEYS) {
    assert.ok(has(name, `\`${apiKey}\``, `\`${apiSecret}\``, `\`${apiPassphrase}\``), name);
  }
  for (const { code, priceIncrement, baseIncrement, baseMinSize, baseMaxSize, minFunds } of SYMBOLS) {
    assert.ok(has(code, priceIncrement, baseIncrement, baseMinSize, baseMaxSize, minFunds), code);
  }
  assert.ok(page.includes(`\`${SANDBOX_OPERATOR_TOKEN}\``));
});

describe('seedState', () => {
  const commands = seedCommands(seal);

  test('distinguishes an empty exchange from a fully seeded one', () => {
    assert.equal(seedState(new Exchange()), 'none');
    assert.equal(seedState(sandbox()), 'whole');
  });

  test('a seeding interrupted anywhere is completed by running it again, with the same final state', () => {
    const whole = sandbox();
    for (let cut = 1; cut < commands.length; cut++) {
      const exchange = new Exchange();
      apply(exchange, commands.slice(0, cut));
      assert.equal(seedState(exchange), 'part', `after ${cut} commands`);
      for (const outcome of apply(exchange, commands)) {
        if (outcome.kind === 'rejected') assert.match(outcome.rejection.code, /^(code|key)-taken$/);
      }
      assert.equal(seedState(exchange), 'whole');
      for (const user of USERS.keys()) {
        for (const currency of CURRENCIES.keys()) {
          assert.deepEqual(exchange.balance(user, 'main', currency), whole.balance(user, 'main', currency));
          assert.deepEqual(exchange.balance(user, 'trade', currency), whole.balance(user, 'trade', currency));
        }
      }
    }
  });

  test('a sandbox of an earlier version, whose masters had three currencies, counts as complete', () => {
    const isMoney = ({ kind }: Command) => kind === 'report-deposit' || kind === 'transfer';
    const isOld = (command: Command) =>
      'currency' in command && ['USDT', 'BTC', 'ETH'].includes(CURRENCIES[command.currency as number].code);
    const rest = commands.filter((command) => !isMoney(command));
    const last = rest.pop()!;
    assert.equal(last.kind, 'set-fees');
    const exchange = new Exchange();
    const keys = rest.findIndex(({ kind }) => kind === 'add-key');
    const money = commands.filter((command) => isMoney(command) && isOld(command));
    const before = [...rest.slice(0, keys), ...money, ...rest.slice(keys), last];
    for (const outcome of apply(exchange, before)) assert.notEqual(outcome.kind, 'rejected');
    assert.equal(seedState(exchange), 'whole');
    assert.equal(exchange.balance(0, 'main', number('KCS')).available, 0n);
  });

  test('a sandbox whose fee rules and symbols were removed still counts as complete', () => {
    const exchange = sandbox();
    const symbol = SYMBOLS.findIndex(({ code }) => code === 'ETH-BTC');
    const outcomes = apply(exchange, [{ kind: 'remove-fees' }, { kind: 'remove-symbol', symbol }]);
    for (const outcome of outcomes) assert.equal(outcome.kind, 'accepted');
    assert.equal(seedState(exchange), 'whole');
  });

  test('an exchange with another first record is not mistaken for a sandbox', () => {
    const exchange = new Exchange();
    apply(exchange, [{ kind: 'add-user', name: 'zoe' }]);
    assert.equal(seedState(exchange), 'foreign');
    const other = new Exchange();
    apply(other, [{ kind: 'set-fees', maker: '0', taker: '0' }]);
    assert.equal(seedState(other), 'foreign');
  });
});
