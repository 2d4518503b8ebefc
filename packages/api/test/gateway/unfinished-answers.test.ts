/**
 * Responses for orders that are split into records. The id of an order contains the second of its arrival, and the
 * response comes later but must still name that order.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { submit } from '@bourse/test-kit/submit.ts';
import { type Clock, nodeClock } from '../../../engine/src/io/clock.ts';
import { Client, startServer } from '@bourse/test-kit/server.ts';
import { limit, ORDERS } from '@bourse/test-kit/gateway/trading.ts';

/** A record allows one match, and one for each order of a batch. */
const STEPS = 4;
const OFFERS = 5;
/** So long takes each record; all together less than the skew that a signature may have. */
const RECORD_MS = 600;

interface Shown {
  readonly orderId: string;
  readonly orderTime: string | number;
  readonly matchTime: string | number;
  readonly dealSize: string;
}

/** Bob sells at five prices, so that any order of Alice's is split over several records. */
async function begin(context: TestContext) {
  let passedMs = 0;
  const clock: Clock = { ...nodeClock, now: () => nodeClock.now() + passedMs };
  const server = await startServer({ clock });
  context.after(() => server.close());
  const { port } = server.services;
  await submit(port, { kind: 'set-limits', stepsPerRecordMax: STEPS });
  const bob = new Client(server.url, 'bob');
  for (let i = 0; i < OFFERS; i++) await bob.post(ORDERS, limit('sell', String(20_000 + i), '0.01'));
  port.subscribe(() => {
    passedMs += RECORD_MS;
  });
  const [alice, family] = (['literal', 'family'] as const).map(
    (dialect) => new Client(server.url, 'alice', dialect),
  );
  const find = async (id: string) => {
    const { status, text, json } = await alice.get(`${ORDERS}/${id}?symbol=BTC-USDT`);
    assert.equal(status, 200, text);
    return json.data as { readonly createdAt: number; readonly lastUpdatedAt: number };
  };
  return { alice, family, find };
}

const sweep = limit('buy', '21000', '0.05');

test('the id in a response is the id of the order, and the times are those of the order', async (context) => {
  const { alice, find } = await begin(context);
  const { json, text } = await alice.post(`${ORDERS}/sync`, sweep);
  const { orderId, orderTime, matchTime, dealSize } = json.data as Shown;
  assert.equal(dealSize, '0.05', text);
  const { createdAt, lastUpdatedAt } = await find(orderId);
  assert.deepEqual([orderTime, matchTime], [String(createdAt), String(lastUpdatedAt)]);
  assert.ok(lastUpdatedAt >= createdAt + 2 * RECORD_MS, 'it was cut');
});

test('so is that of an order that replaces another', async (context) => {
  const { alice, find } = await begin(context);
  await alice.post(ORDERS, limit('buy', '10000', '0.05', { clientOid: 'mine' }));
  const change = { symbol: 'BTC-USDT', clientOid: 'mine', newPrice: '21000' };
  const { json } = await alice.post(`${ORDERS}/alter`, change);
  const { newOrderId } = json.data as { readonly newOrderId: string };
  const { createdAt, lastUpdatedAt } = await find(newOrderId);
  assert.ok(lastUpdatedAt >= createdAt + 2 * RECORD_MS, 'it was cut');
});

test('so are those of a batch, of which each order has its own time', async (context) => {
  const { alice, find } = await begin(context);
  const orderList = [limit('buy', '10000', '0.01'), sweep, limit('buy', '10000', '0.01')];
  const { json, text } = await alice.post(`${ORDERS}/multi/sync`, { orderList });
  const shown = json.data as Shown[];
  assert.equal(shown.length, 3, text);
  for (const { orderId, orderTime, matchTime } of shown) {
    const { createdAt, lastUpdatedAt } = await find(orderId);
    assert.deepEqual([orderTime, matchTime], [createdAt, lastUpdatedAt]);
  }
  assert.ok(Number(shown[2].orderTime) >= Number(shown[0].orderTime) + 2 * RECORD_MS, 'it was cut');
});

test("so are those of the family's older batch", async (context) => {
  const { family, find } = await begin(context);
  const orderList = [sweep, limit('buy', '10000', '0.01')];
  const { json, text } = await family.post('/api/v1/orders/multi', { symbol: 'BTC-USDT', orderList });
  const { data } = json.data as { readonly data: readonly { readonly id: string }[] };
  assert.equal(data.length, 2, text);
  const [first, second] = [await find(data[0].id), await find(data[1].id)];
  assert.ok(second.createdAt >= first.createdAt + 2 * RECORD_MS, 'it was cut');
});
