/** The core as scenarios see it; its queries are compared with its events. */

import assert from 'node:assert/strict';
import { Exchange } from '../../src/index.ts';
import { type OrderState, remaining, type State } from './language/state.ts';
import type { Engine } from './language/engine.ts';

const SYSTEM = ['fees', 'outside', 'waiting', 'suspense'] as const;

export function newEngine(): Engine {
  const exchange = new Exchange();
  return {
    apply: (record) => {
      const { outcomes, events } = exchange.apply(record);
      return { outcomes: outcomes.decode(), events: events.decode() };
    },
    verify: (state) => {
      verify(exchange, state);
      verifyReference(exchange, state);
    },
  };
}

function verify(exchange: Exchange, state: State): void {
  for (const { symbol } of state.symbols) {
    for (const side of ['buy', 'sell'] as const) {
      const levels = exchange.depth(symbol, side, 10_000).map(({ price, size }) => ({ price, size }));
      assert.deepEqual(levels, state.depth(symbol, side), `depth of symbol ${symbol}, ${side}`);
    }
  }
  for (const [id, order] of state.orders) if (order.state === 'open') verifyOrder(exchange, id, order);
  for (const [key, { available, hold }] of state.balances) {
    const [user = '', account = '', currency = ''] = key.split(' ');
    const system = SYSTEM.find((name) => name === account);
    if (system !== undefined) {
      assert.equal(exchange.systemBalance(system, Number(currency)), available, `balance ${key}`);
      continue;
    }
    const balance = exchange.balance(Number(user), account as 'main' | 'trade', Number(currency));
    assert.deepEqual(
      { available: balance.available, hold: balance.hold },
      { available, hold },
      `balance ${key}`,
    );
  }
}

/** Compares the queries for users and addresses with the events. */
function verifyReference({ reference }: Exchange, state: State): void {
  for (const { number, name, tier, frozen } of reference.users) {
    assert.equal(name, state.users[number]);
    const changed = state.latest.get(`standing ${number}`);
    const expected = changed?.kind === 'user-changed' ? changed : { tier: 0, frozen: false };
    assert.deepEqual([tier, frozen], [expected.tier, expected.frozen], `user ${name}`);
    for (const { currency } of state.currencies) {
      const addresses = reference.addressesOf(number, currency);
      const told = [...state.latest.values()]
        .filter((event) => event.kind === 'address-set')
        .filter((event) => event.user === number && event.currency === currency)
        .map((event) => {
          const { kind, ...address } = event;
          assert.equal(kind, 'address-set');
          return address;
        })
        .toSorted((a, b) => (a.chain < b.chain ? -1 : 1));
      assert.deepEqual(addresses, told, `addresses of ${name}`);
    }
  }
}

function verifyOrder(exchange: Exchange, id: number, { received, ...order }: OrderState): void {
  const view = exchange.order(id);
  assert.ok(view !== null, `order ${id} is open but unknown`);
  const { kind: _kind, funds: _funds, ...fields } = received;
  const expected = {
    ...fields,
    dealSize: order.dealSize,
    dealFunds: order.dealFunds,
    fee: order.fee,
    cancelledSize: order.cancelledSize,
    remaining: remaining({ received, ...order }),
    hold: order.held,
  };
  assert.partialDeepStrictEqual(view, expected, `order ${id}`);
  const own = exchange.openOrders(received.user, received.symbol).map((other) => other.order);
  assert.ok(own.includes(id), `order ${id} is not among the open ones of its user`);
}
