// The sort order of the market list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SymbolInfo } from '@bourse/client';
import type { DayTicker } from '../src/exchange/market-data.ts';
import { inOrder } from '../src/terminal/markets/market-order.ts';

const market = (symbol: string): SymbolInfo => {
  const [baseCurrency, quoteCurrency] = symbol.split('-');
  return { symbol, baseCurrency, quoteCurrency } as SymbolInfo;
};
const day = (symbol: string, last: string | null, volValue: string | null, changeRate: string | null) =>
  [symbol, { symbol, last, volValue, changeRate } as DayTicker] as const;

const markets = ['XRP-USDT', 'BTC-USDT', 'ETH-BTC', 'ADA-USDT'].map(market);
const days = new Map([
  day('XRP-USDT', '0.5', '90000', '-0.02'),
  day('BTC-USDT', '50000', '1000000', '0.01'),
  day('ETH-BTC', '0.05', '3', '0.10'),
  day('ADA-USDT', null, null, null),
]);
const orderOf = (order: string): string =>
  inOrder(markets, days, order)
    .map(({ baseCurrency }) => baseCurrency)
    .join(' ');

test('by name, price and change in both directions, with markets without a figure last', () => {
  assert.equal(orderOf('name'), 'ADA BTC ETH XRP');
  assert.equal(orderOf('-name'), 'XRP ETH BTC ADA');
  assert.equal(orderOf('-change'), 'ETH BTC XRP ADA');
  assert.equal(orderOf('change'), 'XRP BTC ETH ADA');
  assert.equal(orderOf('price'), 'ETH XRP BTC ADA');
});

test('turnovers in different currencies are compared by their worth: 3 BTC are more than 90,000 USDT', () => {
  assert.equal(orderOf('-volume'), 'BTC ETH XRP ADA');
  assert.equal(orderOf('volume'), 'XRP ETH BTC ADA');
});

test('without an order, or with an unknown one, as the exchange lists them', () => {
  for (const order of ['', '-', 'constructor']) assert.equal(orderOf(order), 'XRP BTC ETH ADA');
});
