import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exchange } from '@bourse/core';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';
import { openSymbols } from '../../src/gateway/routes/orders/lookup.ts';
import type { Services } from '../../src/gateway/services.ts';

test('the symbols with orders of a user are found without looking at every order', async () => {
  const venue = new Venue(new Exchange(), 1_767_225_600_000);
  const [base, quote] = [venue.make(currency('BASE', 2, 2)), venue.make(currency('QUOTE', 3, 3))];
  const [traded] = ['A-QUOTE', 'B-QUOTE'].map((code) => venue.make(symbol(code, base, quote)));
  const [buyer, other] = ['buyer', 'other'].map((name) => venue.make({ kind: 'add-user', name }));
  venue.fund(buyer, quote, 1_000_000n);
  const order = { symbol: traded, type: 'limit', side: 'buy', price: 100, size: 10 } as const;
  for (let at = 0; at < 3; at++) venue.place(buyer, order);
  const { exchange } = venue;
  // All sub-accounts of one master may request it at the same moment, each with the maximum number of orders.
  for (const each of ['openOrders', 'orderPlaces'] as const) {
    Object.assign(exchange, { [each]: () => assert.fail(`${each} looks at every order`) });
  }
  const services = {
    port: { read: async <T>(query: (each: Exchange) => T) => query(exchange) },
    catalogue: { symbols: () => exchange.reference.symbols() },
  } as unknown as Services;
  const codes = async (user: number) => (await openSymbols(services, user)).map(({ code }) => code);
  assert.deepEqual([await codes(buyer), await codes(other)], [['A-QUOTE'], []]);
});
