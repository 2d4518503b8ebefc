/** Lists of the operator API to their end, and single entries as long as the lists have them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { parseMarkedId } from '../../../api/src/gateway/ids.ts';
import { clientOf, openFor, Operator } from './exchange.ts';

interface OrderPage {
  readonly lastId: number;
  readonly totalNum: number | null;
  readonly items: readonly { readonly id: string; readonly createdAt: number }[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

test('active orders, done orders and fills of a user can be paged to the last one', async (t) => {
  const running = await openFor(t, { flags: { quotas: '{"spot":1000000}' } });
  const operator = new Operator(running);
  const alice = clientOf(running, 'alice');
  const placed: string[] = [];
  for (let i = 0; i < 23; i++) {
    const order = { side: 'buy', type: 'limit', price: String(100 + i), size: '0.001' };
    const symbol = i % 2 === 0 ? 'BTC-USDT' : 'ETH-USDT';
    const { json, text } = await alice.post('/api/v1/hf/orders', { ...order, symbol, clientOid: `o${i}` });
    assert.equal(json.code, '200000', text);
    placed.push((json.data as { orderId: string }).orderId);
  }
  const all = async (path: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let after = ''; ; ) {
      const { status, body } = await operator.get(`${path}&limit=5${after}`);
      assert.equal(status, 200, JSON.stringify(body));
      const { items, lastId } = body as OrderPage;
      assert.ok(items.length <= 5);
      if (items.length === 0) return ids;
      assert.notEqual(lastId, 0, 'the next page is behind it');
      ids.push(...items.map(({ id }) => id));
      after = `&after=${lastId}`;
    }
  };
  const active = await all('/v1/users/alice/orders?status=active');
  assert.deepEqual(active, placed.toReversed());
  const ofOne = await all('/v1/users/alice/orders?status=active&symbol=ETH-USDT');
  assert.equal(ofOne.length, 11);
  for (const symbol of ['BTC-USDT', 'ETH-USDT']) await alice.delete(`/api/v1/hf/orders?symbol=${symbol}`);
  assert.deepEqual(await all('/v1/users/alice/orders?status=active'), []);
  assert.deepEqual((await all('/v1/users/alice/orders?status=done')).toSorted(), placed.toSorted());
  const { body } = await operator.get('/v1/users/alice/orders?status=done&limit=0');
  assert.equal((body as OrderPage).items.length, 23, '0 is no limit');
});

test('a withdrawal that the exchange no longer has in memory is found by its id', async (t) => {
  const running = await openFor(t, { data: makeDirectory(t) });
  const operator = new Operator(running);
  const to = {
    currency: 'USDT',
    chain: 'trx',
    amount: '10',
    toAddress: 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz',
  };
  const { json } = await clientOf(running, 'alice').post('/api/v3/withdrawals', to);
  const { withdrawalId } = json.data as { withdrawalId: string };
  const path = `/v1/withdrawals/${withdrawalId}`;
  const failureReason = 'The bank refused the account.';
  const failed = await operator.post(`${path}/settle`, { sent: false, failureReason });
  assert.equal(failed.status, 200, JSON.stringify(failed.body));
  const control = async (call: string, body: object): Promise<void> => {
    const { sandboxUrl, operatorToken } = running.connection;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${operatorToken}` };
    const response = await fetch(sandboxUrl! + call, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(response.status, 200, await response.text());
  };
  await control('/clock', { mode: 'manual' });
  await control('/clock/advance', { ms: 31 * DAY_MS });
  assert.equal((await operator.post('/v1/users', { name: 'dave' })).status, 200);
  const number = parseMarkedId('withdrawal', withdrawalId);
  assert.equal(await running.engine.read(({ reference }) => reference.withdrawal(number)), null);
  const again = await operator.get(path);
  assert.deepEqual([again.status, again.body], [200, failed.body]);
  assert.equal((await operator.get(`/v1/withdrawals/${withdrawalId.slice(0, -4)}ffff`)).status, 404);
});
