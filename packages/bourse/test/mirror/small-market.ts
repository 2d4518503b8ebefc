/** A few minutes of a small market, always the same: the data for the queries of docs/operating/mirror.md. */

import type { Command, LogRecord } from '@bourse/core';
import { RULES_VERSION } from '@bourse/core';
import { openMarket, order } from '@bourse/test-kit/market.ts';

const START = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;
const NAMES = new Map([
  ['AAA', 'BTC'],
  ['BBB', 'USDT'],
  ['AAA-BBB', 'BTC-USDT'],
  ['user0', 'alice'],
  ['user1', 'bob'],
  ['user2', 'carol'],
]);

/** Prices in thousandths and sizes in hundredths, like the market. */
const [ALICE, BOB, CAROL] = [0, 1, 2];
const TRADING: readonly (readonly Command[])[] = [
  [order(ALICE, 'sell', 10_000, 200, { clientId: 'ask-1' }), order(ALICE, 'sell', 10_100, 300)],
  [order(BOB, 'buy', 10_000, 150)],
  [order(CAROL, 'buy', 10_100, 250)],
  [order(CAROL, 'buy', 9900, 400, { clientId: 'bid-1' }), order(BOB, 'sell', 9900, 100)],
  [order(BOB, 'buy', 9800, 500), order(ALICE, 'buy', 9700, 100)],
  [
    { kind: 'cancel-orders', user: ALICE, symbol: 0 },
    { kind: 'change-user', user: BOB, tier: 3, by: 'olga', why: 'market maker since today' } as Command,
  ],
];

export function smallMarket(): LogRecord[] {
  const opening = openMarket(3).map(renamed);
  return [opening, ...TRADING].map((commands, at) => ({
    seq: at + 1,
    time: START + at * MINUTE_MS,
    rules: RULES_VERSION,
    commands,
  }));
}

function renamed(command: Command): Command {
  const fields = Object.entries(command).map(([name, value]) => [name, NAMES.get(value as string) ?? value]);
  return Object.fromEntries(fields) as Command;
}
