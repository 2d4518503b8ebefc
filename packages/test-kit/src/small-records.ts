/** Records that do something and are small, because every bit of them is flipped. */

import type { Command, LogRecord } from '@bourse/core';
import { currency, symbol } from './venue.ts';
import { Random } from './random.ts';

const USERS = 3;
const UNIT = 10n ** 12n;

function opening(): Command[][] {
  const users = Array.from({ length: USERS }, (_, user) => user);
  return [
    [currency('BTC', 8, 8), currency('USD', 8, 8), symbol('BTC-USD', 0, 1)],
    users.map((user) => ({ kind: 'add-user', name: `u${user}` })),
    ...users.map((user) => [0, 1].flatMap((money) => fund(user, money))),
  ];
}

function fund(user: number, money: number): Command[] {
  const txId = `t${user}${money}`;
  return [
    { kind: 'report-deposit', user, currency: money, chain: 'net', amount: UNIT, txId, travelRule: false },
    {
      kind: 'transfer',
      user,
      type: 'internal',
      clientId: txId,
      currency: money,
      amount: UNIT,
      from: 'main',
      to: 'trade',
    },
  ];
}

/** Records with orders that rest, match and are cancelled, and occasionally one that only advances time. */
export function smallRecords(seed: number, count: number): LogRecord[] {
  const random = new Random(seed);
  const commands = opening();
  while (commands.length < count) {
    commands.push(random.chance(0.1) ? [] : Array.from({ length: random.range(1, 3) }, () => draw(random)));
  }
  return commands.map((each, index) => ({
    seq: index + 1,
    time: 1_700_000_000_000 + index * 250,
    rules: 1,
    commands: each,
  }));
}

function draw(random: Random): Command {
  const user = random.below(USERS);
  if (random.chance(0.2)) return { kind: 'cancel-order', user, symbol: 0, order: random.range(1, 200) };
  const side = random.chance(0.5) ? 'buy' : 'sell';
  const order = { symbol: 0, type: 'limit', side, price: 100 * random.range(95, 105), size: 10_000 } as const;
  if (random.chance(0.1))
    return { kind: 'place-orders', user, orders: [order, { ...order, clientId: 'second' }] };
  return { kind: 'place-order', user, ...order };
}
