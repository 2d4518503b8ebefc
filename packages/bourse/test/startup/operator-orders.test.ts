// The orders of a user as operators see them, and an operator's own name and roles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES } from '@bourse/core';
import { Client, startServer } from '@bourse/test-kit/server.ts';
import { OPERATOR_ROUTES } from '../../../api/src/gateway/operator/plugin.ts';
import { SANDBOX_OPERATOR_TOKEN } from '../../../sandbox/src/users.ts';

const READ_TOKEN = 'a-token-that-may-only-look-at-things';

test('orders and fills of a user are found by status, symbol and order, and operators see their own name and roles', async (context) => {
  const { url, close } = await startServer({ settings: { operatorReadToken: READ_TOKEN } });
  context.after(close);
  const ask = async (path: string, token = SANDBOX_OPERATOR_TOKEN, name = 'ann') => {
    const headers = { authorization: `Bearer ${token}`, 'x-operator': name };
    const response = await fetch(`${url}/operator${path}`, { headers });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  const ids = ({ json }: { json: Record<string, unknown> }) =>
    (json['items'] as { id: string; symbol: string }[]).map(({ id }) => id);
  const place = async (who: string, symbol: string, side: string, size: string): Promise<string> => {
    const order = { symbol, type: 'limit', side, price: '60', size };
    const { json } = await new Client(url, who).post('/api/v1/hf/orders', order);
    return (json.data as { orderId: string }).orderId;
  };
  const sold = await place('alice', 'LTC-USDT', 'sell', '5');
  const resting = await place('alice', 'KCS-USDT', 'sell', '1');
  await place('bob', 'LTC-USDT', 'buy', '5');

  assert.deepEqual(ids(await ask('/v1/users/alice/orders')), [resting]);
  assert.deepEqual(ids(await ask('/v1/users/alice/orders?status=active&symbol=LTC-USDT')), []);
  assert.deepEqual(ids(await ask('/v1/users/alice/orders?status=done')), [sold]);
  const done = await ask('/v1/users/alice/orders?status=done&limit=1');
  assert.deepEqual(
    ids(await ask(`/v1/users/alice/orders?status=done&after=${String(done.json['lastId'])}`)),
    [],
  );
  const fills = (await ask(`/v1/users/alice/fills?orderId=${sold}`)).json['items'] as { size: string }[];
  assert.deepEqual(
    fills.map(({ size }) => size),
    ['5'],
  );
  assert.deepEqual((await ask(`/v1/users/alice/fills?orderId=${resting}`)).json['items'], []);
  assert.equal((await ask('/v1/users/nobody/orders')).json['code'], 'user-unknown');
  assert.equal((await ask('/v1/users/alice/orders?symbol=NO-ONE')).json['code'], 'symbol-unknown');
  assert.equal((await ask('/v1/users/alice/orders?status=open')).status, 400);

  const { calls, ...ann } = (await ask('/v1/caller')).json;
  assert.deepEqual(ann, { id: 'root', name: 'ann', roles: ROLES, mayChange: true });
  assert.deepEqual(
    calls,
    OPERATOR_ROUTES.map(({ id }) => id),
  );
  const { calls: read, ...bo } = (await ask('/v1/caller', READ_TOKEN, 'bo')).json;
  assert.deepEqual(bo, { id: 'reader', name: 'bo', roles: ['viewer'], mayChange: false });
  assert.deepEqual(
    read,
    OPERATOR_ROUTES.filter(({ method }) => method === 'GET').map(({ id }) => id),
  );
});
