// Trade histories and the level-1 ticker.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { UserClient, limit, market, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { each, exactly, publicTrade } from './shapes.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const alice = new UserClient(service, 'alice');
const bob = new UserClient(service, 'bob');
afterEach(async () => {
  await alice.sweep();
  await bob.sweep();
});

const histories = (symbol: string) => alice.public(`/api/v1/market/histories?symbol=${symbol}`);
const tickerOf = (symbol: string) => alice.public(`/api/v1/market/orderbook/level1?symbol=${symbol}`);

async function ticker(symbol: string): Promise<Record<string, unknown>> {
  const answer = await tickerOf(symbol);
  assert.equal(answer.status, 200, answer.text);
  const kind = ['amount', 'string'] as const;
  exactly(answer.body, {
    sequence: 'digits',
    price: kind,
    size: kind,
    bestAsk: kind,
    bestAskSize: kind,
    bestBid: kind,
    bestBidSize: kind,
    time: 'integer',
  });
  return answer.body as Record<string, unknown>;
}

test('before the first trade the ticker has empty strings and the histories are an empty array', async () => {
  const { sequence: _, time, ...rest } = await ticker('KCS-USDT');
  assert.deepEqual(rest, { price: '', size: '', bestAsk: '', bestAskSize: '', bestBid: '', bestBidSize: '' });
  assert.ok(Math.abs(Number(time) - Date.now()) < 3_600_000, 'milliseconds');
  const answer = await histories('KCS-USDT');
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, []);
});

test('the ticker shows the best price of each side, the size of its level, and the last trade', async () => {
  await bob.place(limit(pair, 'sell', '101', '1'));
  await bob.place(limit(pair, 'sell', '102', '5'));
  await alice.place(limit(pair, 'sell', '101', '0.5'));
  await alice.place(limit(pair, 'buy', '99', '2'));
  const before = await ticker(pair);
  assert.equal(before.bestAsk, '101');
  assert.equal(before.bestAskSize, '1.5');
  assert.equal(before.bestBid, '99');
  assert.equal(before.bestBidSize, '2');
  await bob.place(market(pair, 'sell', { size: '0.5' }));
  const after = await ticker(pair);
  assert.equal(after.price, '99');
  assert.equal(after.size, '0.5');
  assert.equal(after.bestBidSize, '1.5');
  assert.ok(BigInt(String(after.sequence)) > BigInt(String(before.sequence)), 'the sequence goes on');
});

test('when a side of the book empties, the ticker shows empty strings for it again', async () => {
  const id = await bob.place(limit('LTC-USDT', 'buy', '50', '1'));
  assert.equal((await ticker('LTC-USDT')).bestBid, '50');
  await bob.cancel(id, 'LTC-USDT');
  const { bestBid, bestBidSize } = await ticker('LTC-USDT');
  assert.deepEqual([bestBid, bestBidSize], ['', '']);
});

test('every fill is a separate trade, with the side of the taker and a time in nanoseconds', async () => {
  await bob.place(limit('BTC-USDT', 'sell', '10000', '0.1'));
  await bob.place(limit('BTC-USDT', 'sell', '10001', '0.1'));
  await alice.place(limit('BTC-USDT', 'buy', '10001', '0.2'));
  await alice.place(limit('BTC-USDT', 'buy', '9999', '0.1'));
  await bob.place(limit('BTC-USDT', 'sell', '9999', '0.1'));
  const answer = await histories('BTC-USDT');
  const trades = each(answer.body, publicTrade, 'histories');
  const inTime = trades.toSorted((a, b) => Number(BigInt(String(a.sequence)) - BigInt(String(b.sequence))));
  assert.deepEqual(
    inTime.map(({ price, size, side }) => [price, size, side]),
    [
      ['10000', '0.1', 'buy'],
      ['10001', '0.1', 'buy'],
      ['9999', '0.1', 'sell'],
    ],
  );
  const times = [...answer.text.matchAll(/"time":(\d+)[,}]/g)].map(([, digits]) => digits);
  assert.equal(times.length, 3);
  for (const digits of times) assert.match(digits, /^\d{19}$/, 'nanoseconds as an exact integer');
  assert.ok(Math.abs(Number(BigInt(times[0]) / 1_000_000n) - Date.now()) < 3_600_000);
});

test('a history returns the last 100 trades', async () => {
  const symbol = 'ETH-BTC';
  await bob.place(limit(symbol, 'sell', '0.05', '100'));
  for (let index = 1; index <= 105; index++) {
    await alice.place(limit(symbol, 'buy', '0.05', `0.${String(index).padStart(3, '0')}`));
  }
  const trades = each((await histories(symbol)).body, publicTrade, 'histories');
  assert.equal(trades.length, 100);
  const sizes = trades.map((trade) => Math.round(Number(trade.size) * 1000)).toSorted((a, b) => a - b);
  assert.deepEqual(
    sizes,
    Array.from({ length: 100 }, (_, index) => index + 6),
  );
  assert.equal(new Set(trades.map((trade) => trade.sequence)).size, 100);
});

test('ticker and history need one existing symbol', async () => {
  for (const path of ['/api/v1/market/histories', '/api/v1/market/orderbook/level1']) {
    refusal(await alice.public(path), 400, '400100', /symbol/);
    refusal(await alice.public(`${path}?symbol=NO-SUCH`), 400, '900001');
    refusal(await alice.public(`${path}?symbol=${pair}&symbol=${pair}`), 400, '400100', /symbol/);
  }
});

test('a signed request reads public data as well', async () => {
  const answer = await alice.call('GET', `/api/v1/market/histories?symbol=${pair}`);
  assert.equal(answer.status, 200, answer.text);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
