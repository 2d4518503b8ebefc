// Order rules 1 to 5: what a valid order is.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, limit, market, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { exactly, syncResult } from './shapes.ts';

// BTC-USDT in the sandbox: price 0.1, size 0.00000001 from 0.00001, funds 0.000001 from 0.1, minFunds 0.1.
const pair = 'BTC-USDT';
const service = sharedService();
const alice = new UserClient(service, 'alice');
const bob = new UserClient(service, 'bob');
afterEach(async () => {
  await alice.sweep();
  await bob.sweep();
});

test('an accepted order returns its id in envelope A and nothing else', async () => {
  const id = await alice.place(limit(pair, 'buy', '10000', '0.01'));
  assert.match(id, /^[0-9a-f]{24}$/);
  const seconds = Number.parseInt(id.slice(0, 8), 16);
  assert.ok(Math.abs(seconds - Date.now() / 1000) < 3600, 'the first 8 digits are the time in seconds');
});

test('a sync placement returns exactly the synchronous order result', async () => {
  const answer = await alice.ask(limit(pair, 'buy', '10000', '0.01'), '/api/v1/hf/orders/sync');
  assert.equal(answer.status, 200, answer.text);
  exactly(answer.body, { code: 'digits', data: syncResult });
  const data = at(answer.body, 'data') as Record<string, string>;
  assert.equal(data.status, 'open');
  assert.equal(data.originSize, '0.01');
  assert.equal(data.remainSize, '0.01');
  assert.equal(data.dealSize, '0');
  assert.equal(data.canceledSize, '0');
  assert.ok(Math.abs(Number(data.orderTime) - Date.now()) < 3_600_000, 'milliseconds');
});

test('rule 1: a limit order needs price and size', async () => {
  await alice.refused({ symbol: pair, type: 'limit', side: 'buy', size: '1' }, '400100', /price/);
  await alice.refused({ symbol: pair, type: 'limit', side: 'buy', price: '100' }, '400100', /size/);
});

test('rule 1: a price that is not a multiple of the increment is rejected with the priceIncrement error', async () => {
  await alice.refused(limit(pair, 'buy', '10000.05', '0.01'), '400100', /^Price increment invalid\./);
  await alice.refused(limit(pair, 'buy', '0', '0.01'), /^\d{6}$/);
});

test('rule 2: a size that is not a multiple of the increment is rejected', async () => {
  await alice.refused(
    limit(pair, 'buy', '10000', '0.010000001'),
    /^(600100|400100)$/,
    /^Order size increment invalid\./,
  );
});

test('rule 2: the minimum and the maximum size are accepted, and one increment beyond is rejected', async () => {
  await alice.place(limit(pair, 'buy', '10000', '0.00001'));
  await alice.refused(limit(pair, 'buy', '20000', '0.00000999'), /^(400100|600100)$/);
  await alice.refused(limit(pair, 'sell', '20000', '0'), /^\d{6}$/);
  await alice.refused(limit(pair, 'buy', '0.1', '10000000.00000001'), /^(400100|600100)$/);
  await alice.refused(limit(pair, 'buy', '0.1', '10000000'), '200004');
});

test('rule 3: funds of a market order must be a multiple of quoteIncrement and within their bounds', async () => {
  await bob.place(limit(pair, 'sell', '10000', '1'));
  await alice.refused(market(pair, 'buy', { funds: '1.0000001' }), /^(400100|600100)$/, /^Funds increment/);
  await alice.refused(market(pair, 'buy', { funds: '0.099999' }), /^(400100|600100|600101)$/);
  await alice.refused(market(pair, 'buy', { funds: '0' }), /^\d{6}$/);
  await alice.refused(market(pair, 'buy', { funds: '99999999.000001' }), /^(400100|600100)$/);
  await alice.refused(market(pair, 'buy', { funds: '99999999' }), '200004');
  await alice.place(market(pair, 'buy', { funds: '1' }));
});

test('rule 4: a market order must have either size or funds, not both', async () => {
  await alice.refused(market(pair, 'buy', {}), /^(400100|300000)$/, /size|funds/);
  await alice.refused(market(pair, 'buy', { size: '0.1', funds: '10' }), /^(400100|300000)$/, /size|funds/);
  await alice.refused(market(pair, 'sell', { size: '0.1', funds: '10' }), /^(400100|300000)$/, /size|funds/);
});

test('rule 4: a market order with timeInForce or another field of limit orders is rejected', async () => {
  const limitOnly = [
    { timeInForce: 'GTC' },
    { timeInForce: 'IOC' },
    { cancelAfter: 10 },
    { postOnly: true },
    { hidden: true },
    { iceberg: true, visibleSize: '0.01' },
    { price: '10000' },
  ];
  for (const more of limitOnly) {
    await alice.refused(
      market(pair, 'sell', { size: '0.01', ...more }),
      '400100',
      new RegExp(Object.keys(more)[0]),
    );
  }
});

test('rule 5: on both sides, a limit order below minFunds is rejected and one at minFunds accepted', async () => {
  for (const side of ['buy', 'sell'] as const) {
    const price = side === 'buy' ? '1000' : '10000';
    const under = side === 'buy' ? '0.00009999' : '0.00000999';
    await alice.refused(limit(pair, side, price, under), /^(600101|400100)$/);
  }
  await alice.refused(limit(pair, 'buy', '1000', '0.00009999'), '600101', /more then 0\.1 USDT/);
  await alice.place(limit(pair, 'buy', '1000', '0.0001'));
  await alice.place(limit(pair, 'sell', '10000', '0.00001'));
});

test('rule 5: minFunds of a market order by size uses the last price', async () => {
  // XRP-USDT: least size 0.1, so that at a price of 0.5 the least size is worth less than minFunds.
  await bob.fund('XRP', 'xrp', '1000');
  await bob.place(limit('XRP-USDT', 'sell', '0.5', '10'));
  await alice.place(limit('XRP-USDT', 'buy', '0.5', '10'));
  await alice.place(limit('XRP-USDT', 'buy', '0.5', '10'));
  await bob.refused(market('XRP-USDT', 'sell', { size: '0.1999' }), '600101', /more then 0\.1 USDT/);
  await bob.place(market('XRP-USDT', 'sell', { size: '0.2' }));
});

test('rule 5: before the first trade minFunds of a market order by size uses the best opposite price', async () => {
  await bob.fund('XLM', 'xlm', '1000');
  await alice.place(limit('XLM-USDT', 'buy', '0.5', '10'));
  await bob.refused(market('XLM-USDT', 'sell', { size: '0.1999' }), '600101');
  await bob.place(market('XLM-USDT', 'sell', { size: '0.2' }));
});

test('an unknown pair, side or type is rejected', async () => {
  await alice.refused(limit('NO-SUCH', 'buy', '1', '1'), '900001');
  await alice.refused({ ...limit(pair, 'buy', '10000', '1'), side: 'BUY' }, '400100', /side/);
  await alice.refused({ ...limit(pair, 'buy', '10000', '1'), type: 'stop' }, '400100', /type/);
  await alice.refused({ type: 'limit', side: 'buy', price: '1', size: '1' }, '400100', /symbol/);
  await alice.refused({ symbol: pair, type: 'limit', price: '1', size: '1' }, '400100', /side/);
  await alice.refused({ symbol: pair, side: 'buy', price: '1', size: '1' }, '400100', /type/);
});

test('stp, timeInForce and cancelAfter accept only their documented values', async () => {
  const good = limit(pair, 'buy', '10000', '0.01');
  await alice.refused({ ...good, stp: 'XX' }, '400100', /stp/);
  await alice.refused({ ...good, timeInForce: 'GTX' }, '400100', /timeInForce/);
  await alice.refused({ ...good, timeInForce: 'GTT' }, '400100', /cancelAfter/);
  await alice.refused({ ...good, timeInForce: 'GTT', cancelAfter: 0 }, '400100', /cancelAfter/);
  await alice.refused({ ...good, timeInForce: 'GTT', cancelAfter: -1 }, '400100', /cancelAfter/);
  await alice.refused({ ...good, timeInForce: 'GTT', cancelAfter: 1.5 }, '400100', /cancelAfter/);
  await alice.refused({ ...good, cancelAfter: 10 }, '400100', /cancelAfter/);
  await alice.refused({ ...good, cancelAfter: -1 }, '400100', /cancelAfter/);
  await alice.refused({ ...good, postOnly: 'true' }, '400100', /postOnly/);
});

test('numbers instead of strings, exponents, signs, blanks and too many digits are rejected', async () => {
  const good = limit(pair, 'buy', '10000', '0.01');
  for (const bad of [0.01, '1e-2', '+0.01', '-0.01', ' 0.01', '0.01 ', '', '0x1', '.5', '١', null]) {
    const answer = await alice.ask({ ...good, size: bad });
    refusal(answer, 400, /^(400100|600100|300000)$/);
  }
  const digits = `0.${'0'.repeat(40)}1`;
  await alice.refused({ ...good, size: digits }, /^(400100|600100)$/);
  await alice.refused({ ...good, price: 10000 }, '400100', /price/);
});

test('a clientOid cannot be used again, whether its order is active or done', async () => {
  const first = await alice.place(limit(pair, 'buy', '10000', '0.01', { clientOid: 'once-1' }));
  await alice.refused(limit(pair, 'buy', '10000', '0.01', { clientOid: 'once-1' }), /^\d{6}$/);
  assert.equal((await alice.cancel(first, pair)).status, 200);
  await alice.refused(limit(pair, 'buy', '10000', '0.02', { clientOid: 'once-1' }), /^\d{6}$/);
  await alice.refused(limit('ETH-USDT', 'buy', '100', '0.02', { clientOid: 'once-1' }), /^\d{6}$/);
  await bob.place(limit(pair, 'buy', '10000', '0.01', { clientOid: 'once-1' }));
});

test('a rejected order does not use up its clientOid', async () => {
  await alice.refused(limit(pair, 'buy', '10000', '99999', { clientOid: 'again' }), '200004');
  await alice.place(limit(pair, 'buy', '10000', '0.01', { clientOid: 'again' }));
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
