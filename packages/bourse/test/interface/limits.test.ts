// The table of other limits: one step inside passes, one step outside does not.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, limit } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => new UserClient(service, name));
afterEach(() => alice.sweep());

const resting = (more: object = {}) => limit(pair, 'buy', '100', '1', { ...more });

test('a clientOid may have up to 40 digits, letters, underscores and hyphens', async () => {
  const longest = `A-z_09${'x'.repeat(34)}`;
  const id = await alice.place(resting({ clientOid: longest }));
  assert.equal((await alice.order(id, pair)).clientOid, longest);
  await alice.refused(resting({ clientOid: `${longest}x` }), '400100', /clientOid/);
  for (const clientOid of ['with space', 'dot.dot', 'é', 'a/b', 'a+b', 5]) {
    await alice.refused(resting({ clientOid }), '400100', /clientOid/);
  }
});

test('tags and remark may have up to 20 ASCII characters', async () => {
  for (const field of ['tags', 'remark']) {
    const id = await alice.place(resting({ [field]: 'x'.repeat(20) }));
    assert.equal((await alice.order(id, pair))[field], 'x'.repeat(20));
    await alice.refused(resting({ [field]: 'x'.repeat(21) }), '400100', new RegExp(field));
    await alice.refused(resting({ [field]: 'ümlaut' }), '400100', new RegExp(field));
  }
});

async function fill(
  client: UserClient,
  symbol: string,
  price: string,
  size: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let placed = 0; placed < count; placed += 20) {
    const orderList = Array.from({ length: Math.min(20, count - placed) }, () =>
      limit(symbol, 'buy', price, size),
    );
    const answer = await client.call('POST', '/api/v1/hf/orders/multi/sync', { orderList });
    assert.equal(answer.status, 200, answer.text);
    for (const entry of at(answer.body, 'data') as Record<string, unknown>[]) {
      assert.equal(entry.status, 'open', JSON.stringify(entry));
      ids.push(String(entry.orderId));
    }
  }
  return ids;
}

test('a user may have 200 active orders of a pair, and the 201st is rejected', {
  timeout: 240_000,
}, async () => {
  const ids = await fill(bob, pair, '100', '0.01', 200);
  await bob.refused(resting(), '200003');
  await bob.refused(limit(pair, 'buy', '100', '999999'), '200003');
  const batch = await bob.call('POST', '/api/v1/hf/orders/multi', { orderList: [resting()] });
  assert.equal(at(batch.body, 'data.0.success'), false, batch.text);
  await bob.place(limit('BTC-USDT', 'buy', '100', '1'));
  await alice.place(resting());
  assert.equal((await bob.cancel(ids[0], pair)).status, 200);
  await bob.place(resting());
  await bob.refused(resting(), '200003');
});

test('an account may have 2000 active orders, and the 2001st is rejected', { timeout: 600_000 }, async () => {
  const symbols: [string, string, string][] = [
    ['BTC-USDT', '100', '0.01'],
    ['ETH-USDT', '100', '0.01'],
    ['KCS-USDT', '10', '1'],
    ['LTC-USDT', '10', '1'],
    ['XRP-USDT', '1', '1'],
    ['EOS-USDT', '1', '1'],
    ['ADA-USDT', '1', '1'],
    ['DOGE-USDT', '1', '10'],
    ['TRX-USDT', '1', '10'],
    ['XLM-USDT', '1', '1'],
  ];
  for (const [symbol, price, size] of symbols) await fill(carol, symbol, price, size, 200);
  await carol.refused(limit('BCHSV-USDT', 'buy', '10', '1'), '200003');
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
