import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ApiError, BourseClient, ConnectionLost, OrderEntry } from '@bourse/client';
import type { TestSandbox } from './exchange.ts';
import { aliceOf, faultTest } from './fault-test.ts';

type Rule = { id: string; hits: number };

function entryOf(sandbox: TestSandbox, context: TestContext): OrderEntry {
  const { baseUrl } = sandbox.running.connection;
  const { http } = new BourseClient({ url: baseUrl, credentials: aliceOf(sandbox) });
  const entry = new OrderEntry(http);
  context.after(() => entry.close());
  return entry;
}

const openOrders = ({ running }: TestSandbox): Promise<string[]> =>
  running.engine.read((exchange) => exchange.openOrders(0, 0).map(({ clientId }) => clientId));

const buy = (entry: OrderEntry, clientOid: string, price = '100') =>
  entry.placeOrder({ symbol: 'BTC-USDT', type: 'limit', side: 'buy', price, size: '1', clientOid });

const isLost = (error: unknown): boolean => error instanceof ConnectionLost;
const isRefused = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

faultTest('promise 22: over order entry, the client sees each fault', async (sandbox, context) => {
  const entry = entryOf(sandbox, context);
  const table: [effect: object, isDone: boolean, sees: ((error: unknown) => boolean) | null][] = [
    [{ kind: 'error', code: '429000' }, false, isRefused('429000')],
    [{ kind: 'error', status: 503, code: '503000', msg: 'maintenance' }, false, isRefused('503000')],
    [{ kind: 'html' }, false, isLost],
    [{ kind: 'drop-request' }, false, isLost],
    [{ kind: 'drop-reply' }, true, isLost],
    [{ kind: 'truncate', bytes: 12 }, true, isLost],
    [{ kind: 'delay', ms: 100 }, true, null],
    [{ kind: 'delay', minMs: 50, maxMs: 100, before: true }, true, null],
    [{ kind: 'slow-body', bytesPerSecond: 1000 }, true, null],
  ];
  const seq = () => sandbox.running.engine.health.seq;
  for (const [at, [effect, isDone, sees]] of table.entries()) {
    const says = JSON.stringify(effect);
    const { id } = await sandbox.call<Rule>('POST', '/faults', {
      match: { user: 'alice', route: 'place-order', symbol: 'BTC-USDT' },
      effect,
      times: 1,
    });
    const before = seq();
    if (sees) await assert.rejects(buy(entry, `o${at}`), sees, says);
    else assert.equal((await buy(entry, `o${at}`)).clientOid, `o${at}`, says);
    assert.equal((await openOrders(sandbox)).includes(`o${at}`), isDone, says);
    assert.equal(seq() > before, isDone, `${says}: a fault leaves nothing in the log`);
    const rule = (await sandbox.call<Rule[]>('GET', '/faults')).find((each) => each.id === id);
    assert.equal(rule?.hits, 1, says);
    const [last] = await sandbox.call<{ transport: string; fault: string; dialect: string }[]>(
      'GET',
      '/requests?route=place-order&limit=1',
    );
    assert.deepEqual([last?.transport, last?.dialect, last?.fault], ['order-entry', 'family', id], says);
  }
  assert.equal((await buy(entry, 'after')).clientOid, 'after', 'each rule has fired once');
});

faultTest('over order entry, orders and cancellations can arrive late', async (sandbox, context) => {
  const entry = entryOf(sandbox, context);
  await sandbox.call('POST', '/faults', { effect: { kind: 'late-order', ms: 5000 } });
  const { orderId } = await buy(entry, 'late');
  assert.deepEqual(await openOrders(sandbox), []);
  await sandbox.call('POST', '/clock/advance', { ms: 5000 });
  assert.deepEqual(await openOrders(sandbox), ['late']);
  await sandbox.call('DELETE', '/faults');
  await sandbox.call('POST', '/faults', { effect: { kind: 'late-cancel', ms: 1000 } });
  assert.equal((await entry.cancelOrder({ symbol: 'BTC-USDT', orderId })).orderId, orderId);
  assert.deepEqual(await openOrders(sandbox), ['late'], 'confirmed, and still there');
  await sandbox.call('POST', '/clock/advance', { ms: 1000 });
  assert.deepEqual(await openOrders(sandbox), []);
});

faultTest(
  'a rule for the literal dialect does not apply to order entry, and one for the family dialect does',
  async (sandbox, context) => {
    const entry = entryOf(sandbox, context);
    const rule = { match: { route: 'place-order' }, effect: { kind: 'error', code: '500000' } };
    await sandbox.call('POST', '/faults', { ...rule, match: { ...rule.match, dialect: 'literal' } });
    await buy(entry, 'o1');
    await sandbox.call('POST', '/faults', { ...rule, match: { ...rule.match, dialect: 'family' } });
    await assert.rejects(buy(entry, 'o2'), isRefused('500000'));
    assert.deepEqual(
      (await sandbox.call<Rule[]>('GET', '/faults')).map(({ hits }) => hits),
      [0, 1],
    );
  },
);

faultTest(
  'a restore closes order-entry sessions with 1012, and the next session sees the restored state',
  async (sandbox, context) => {
    const entry = entryOf(sandbox, context);
    await buy(entry, 'kept');
    const { id } = await sandbox.call('POST', '/snapshots');
    await buy(entry, 'gone', '101');
    await sandbox.call('POST', `/snapshots/${id}/restore`);
    assert.deepEqual(await openOrders(sandbox), ['kept']);
    // The same client signs in again automatically; what it then sends is new to the exchange.
    await buy(entry, 'gone', '101').catch(() => buy(entry, 'gone', '101'));
    assert.deepEqual((await openOrders(sandbox)).toSorted(), ['gone', 'kept']);
  },
);
