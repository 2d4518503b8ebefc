// Currencies, symbols and fee rates, as the document lists them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from './client.ts';
import { UserClient, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { units } from './money.ts';
import { chain, each, exactly, symbol } from './shapes.ts';

const service = sharedService();
const alice = new UserClient(service, 'alice');
const sub = new UserClient(service, 'alice-sub');

const currency = {
  currency: 'string',
  name: 'string',
  fullName: 'string',
  precision: 'integer',
  confirms: ['integer', 'null'],
  contractAddress: ['string', 'null'],
  isMarginEnabled: 'boolean',
  isDebitEnabled: 'boolean',
} as const;

async function detail(path: string): Promise<Record<string, unknown>> {
  const answer = await alice.public(`/api/v3/currencies/${path}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body as object).toSorted(), ['code', 'data']);
  assert.equal(at(answer.body, 'code'), '200000');
  const { chains, ...rest } = at(answer.body, 'data') as Record<string, unknown>;
  exactly(rest, currency, 'currency');
  each(chains, chain, 'chains');
  return { ...rest, chains };
}

test('a currency is public, and it and its chains have exactly the documented fields', async () => {
  for (const code of ['BTC', 'ETH', 'USDT']) {
    const found = await detail(code);
    assert.equal(found.currency, code);
    assert.ok((found.chains as unknown[]).length > 0);
  }
});

test('the chain parameter restricts the chains of a currency to that chain', async () => {
  const chains = (await detail('USDT')).chains as Record<string, unknown>[];
  assert.ok(chains.length > 1);
  for (const { chainId } of chains) {
    const one = (await detail(`USDT?chain=${String(chainId)}`)).chains as Record<string, unknown>[];
    assert.deepEqual(
      one.map((found) => found.chainId),
      [chainId],
    );
  }
});

test('an unknown currency is an error with code and msg', async () => {
  const answer = await alice.public('/api/v3/currencies/NOSUCH');
  assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
  refusal(answer, answer.status, /^\d{6}$/);
});

test('a parameter given twice is an error', async () => {
  refusal(await alice.public('/api/v3/currencies/USDT?chain=eth&chain=trx'), 400, '400100', /chain/);
  refusal(await alice.public('/api/v2/symbols?market=BTC&market=USDS'), 400, '400100', /market/);
});

test('the symbols list is a bare array with exactly the documented fields', async () => {
  const answer = await alice.public('/api/v2/symbols');
  assert.equal(answer.status, 200);
  const symbols = each(answer.body, symbol, 'symbols');
  for (const code of ['BTC-USDT', 'ETH-USDT', 'ETH-BTC']) {
    assert.ok(
      symbols.some((found) => found.symbol === code),
      code,
    );
  }
  for (const found of symbols as Record<string, string>[]) {
    assert.ok(units(found.baseMinSize) <= units(found.baseMaxSize), found.symbol);
    assert.ok(units(found.quoteMinSize) <= units(found.quoteMaxSize), found.symbol);
    assert.equal(units(found.baseMinSize) % units(found.baseIncrement), 0n, found.symbol);
    assert.equal(found.feeCurrency, found.quoteCurrency, found.symbol);
  }
});

test('the market filter returns only that market, and an unknown market returns an empty list', async () => {
  const all = (await alice.public('/api/v2/symbols')).body as Record<string, unknown>[];
  const some = (await alice.public('/api/v2/symbols?market=BTC')).body as Record<string, unknown>[];
  assert.deepEqual(
    some,
    all.filter((found) => found.market === 'BTC'),
  );
  assert.ok(some.length > 0 && some.length < all.length);
  const none = await alice.public('/api/v2/symbols?market=NOSUCH');
  assert.equal(none.status, 200);
  assert.deepEqual(none.body, []);
});

const fees = async (client: UserClient, symbols: string) =>
  client.call('GET', `/api/v1/trade-fees?symbols=${symbols}`);

test('fee rates are returned in envelope A, with one entry per requested pair', async () => {
  const answer = await fees(alice, 'BTC-USDT,ETH-BTC');
  assert.equal(answer.status, 200, answer.text);
  assert.equal(at(answer.body, 'code'), '200000');
  assert.deepEqual(Object.keys(answer.body as object).toSorted(), ['code', 'data']);
  assert.deepEqual(at(answer.body, 'data'), [
    { symbol: 'BTC-USDT', takerFeeRate: '0.001', makerFeeRate: '0.001' },
    { symbol: 'ETH-BTC', takerFeeRate: '0.0015', makerFeeRate: '0.0005' },
  ]);
});

test('a sub-account has the fee rates of its master', async () => {
  const pairs = 'BTC-USDT,ETH-USDT,ETH-BTC';
  assert.deepEqual((await fees(sub, pairs)).body, (await fees(alice, pairs)).body);
});

test('one call returns the fee rates of ten pairs, and a call for eleven is rejected', async () => {
  const symbols = (await alice.public('/api/v2/symbols')).body as { symbol: string }[];
  const names = symbols.map((found) => found.symbol);
  assert.ok(names.length >= 11);
  const ten = await fees(alice, names.slice(0, 10).join(','));
  assert.equal(ten.status, 200, ten.text);
  assert.equal((at(ten.body, 'data') as unknown[]).length, 10);
  refusal(await fees(alice, names.slice(0, 11).join(',')), 400, '400100', /10/);
});

test('a call for fee rates needs the symbols parameter', async () => {
  refusal(await alice.call('GET', '/api/v1/trade-fees'), 400, '400100', /symbols/);
  refusal(await fees(alice, ''), 400, /^(400100|900001)$/);
  const unknown = await fees(alice, 'NO-SUCH');
  refusal(unknown, 400, '900001');
});

test('fee rates are private: a request without authentication headers is rejected', async () => {
  refusal(await alice.public('/api/v1/trade-fees?symbols=BTC-USDT'), 400, '400001');
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
