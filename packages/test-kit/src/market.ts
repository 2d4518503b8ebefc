/** Commands for a small market: two users with money in AAA-BBB, prices in tenths, sizes in hundredths. */

import type { Command, OrderRequest, PlaceOrder } from '@bourse/core';
import { Random } from './random.ts';
import { CHAIN } from './venue.ts';

const currency = (code: string): Command => ({
  kind: 'add-currency',
  code,
  precision: 4,
  scale: 4,
  name: code,
  fullName: code,
  confirms: null,
  contractAddress: null,
  isMarginEnabled: false,
  isDebitEnabled: true,
  chains: [CHAIN],
});

export const MARKET: Command = {
  kind: 'add-symbol',
  code: 'AAA-BBB',
  base: 0,
  quote: 1,
  name: 'AAA-BBB',
  market: 'USDS',
  baseIncrement: '0.01',
  baseMinSize: '0.01',
  baseMaxSize: '100000',
  quoteMinSize: '0.1',
  quoteMaxSize: '10000000',
  quoteIncrement: '0.01',
  priceIncrement: '0.1',
  priceLimitRate: '1000',
  minFunds: '0',
  isMarginEnabled: false,
  enableTrading: true,
};

const WEALTH = 10n ** 12n;

function fund(user: number, money: number): Command[] {
  const name = `fund-${user}-${money}`;
  const moved = { user, currency: money, amount: WEALTH };
  return [
    { kind: 'report-deposit', ...moved, chain: 'net', txId: name, travelRule: false },
    { kind: 'transfer', ...moved, type: 'internal', clientId: name, from: 'main', to: 'trade' },
  ];
}

/** The commands before the first order. */
export function openMarket(users = 2): Command[] {
  const commands: Command[] = [currency('AAA'), currency('BBB'), MARKET];
  for (let user = 0; user < users; user++) {
    commands.push({ kind: 'add-user', name: `user${user}` }, ...fund(user, 0), ...fund(user, 1));
  }
  return commands;
}

export function order(
  user: number,
  side: 'buy' | 'sell',
  price: number,
  size: number,
  more: Partial<OrderRequest> = {},
): PlaceOrder {
  return { kind: 'place-order', user, symbol: 0, type: 'limit', side, price, size, ...more };
}

/** A flow of limit orders and cancels around a price, some of which trade; the same seed gives the same flow. */
export function* orderFlow(seed: number, count: number, users = 2): Generator<Command> {
  const random = new Random(seed);
  for (let i = 0; i < count; i++) {
    const user = random.below(users);
    if (random.below(4) === 0) {
      yield { kind: 'cancel-orders', user, symbol: 0 };
      continue;
    }
    const clientId = random.below(3) === 0 ? { clientId: `c-${seed}-${i}` } : {};
    yield order(
      user,
      random.below(2) === 0 ? 'buy' : 'sell',
      1000 + 10 * random.below(20),
      1 + random.below(500),
      clientId,
    );
  }
}
