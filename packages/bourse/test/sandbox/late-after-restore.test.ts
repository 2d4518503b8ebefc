/** Late orders and cancellations belong to the state: a restore and a fork continue with them, and with their ids. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SignedClient } from './client.ts';
import { sandboxFor, sandboxOf, type TestSandbox } from './exchange.ts';

/** Short, so that everything happens in one second: ids have the time in seconds. */
const LATE_MS = 100;

interface Found {
  readonly id: string;
  readonly clientOid: string;
}

const aliceOf = ({ running }: TestSandbox) => new SignedClient(running.connection, 'alice');

async function openOrders(sandbox: TestSandbox): Promise<string[]> {
  const { body } = await aliceOf(sandbox).get('/api/v1/hf/orders/active?symbol=BTC-USDT');
  return (body.data as Found[]).map(({ clientOid }) => clientOid).toSorted();
}

async function look(sandbox: TestSandbox, id: string): Promise<string | undefined> {
  const { body } = await aliceOf(sandbox).get(`/api/v1/hf/orders/${id}?symbol=BTC-USDT`);
  const { id: shown, clientOid } = (body.data ?? {}) as Partial<Found>;
  return shown === id ? clientOid : undefined;
}

test('a restore and a fork continue with late orders and cancellations, and their ids', async (context) => {
  const sandbox = await sandboxFor(context);
  const { call } = sandbox;
  await new SignedClient(sandbox.running.connection, 'bob').place({ side: 'sell', price: '200' });
  const alice = aliceOf(sandbox);
  await call('POST', '/faults', { effect: { kind: 'late-order', ms: LATE_MS } });
  await call('POST', '/faults', { effect: { kind: 'late-cancel', ms: LATE_MS } });
  const place = async (clientOid: string, order: object = {}): Promise<string> => {
    const { body, text } = await alice.place({ clientOid, ...order });
    assert.equal(body.code, '200000', text);
    return (body.data as { orderId: string }).orderId;
  };
  const [first, kept] = [await place('first'), await place('kept')];
  await call('POST', '/clock/advance', { ms: LATE_MS });
  assert.equal((await alice.cancel(first)).body.code, '200000');
  const second = await place('second');
  // In the log, funds are not a number but a bigint.
  const byFunds = await place('funds', { type: 'market', price: undefined, size: undefined, funds: '10' });
  const { id } = await call('POST', '/snapshots');

  const continues = async (world: TestSandbox, name: string): Promise<void> => {
    assert.deepEqual(await openOrders(world), ['first', 'kept'], name);
    assert.deepEqual([await look(world, first), await look(world, kept)], ['first', 'kept'], name);
    await world.call('POST', '/clock/advance', { ms: LATE_MS - 1 });
    assert.deepEqual(await openOrders(world), ['first', 'kept'], name);
    await world.call('POST', '/clock/advance', { ms: 1 });
    assert.deepEqual(await openOrders(world), ['kept', 'second'], name);
    assert.deepEqual([await look(world, second), await look(world, byFunds)], ['second', 'funds'], name);
  };
  await continues(sandbox, 'the origin');
  const connection = await call<{ id: string }>('POST', '/forks', { from: id });
  await continues(sandboxOf({ ...sandbox.running, connection: connection as never }, ''), 'the fork');
  await call('POST', `/snapshots/${id}/restore`);
  await continues(sandbox, 'the restored world');
  await call('POST', `/snapshots/${id}/restore`);
  const third = await place('third');
  assert.ok(![first, kept, second, byFunds].includes(third), 'no id is given out twice');
});
