/** Orders over a websocket: they have the same effects and responses as over HTTP. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { asyncApi } from '../../src/feed/asyncapi.ts';
import { DEFAULT_FEED_LIMITS } from '../../src/feed/limits.ts';
import { DIALECTS } from '../../src/gateway/route.ts';
import { type Frame, Peer, startEntry } from './peer.ts';
import { Client, startServer, type TestServer } from '@bourse/test-kit/server.ts';

const ORDERS = '/api/v1/hf/orders';
const LIMIT = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

describe('order entry', () => {
  let server: TestServer;
  let peer: Peer;
  let http: Client;
  before(async () => {
    server = await startEntry();
    peer = await Peer.open(server, 'alice');
    http = new Client(server.url, 'alice', 'family');
  });
  after(async () => {
    peer.close();
    await server.close();
  });

  const order = async (id: unknown): Promise<Record<string, unknown>> =>
    (await http.get(`${ORDERS}/${id}?symbol=BTC-USDT`)).json.data as Record<string, unknown>;

  test('spot.order places an order that HTTP finds at once', async () => {
    const sentAt = Date.now();
    const answer = await peer.ask('spot.order', { ...LIMIT, clientOid: 'entry-1' });
    assert.equal(answer.op, 'spot.order');
    assert.equal(answer.code, '200000');
    assert.deepEqual(Object.keys(answer), ['id', 'op', 'code', 'data', 'inTime', 'outTime', 'userRateLimit']);
    assert.deepEqual(Object.keys(answer['userRateLimit'] as object), ['limit', 'reset', 'remaining']);
    assert.ok((answer['inTime'] as number) >= sentAt && (answer['outTime'] as number) <= Date.now());
    assert.equal(answer.data!['clientOid'], 'entry-1');
    const found = await order(answer.data!['orderId']);
    assert.equal(found['clientOid'], 'entry-1');
    assert.equal(found['active'], true);
  });

  test('spot.sync_order returns the result of matching', async () => {
    const { data } = await peer.ask('spot.sync_order', LIMIT);
    assert.equal(data!['status'], 'open');
    assert.equal(data!['originSize'], '0.001');
    assert.equal(data!['remainSize'], '0.001');
  });

  test('spot.cancel and spot.sync_cancel take the order id or the client id', async () => {
    const place = async (clientOid: string): Promise<string> =>
      String((await peer.ask('spot.order', { ...LIMIT, clientOid })).data!['orderId']);
    const symbol = 'BTC-USDT';
    const [a, , c] = [await place('c-a'), await place('c-b'), await place('c-c'), await place('c-d')];
    assert.deepEqual((await peer.ask('spot.cancel', { symbol, orderId: a })).data, { orderId: a });
    assert.deepEqual((await peer.ask('spot.cancel', { symbol, clientOid: 'c-b' })).data, {
      clientOid: 'c-b',
    });
    const byId = await peer.ask('spot.sync_cancel', { symbol, orderId: c });
    assert.equal(byId.data!['canceledSize'], '0.001');
    const byClientOid = await peer.ask('spot.sync_cancel', { symbol, clientOid: 'c-d' });
    assert.equal(byClientOid.data!['status'], 'done');
    assert.equal((await order(a))['active'], false);
  });

  test('spot.modify replaces an order', async () => {
    const { data } = await peer.ask('spot.order', { ...LIMIT, clientOid: 'before' });
    const args = { symbol: 'BTC-USDT', orderId: data!['orderId'], newPrice: '19000' };
    const altered = await peer.ask('spot.modify', args);
    assert.equal(altered.code, '200000');
    assert.equal((await order(altered.data!['newOrderId']))['price'], '19000');
    assert.equal((await order(data!['orderId']))['active'], false);
  });

  test('numbers keep all their digits', async () => {
    peer.ws.send(
      '{"id":"n1","op":"spot.order","args":{"symbol":"BTC-USDT","type":"limit","side":"buy","price":20000.1,"size":0.00123456}}',
    );
    const placed = await peer.next();
    const found = await order(placed.data!['orderId']);
    assert.equal(found['price'], '20000.1');
    assert.equal(found['size'], '0.00123456');
    peer.ws.send(
      '{"id":"n2","op":"spot.order","args":{"symbol":"BTC-USDT","type":"limit","side":"buy","price":20000,"size":0.10000000000000000001}}',
    );
    assert.equal((await peer.next()).code, '400100', 'a double would have rounded it to a valid size');
  });

  const wrong: Record<string, object> = {
    'an unknown symbol': { ...LIMIT, symbol: 'NO-SUCH' },
    'a price off the grid': { ...LIMIT, price: '20000.01' },
    'a size below the minimum': { ...LIMIT, size: '0.000001' },
    'more than there is': { ...LIMIT, size: '100000' },
    'a market order without size': { symbol: 'BTC-USDT', type: 'market', side: 'buy' },
    'no side': { symbol: 'BTC-USDT', type: 'limit', price: '1', size: '1' },
    'a clientOid that is taken': { ...LIMIT, clientOid: 'entry-1' },
    'an exponent': { ...LIMIT, price: '2e4' },
  };
  for (const [name, args] of Object.entries(wrong)) {
    test(`${name} gets the same error as over HTTP`, async () => {
      const { code, msg, detail } = await peer.ask('spot.order', args);
      const { json } = await http.post(ORDERS, args);
      assert.notEqual(code, '200000');
      assert.deepEqual({ code, msg, detail }, { code: json.code, msg: json.msg, detail: json['detail'] });
    });
  }

  test('cancelling an unknown order gets the same error as over HTTP', async () => {
    const orderId = '0123456789abcdef01234567';
    const { code, msg, detail } = await peer.ask('spot.cancel', { symbol: 'BTC-USDT', orderId });
    const { json } = await http.delete(`${ORDERS}/${orderId}?symbol=BTC-USDT`);
    assert.deepEqual({ code, msg, detail }, { code: json.code, msg: json.msg, detail: json['detail'] });
    assert.equal((await peer.ask('spot.cancel', { symbol: 'BTC-USDT' })).code, '400100');
    assert.equal((await peer.ask('spot.cancel', { orderId })).code, '400100');
  });

  test('a repeated message id does not take effect twice', async () => {
    const first = await peer.ask('spot.order', LIMIT, 'the-same');
    const again = await peer.ask('spot.order', LIMIT, 'the-same');
    assert.equal(first.code, '200000');
    assert.equal(again.code, '400013');
    assert.match(again.detail!, /an id of its own/);
    const long = 'x'.repeat(120);
    assert.equal((await peer.ask('spot.order', LIMIT, long)).code, '200000');
    assert.notEqual((await peer.ask('spot.order', LIMIT, long)).code, '200000');
    const other = await Peer.open(server, 'alice');
    assert.equal((await other.ask('spot.order', LIMIT, 'the-same')).code, '200000', 'another session');
    other.close();
  });

  test('ping is answered with pong, under the mount of the family dialect too', async () => {
    const other = await Peer.open(server, 'bob', '/compat');
    other.ws.send('{"id":"p1","op":"ping","timestamp":"1"}');
    const { id, op, timestamp } = await other.next();
    assert.deepEqual({ id, op, type: typeof timestamp }, { id: 'p1', op: 'pong', type: 'string' });
    other.close();
  });

  test('every operation is in the AsyncAPI document', async () => {
    const { channels } = asyncApi(DEFAULT_FEED_LIMITS) as { channels: { orderEntry: { messages: object } } };
    const documented = Object.keys(channels.orderEntry.messages).filter((name) => name.startsWith('spot.'));
    const { msg } = await peer.ask('spot.nothing', {});
    assert.match(
      msg!,
      new RegExp(`one of ping, ${['spot.order', 'spot.sync_order', 'spot.modify'].join(', ')}`),
    );
    assert.equal(documented.length, msg!.split(', ').length - 1);
    for (const op of documented) assert.ok(msg!.includes(op), op);
  });

  test('thousands of messages in flight are each answered once, in order', async () => {
    const count = 3000;
    const small = await startEntry({ orderEntryInFlightMax: 16 });
    const eager = await Peer.open(small, 'bob');
    for (let i = 0; i < count; i++) {
      const args = { ...LIMIT, clientOid: `many-${i}`, side: i % 2 ? 'sell' : 'buy', size: '0.0001' };
      eager.ws.send(JSON.stringify({ id: String(i), op: 'spot.order', args }));
    }
    const ids = new Set<unknown>();
    for (let i = 0; i < count; i++) {
      const answer: Frame = await eager.next();
      assert.equal(answer.id, String(i));
      assert.equal(answer.code, '200000', answer.msg);
      ids.add(answer.data!['orderId']);
    }
    assert.equal(ids.size, count);
    eager.close();
    await small.close();
  });

  test('with only the literal dialect, numbers must be numbers and decimals must be strings', async () => {
    const literal = await startServer({
      settings: { dialects: DIALECTS.filter(({ isLiteral }) => isLiteral) },
    });
    const bob = await Peer.open(literal, 'bob');
    const args = { ...LIMIT, timeInForce: 'GTT', cancelAfter: 60 };
    assert.equal((await bob.ask('spot.order', args)).code, '200000');
    for (const [name, value] of Object.entries({ cancelAfter: '60', price: 20000 })) {
      const { code, msg } = await bob.ask('spot.order', { ...args, [name]: value });
      assert.equal(code, '400100');
      assert.match(msg!, new RegExp(`${name} must be .*; it is ${JSON.stringify(value)}`));
    }
    bob.close();
    await literal.close();
  });

  test('order entry and HTTP share one rate-limit pool', async () => {
    const poor = await startEntry({}, { quotas: { spot: 3 } });
    const bob = await Peer.open(poor, 'bob');
    const spent = async (): Promise<unknown> => {
      const { code, userRateLimit } = await bob.ask('spot.order', LIMIT);
      return [code, (userRateLimit as { remaining: number }).remaining];
    };
    assert.deepEqual(await spent(), ['200000', 2]);
    assert.equal((await new Client(poor.url, 'bob').post(ORDERS, LIMIT)).status, 200);
    assert.deepEqual(await spent(), ['200000', 0]);
    assert.deepEqual(await spent(), ['429000', 0]);
    bob.close();
    await poor.close();
  });

  test('messages in flight get their responses before the server ends', async () => {
    const ending = await startEntry();
    const bob = await Peer.open(ending, 'bob');
    ending.log.isAutomatic = false;
    const count = 50;
    for (let i = 0; i < count; i++) {
      bob.ws.send(JSON.stringify({ id: String(i), op: 'spot.order', args: LIMIT }));
    }
    // A ping does not wait for the log: when it is answered, all orders before it have arrived.
    assert.equal((await bob.ask('ping', {})).op, 'pong');
    while (!ending.log.isSyncing) await setImmediate();
    const closing = ending.close();
    assert.deepEqual(bob.frames, []);
    ending.log.isAutomatic = true;
    ending.log.sync();
    assert.equal((await bob.ended()).code, 1001);
    assert.deepEqual(
      bob.frames.map((text) => (JSON.parse(text) as Frame).code),
      Array.from({ length: count }, () => '200000'),
    );
    await closing;
  });
});
