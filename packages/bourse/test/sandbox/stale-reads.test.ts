/** A rule for stale reads has its own exchange, which is closed when no request can read it any more. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hasEffect } from '../../../sandbox/src/faults/request-faults.ts';
import type { ConnectionUser } from '../../src/startup/running-exchange.ts';
import { Operator } from '../startup/exchange.ts';
import { type ExchangePort, type HistoryReader, nodeClock, SegmentReader, Snapshots } from '@bourse/engine';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { StaleExchange } from '../../../sandbox/src/faults/faulty-ports.ts';
import { SignedClient } from './client.ts';
import { openSandbox, sandboxFor, type TestSandbox } from './exchange.ts';

interface Rule {
  readonly id: string;
}

async function setUp(context: TestContext) {
  const sandbox = await sandboxFor(context);
  const { mock } = context.mock.method(StaleExchange.prototype, 'close');
  const alice = new SignedClient(sandbox.running.connection, 'alice');
  await alice.place({});
  const open = async (): Promise<number> => {
    const { body } = await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT');
    return (body.data as object[]).length;
  };
  const add = ({ call }: TestSandbox, more: object = {}): Promise<Rule> =>
    call('POST', '/faults', { effect: { kind: 'stale-read', ms: 1000 }, ...more });
  const closed = (): number => new Set(mock.calls.map((call) => call.this)).size;
  return { ...sandbox, sandbox, add, open, closed };
}

test('removing a rule, or all of them, closes their exchanges', async (context) => {
  const { sandbox, call, add, open, closed } = await setUp(context);
  for (let round = 1; round <= 3; round++) {
    const { id } = await add(sandbox);
    assert.deepEqual([await open(), await open()], [0, 0]);
    assert.equal(closed(), round - 1, 'it is used again');
    await call('DELETE', `/faults/${id}`);
    assert.equal(closed(), round);
  }
  await add(sandbox, { match: { route: 'list-accounts' } });
  await add(sandbox);
  assert.equal(await open(), 0);
  await call('DELETE', '/faults');
  assert.equal(closed(), 4, 'none was opened for the rule that no request met');
  assert.equal(await open(), 1);
});

test('a rule that is used up closes its exchange', async (context) => {
  const { sandbox, add, open, closed } = await setUp(context);
  await add(sandbox, { times: 2 });
  assert.deepEqual([await open(), closed()], [0, 0]);
  assert.deepEqual([await open(), closed()], [0, 1]);
  assert.equal(await open(), 1);
});

test('a read in flight is answered although its rule is removed, and then the exchange is closed', async (context) => {
  const { sandbox, call, add, open, closed } = await setUp(context);
  const { restore } = Snapshots.prototype;
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  context.mock.method(Snapshots.prototype, 'restore', async function (this: Snapshots, seqMax: number) {
    begun.resolve();
    await gate.promise;
    return restore.call(this, seqMax);
  });
  const { id } = await add(sandbox);
  const reading = open();
  await begun.promise;
  await call('DELETE', `/faults/${id}`);
  assert.equal(closed(), 0);
  gate.resolve();
  assert.equal(await reading, 0);
  assert.equal(closed(), 1);
});

test('a stale exchange reads each record of the log once', async (context) => {
  const dir = makeDirectory(context);
  const { running, call, close } = await openSandbox(dir);
  const { time: start } = await call<{ time: number }>('GET', '/clock');
  const alice = new SignedClient(running.connection, 'alice');
  for (let placed = 0; placed < 3; placed++) {
    await alice.place({});
    await call('POST', '/clock/advance', { ms: 10 });
  }
  const { seq } = await call<{ seq: number }>('GET', '/');
  await close();

  let now = start - 1;
  const stale = new StaleExchange({
    dir,
    port: {
      read: async (query: (exchange: { seq: number }) => unknown) => query({ seq }),
    } as unknown as ExchangePort,
    history: { checkpoint: 0 } as HistoryReader,
    clock: { ...nodeClock, now: () => now },
    ms: 0,
  });
  const { mock } = context.mock.method(SegmentReader, 'open');
  const open: number[] = [];
  for (; now <= start + 20; now += 3) {
    open.push(await stale.port.read((exchange) => exchange.openOrders(0, 0).length));
  }
  assert.deepEqual(open, [0, 1, 1, 1, 2, 2, 2, 3]);
  assert.equal(mock.callCount(), 1, 'the segment was read from its beginning once');
  await stale.close();
});

test('a stale list hides a row that is as old as the clock', async (context) => {
  const { running, call } = await sandboxFor(context);
  const [alice, bob] = ['alice', 'bob'].map((name) => new SignedClient(running.connection, name));
  await alice!.place({ price: '100' });
  await bob!.place({ side: 'sell', price: '100' });
  await running.engine.historyCaughtUp();
  const fills = async (): Promise<number> => {
    const { body } = await alice!.get('/api/v1/hf/fills?symbol=BTC-USDT');
    return (body.data as { items: object[] }).items.length;
  };
  assert.equal(await fills(), 1);
  await call('POST', '/faults', { effect: { kind: 'stale-read', ms: 1 } });
  assert.equal(await fills(), 0);
  await call('POST', '/clock/advance', { ms: 1 });
  assert.equal(await fills(), 1);
});

test('a stale read never shows less than the seed', async (context) => {
  const { running, call } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  await alice.place({});
  await call('POST', '/faults', { effect: { kind: 'stale-read', ms: 86_400_000 } });
  const book = await alice.get('/api/v1/market/orderbook/level2_20?symbol=BTC-USDT');
  assert.equal(book.status, 200, book.text);
  assert.deepEqual((book.body.data as { bids: object[] }).bids, []);
  const { text } = await alice.get('/api/v1/accounts?currency=USDT&type=trade');
  assert.match(text, /"balance":"1000000"/);
  assert.match(text, /"holds":"0"/);
  assert.equal(await running.engine.read((exchange) => exchange.depth(0, 'buy', 1).length), 1);
});

test('a stale read of a symbol, a currency and a user that did not exist yet finds nothing', async (context) => {
  const { running, call } = await sandboxFor(context, { quotas: '{"public":100000,"manage":100000}' });
  await call('POST', '/clock/advance', { ms: 10_000 });
  const operator = new Operator(running);
  const like = async (path: string, field: string, name: string, terms: object) => {
    const rows = (await operator.get(path)).body as Record<string, unknown>[];
    const reply = await operator.post(path, { ...rows.find((row) => row[field] === name), ...terms });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  };
  await like('/v1/currencies', 'currency', 'LTC', { currency: 'NEW', name: 'NEW' });
  await like('/v1/symbols', 'symbol', 'LTC-USDT', {
    symbol: 'NEW-USDT',
    name: 'NEW-USDT',
    baseCurrency: 'NEW',
  });
  const user = await call<ConnectionUser>('POST', '/users', { name: 'dave', balances: { USDT: '1000' } });
  const dave = new SignedClient({ ...running.connection, users: [user] }, 'dave');
  await dave.place({ symbol: 'NEW-USDT' });
  await call('POST', '/faults', { effect: { kind: 'stale-read', ms: 5000 } });

  const book = await dave.get('/api/v3/market/orderbook/level2?symbol=NEW-USDT');
  const { sequence, bids, asks } = book.body.data as Record<string, unknown>;
  assert.deepEqual([sequence, bids, asks], ['0', [], []], book.text);
  const wrong = new Set<string>();
  for (const route of running.sandbox!.world.routes) {
    const { id, dialect } = route;
    if (dialect !== 'literal' || !hasEffect({ kind: 'stale-read', ms: 5000 }, route)) continue;
    const path = route.path.replaceAll(/:\w+/g, 'x');
    for (const query of ['', 'symbol=NEW-USDT', 'currency=NEW', 'currency=NEW&type=TRADE']) {
      const { status } = await dave.send('GET', `${path}?${query}`, undefined, 'SVC');
      if (status >= 500) wrong.add(`${id}: ${status}`);
    }
  }
  assert.deepEqual([...wrong], []);
});
