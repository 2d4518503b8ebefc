/** A frozen master and its sub-account can only read and cancel, over every API. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@bourse/test-kit/server.ts';
import { Operator, openFor } from './exchange.ts';

const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '100', size: '0.01' };

test('a frozen master cannot create keys, sub-accounts and addresses, and its sub-accounts cannot trade', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const clientOf = (name: string) => new Client(running.connection.baseUrl, name, 'family');
  const [alice, sub] = [clientOf('alice'), clientOf('alice-sub')];
  const codeOf = async (reply: Promise<{ json: { code?: string } }>) => (await reply).json.code;
  const resting = await sub.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'rests' });
  const { orderId } = resting.json.data as { orderId: string };
  const users = (await operator.get('/v1/users')).body as { userId: string; name: string }[];
  const userId = users.find(({ name }) => name === 'alice')?.userId ?? '';
  assert.equal((await operator.post(`/v1/users/${userId}`, { frozen: true })).status, 200);

  const newSub = { subName: 'frozenSub1', password: 'password1', remarks: '', access: 'Spot' };
  const newKey = { subName: 'alice-sub', passphrase: 'passphrase', remark: '' };
  const refused = {
    'a sub-account': alice.post('/api/v2/sub/user/created', newSub),
    'a key': alice.post('/api/v1/sub/api-key', newKey),
    'an address': alice.post('/api/v3/deposit-address/create', { currency: 'USDT' }),
    'an order': alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'a' }),
    'an order of the sub-account': sub.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'b' }),
    'a batch of the sub-account': sub.post('/api/v1/hf/orders/test', { ...ORDER, clientOid: 'c' }),
    'an address of the sub-account': sub.post('/api/v3/deposit-address/create', { currency: 'USDT' }),
  };
  for (const [what, reply] of Object.entries(refused)) assert.equal(await codeOf(reply), '411100', what);

  const { items } = (await alice.get('/api/v2/sub/user')).json.data as { items: { status: number }[] };
  assert.deepEqual(
    items.map(({ status }) => status),
    [3],
    'the list shows the sub-account as frozen',
  );
  const allowed = {
    'looking at accounts': alice.get('/api/v1/accounts'),
    'looking at orders': sub.get('/api/v1/hf/orders/active?symbol=BTC-USDT'),
    'a token of the feed': sub.post('/api/v1/bullet-private'),
    cancelling: sub.delete(`/api/v1/hf/orders/${orderId}?symbol=BTC-USDT`),
  };
  for (const [what, reply] of Object.entries(allowed)) assert.equal(await codeOf(reply), '200000', what);
});
