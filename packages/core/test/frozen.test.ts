/**
 * If a user or its master is frozen, every command of the user except cancelling is rejected. The table has every
 * command of users; a new one does not compile until it is added.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMarket } from '@bourse/test-kit/market.ts';
import { type Administration, type Command, Exchange, type Outcome, RULES_VERSION } from '../src/index.ts';

/** Commands of operators, and of users for their sub-accounts. */
type ForSubAccounts = 'add-user' | 'add-key' | 'change-key' | 'remove-key';
type UserKind = Exclude<Command['kind'], Administration['kind']> | ForSubAccounts | 'add-address';
type Made = { readonly user: number; readonly sub: number; readonly ids: Readonly<Record<string, number>> };

const order = { symbol: 0, type: 'limit', side: 'buy', price: 1000, size: 1 } as const;
const audit = { by: 'user', why: 'a test' };
const key = { version: 3, permissions: ['general'], ipAllowList: [], secret: 'sealed' } as const;
const refused = 'rejected user-frozen';

/** The command, and its outcome while the user is frozen. */
const COMMANDS: Readonly<Record<UserKind, readonly [(made: Made) => Command, string]>> = {
  'place-order': [({ user }) => ({ kind: 'place-order', user, ...order }), refused],
  'place-orders': [({ user }) => ({ kind: 'place-orders', user, orders: [order] }), refused],
  'test-order': [({ user }) => ({ kind: 'test-order', user, ...order }), refused],
  'place-stop-order': [
    ({ user }) => ({ kind: 'place-stop-order', user, ...order, stop: 'loss', stopPrice: 900 }),
    refused,
  ],
  'place-oco-order': [
    ({ user }) => ({
      kind: 'place-oco-order',
      user,
      symbol: 0,
      side: 'buy',
      price: 900,
      size: 1,
      stopPrice: 1100,
      limitPrice: 1110,
    }),
    refused,
  ],
  'alter-order': [
    ({ user, ids }) => ({ kind: 'alter-order', user, symbol: 0, order: ids['order']!, newPrice: 990 }),
    refused,
  ],
  transfer: [
    ({ user }) => ({
      kind: 'transfer',
      user,
      type: 'internal',
      clientId: 't',
      currency: 1,
      amount: 10n ** 8n,
      from: 'trade',
      to: 'main',
    }),
    refused,
  ],
  'request-withdrawal': [({ user }) => withdrawal(user), refused],
  'ask-address': [({ user }) => ({ kind: 'ask-address', user, currency: 1, chain: 'net' }), refused],
  'add-address': [
    ({ user }) => ({ kind: 'add-address', user, currency: 1, chain: 'net', address: 'here', memo: '' }),
    refused,
  ],
  'submit-questionnaire': [
    ({ user, ids }) => ({
      kind: 'submit-questionnaire',
      user,
      travelRuleId: ids['travelRule']!,
      senderType: 'individual',
      info: '{}',
    }),
    refused,
  ],
  'add-user': [
    ({ user }) => ({ kind: 'add-user', name: `sub-of-${user}`, parent: user, sender: user, ...audit }),
    refused,
  ],
  'add-key': [
    ({ user, sub }) => ({ kind: 'add-key', user: sub, key: 'new', ...key, sender: user, ...audit }),
    refused,
  ],
  'change-key': [
    ({ user }) => ({ kind: 'change-key', key: 'old', note: 'x', sender: user, ...audit }),
    refused,
  ],
  'remove-key': [({ user }) => ({ kind: 'remove-key', key: 'old', sender: user, ...audit }), 'accepted'],
  'cancel-order': [
    ({ user, ids }) => ({ kind: 'cancel-order', user, symbol: 0, order: ids['order']! }),
    'order',
  ],
  'reduce-order': [
    ({ user, ids }) => ({ kind: 'reduce-order', user, symbol: 0, order: ids['order']!, size: 1 }),
    'order',
  ],
  'cancel-orders': [({ user }) => ({ kind: 'cancel-orders', user }), 'cancelled'],
  'cancel-stop-order': [
    ({ user, ids }) => ({ kind: 'cancel-stop-order', user, symbol: 0, order: ids['stop']! }),
    'accepted',
  ],
  'cancel-oco-order': [
    ({ user, ids }) => ({ kind: 'cancel-oco-order', user, symbol: 0, order: ids['oco']! }),
    'cancelled',
  ],
  'cancel-withdrawal': [
    ({ user, ids }) => ({ kind: 'cancel-withdrawal', user, withdrawal: ids['withdrawal']! }),
    'accepted',
  ],
  'set-switch': [({ user }) => ({ kind: 'set-switch', user, timeoutSec: 10, symbols: [] }), 'switch'],
};

const withdrawal = (user: number): Command => ({
  kind: 'request-withdrawal',
  user,
  currency: 1,
  chain: 'net',
  amount: 10n ** 8n,
  address: 'there',
  memo: '',
});

class World {
  readonly exchange = new Exchange();

  send(command: Command): Outcome {
    const { exchange } = this;
    const record = { seq: exchange.seq + 1, time: 1000, rules: RULES_VERSION, commands: [command] };
    return exchange.apply(record).outcomes.decode()[0];
  }

  id(command: Command): number {
    const outcome = this.send(command);
    if (outcome.kind === 'added') return outcome.id;
    if (outcome.kind === 'order') return outcome.order;
    if (outcome.kind === 'deposit') return outcome.travelRuleId;
    return assert.fail(
      JSON.stringify(outcome, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
  }

  /** A master with a sub-account; either of them may be the one that acts. */
  static open(actor: 'master' | 'sub-account'): World & Made & { readonly master: number } {
    const world = new World();
    for (const command of openMarket()) world.send(command);
    const master = world.id({ kind: 'add-user', name: 'master' });
    const sub = world.id({ kind: 'add-user', name: 'sub', parent: master });
    const user = actor === 'master' ? master : sub;
    const deposit = { kind: 'report-deposit', user, currency: 1, chain: 'net', amount: 10n ** 12n } as const;
    world.send({ ...deposit, txId: 'a', travelRule: false });
    const transfer = { kind: 'transfer', user, type: 'internal', clientId: 'x', currency: 1 } as const;
    world.send({ ...transfer, amount: 10n ** 11n, from: 'main', to: 'trade' });
    world.send({ kind: 'add-key', user: sub, key: 'old', ...key });
    const build = (kind: UserKind): Command => COMMANDS[kind][0]({ user, sub, ids: {} });
    const ids = {
      order: world.id({ ...build('place-order'), size: 2 } as Command),
      stop: world.id(build('place-stop-order')),
      oco: world.id(build('place-oco-order')),
      withdrawal: world.id(withdrawal(user)),
      travelRule: world.id({ ...deposit, txId: 'b', travelRule: true }),
    };
    return Object.assign(world, { user, sub, master, ids });
  }
}

const said = (outcome: Outcome): string =>
  outcome.kind === 'rejected' ? `rejected ${outcome.rejection.code}` : outcome.kind;

for (const [name, frozen, actor] of [
  ['the user itself', 'user', 'master'],
  ['the sub-account itself', 'user', 'sub-account'],
  ['the master of the user', 'master', 'sub-account'],
] as const) {
  for (const [kind, [build, expected]] of Object.entries(COMMANDS)) {
    // A sub-account has none of its own.
    if (actor === 'sub-account' && kind === 'remove-key') continue;
    test(`${kind} while ${name} is frozen: ${expected}`, () => {
      const world = World.open(actor);
      world.send({ kind: 'change-user', user: world[frozen], frozen: true });
      assert.equal(said(world.send(build(world))), expected);
      const copy = Exchange.restore(world.exchange.snapshot());
      assert.equal(copy.reference.isFrozen(world.user), true, 'after a restore too');
    });
  }
}

test('each command of the table is accepted from a master that is not frozen', () => {
  for (const [kind, [build]] of Object.entries(COMMANDS)) {
    const world = World.open('master');
    assert.notEqual(world.send(build(world)).kind, 'rejected', kind);
  }
});

test('a master cannot add or change keys of a frozen sub-account, but may remove them', () => {
  const world = World.open('master');
  world.send({ kind: 'change-user', user: world.sub, frozen: true });
  assert.equal(said(world.send(COMMANDS['add-key'][0](world))), refused);
  assert.equal(said(world.send(COMMANDS['change-key'][0](world))), refused);
  assert.equal(said(world.send(COMMANDS['remove-key'][0](world))), 'accepted');
});
