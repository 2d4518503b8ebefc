/** Promise 16 in the gateway: a full queue rejects at once. Promise 14, idle connections, is in sim/crowd. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, startServer } from '@bourse/test-kit/server.ts';

const ORDERS = '/api/v1/hf/orders';
const LIMIT = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, what);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('promise 16: commands beyond the queue are rejected at once, and the others complete when the disk does', async () => {
  const server = await startServer({ engine: { limits: { queueMax: 16 } } });
  try {
    const alice = new Client(server.url, 'alice');
    server.log.isAutomatic = false;
    const inFlight = alice.post(ORDERS, LIMIT);
    await until('one is being written', () => server.log.isSyncing);
    const others = Array.from({ length: 32 }, (_, i) =>
      alice.post(ORDERS, { ...LIMIT, clientOid: `wave-${i}` }),
    );
    const settled: (number | undefined)[] = [];
    for (const [i, reply] of others.entries()) void reply.then(({ status }) => (settled[i] = status));
    await until(
      'those that do not fit are refused',
      () => settled.filter((status) => status === 503).length === 16,
    );
    const refused = (await others[settled.indexOf(503)]).json;
    assert.equal(refused.code, '503000');
    assert.match(String(refused.msg), /^Server is busy\. Please retry later\./);
    const { json } = await alice.post(`${ORDERS}/multi`, { orderList: [LIMIT] });
    assert.equal(json['retry'], true);
    assert.equal(
      (await new Client(server.url).get('/api/v2/symbols')).status,
      200,
      'public data is still there',
    );

    server.log.isAutomatic = true;
    server.log.sync();
    assert.equal((await inFlight).status, 200);
    const statuses = (await Promise.all(others)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [...Array(16).fill(200), ...Array(16).fill(503)]);
  } finally {
    if (server.log.isSyncing) server.log.sync();
    await server.close();
  }
});

test('promise 3: when the disk fails, orders are rejected permanently, and the health check reports it', async () => {
  const server = await startServer();
  try {
    const alice = new Client(server.url, 'alice');
    server.log.isAutomatic = false;
    const unlucky = alice.post(ORDERS, LIMIT);
    await until('one is being written', () => server.log.isSyncing);
    server.log.failSync();
    const reply = await unlucky;
    assert.deepEqual([reply.status, reply.json.code], [503, '503000']);
    assert.match(String(reply.json.msg), /^Service Unavailable/);
    assert.equal((await alice.post(ORDERS, LIMIT)).status, 503);
    assert.equal((await new Client(server.url).get('/healthz')).status, 503);
    assert.equal((await new Client(server.url).get('/readyz')).status, 503);
  } finally {
    await server.close();
  }
});
