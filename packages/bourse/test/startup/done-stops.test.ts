// Done stop and OCO orders can be read after a restart, when only history has them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { clientOf, open } from './exchange.ts';

type Row = Record<string, unknown>;

const STOPS = '/api/v1/stop-order';
const OCO = '/api/v3/oco';
const LIMIT = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

test('done stop and OCO orders are the same after a restart', async (t) => {
  const data = makeDirectory(t);
  let running = await open({ data });
  try {
    const ask = async (path: string): Promise<unknown> => {
      const { json, status, text } = await clientOf(running, 'alice').get(path);
      assert.equal(status, 200, `${path}: ${text}`);
      return json.data;
    };
    const send = async (path: string, body: object): Promise<string> => {
      const { json, text } = await clientOf(running, 'alice').post(path, body);
      assert.equal(json.code, '200000', text);
      return (json.data as { orderId: string }).orderId;
    };
    const trade = async (price: string): Promise<void> => {
      await clientOf(running, 'bob').post('/api/v1/hf/orders', { ...LIMIT, side: 'sell', price });
      await clientOf(running, 'carol').post('/api/v1/hf/orders', { ...LIMIT, price });
    };
    await trade('30000');
    const cancelled = await send(STOPS, { ...LIMIT, stopPrice: '29000', clientOid: 'gone' });
    const waiting = await send(STOPS, { ...LIMIT, stopPrice: '28000' });
    const triggered = await send(STOPS, { ...LIMIT, stopPrice: '31000', clientOid: 'due' });
    await clientOf(running, 'alice').send('DELETE', `${STOPS}/${cancelled}`);
    const pair = { ...LIMIT, side: 'sell', price: '40000', stopPrice: '20000', limitPrice: '19000' };
    const oco = await send(`${OCO}/order`, { ...pair, clientOid: 'pair' });
    await clientOf(running, 'alice').send('DELETE', `${OCO}/order/${oco}`);
    await trade('31000');

    const paths = [
      `${STOPS}/${cancelled}`,
      `${STOPS}/${waiting}`,
      `${STOPS}/${triggered}`,
      `${STOPS}/queryOrderByClientOid?clientOid=gone`,
      `${STOPS}/queryOrderByClientOid?clientOid=due&symbol=BTC-USDT`,
      `${STOPS}?status=done`,
      `${STOPS}?status=active`,
      `${OCO}/order/${oco}`,
      `${OCO}/client-order/pair`,
      `${OCO}/order/details/${oco}`,
      `${OCO}/orders?status=done`,
    ];
    const before = await Promise.all(paths.map(ask));
    assert.deepEqual(
      before.slice(0, 3).map((row) => (row as Row)['status']),
      ['CANCELLED', 'NEW', 'TRIGGERED'],
    );
    assert.deepEqual(
      ((before[9] as Row)['orders'] as Row[]).map((part) => part['status']),
      ['CANCELLED', 'CANCELLED'],
    );
    await running.close();
    running = await open({ data });
    assert.deepEqual(await Promise.all(paths.map(ask)), before);
  } finally {
    await running.close();
  }
});
