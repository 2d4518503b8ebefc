// The family dialect: other headers, one envelope, the same exchange behind it.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Answer, at, call, type Dialect, open, send, signed } from './client.ts';
import { UserClient, type Fields, limit, market } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const alice = new UserClient(service, 'alice');
const bob = new UserClient(service, 'bob');
const orders = '/api/v1/hf/orders';
const left: [string, string][] = [];
afterEach(async () => {
  for (const [id, symbol] of left.splice(0)) await alice.cancel(id, symbol);
  await bob.sweep();
});

const family = (): Dialect => ({ prefix: 'KC', url: service().ready.compatUrl });
const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
  call(family(), alice.user, method, path, body);

/** The data of a success: HTTP 200, envelope A, code 200000, nothing beside. */
async function data(answer: Answer | Promise<Answer>): Promise<unknown> {
  const { status, body, text } = await answer;
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(body as object).toSorted(), ['code', 'data'], text);
  assert.equal(at(body, 'code'), '200000', text);
  return at(body, 'data');
}

async function place(order: Fields): Promise<string> {
  const placed = (await data(ask('POST', orders, order))) as Record<string, string>;
  left.push([placed.orderId, String(order.symbol)]);
  return placed.orderId;
}

async function refused(order: Fields | string, code: string, msg?: string): Promise<void> {
  const answer = await ask('POST', orders, order);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(at(answer.body, 'code'), code, answer.text);
  if (msg !== undefined) assert.equal(at(answer.body, 'msg'), msg, 'the text and nothing more');
}

test('public data is in envelope A, and equals the bare data of the literal dialect', async () => {
  const symbols = (await data(open(family(), '/api/v2/symbols'))) as Record<string, unknown>[];
  const literal = (await alice.public('/api/v2/symbols')).body as Record<string, unknown>[];
  assert.deepEqual(
    symbols.map((found) => [found.symbol, found.priceIncrement]),
    literal.map((found) => [found.symbol, found.priceIncrement]),
  );
  assert.equal(at(await data(open(family(), '/api/v3/currencies/BTC')), 'currency'), 'BTC');
  assert.ok(Array.isArray(await data(open(family(), `/api/v1/market/histories?symbol=${pair}`))));
  await data(open(family(), `/api/v1/market/orderbook/level1?symbol=${pair}`));
  await data(open(family(), '/kyc/regions/v4'));
});

test('the signed path does not contain the mount', async () => {
  const path = '/api/v1/accounts';
  await data(ask('GET', path));
  const answer = await send(
    family().url,
    'GET',
    path,
    '',
    signed(family(), alice.user, 'GET', `/compat${path}`, ''),
  );
  assert.equal(answer.status, 401);
  assert.equal(at(answer.body, 'code'), '400005');
  assert.equal(at(answer.body, 'msg'), 'Invalid KC-API-SIGN');
});

test('headers of the literal dialect are ignored here', async () => {
  const headers = signed(alice.dialect, alice.user, 'GET', '/api/v1/accounts', '');
  const answer = await send(family().url, 'GET', '/api/v1/accounts', '', headers);
  assert.equal(answer.status, 400);
  assert.equal(at(answer.body, 'code'), '400001');
});

test('an order placed here exists in the literal dialect too, and the response has its clientOid', async () => {
  const placed = await data(ask('POST', orders, limit(pair, 'buy', '100', '1', { clientOid: 'fam-1' })));
  const id = String(at(placed, 'orderId'));
  left.push([id, pair]);
  assert.equal(at(placed, 'clientOid'), 'fam-1');
  assert.equal((await alice.order(id, pair)).clientOid, 'fam-1');
  const detail = (await data(ask('GET', `${orders}/${id}?symbol=${pair}`))) as Record<string, unknown>;
  for (const [field, value] of Object.entries(await alice.order(id, pair))) {
    if (['stp', 'tags', 'remark'].includes(field)) continue;
    assert.deepEqual(detail[field], value, field);
  }
  await alice.refused(limit(pair, 'buy', '100', '1', { clientOid: 'fam-1' }), /^\d{6}$/);
});

test('sync results, sync cancels, batches, transfers and accounts come in envelope A', async () => {
  const placed = await data(
    ask('POST', `${orders}/sync`, limit(pair, 'buy', '100', '1', { clientOid: 'fam-2' })),
  );
  assert.equal(at(placed, 'status'), 'open');
  const gone = await data(ask('DELETE', `${orders}/sync/client-order/fam-2?symbol=${pair}`));
  assert.equal(at(gone, 'status'), 'done');
  for (const path of [`${orders}/multi`, `${orders}/multi/sync`]) {
    const list = await data(
      ask('POST', path, { orderList: [limit(pair, 'buy', '100', '1'), limit(pair, 'buy', '1.001', '1')] }),
    );
    assert.equal(at(list, '0.success'), true);
    left.push([String(at(list, '0.orderId')), pair]);
    assert.equal(at(list, '1.success'), false);
    assert.equal(at(list, '1.failMsg'), 'Price increment invalid.');
  }
  const transfer = {
    clientOid: 'fam-move',
    currency: 'USDT',
    amount: '1',
    type: 'INTERNAL',
    fromAccountType: 'MAIN',
    toAccountType: 'TRADE',
  };
  assert.equal(
    typeof at(await data(ask('POST', '/api/v3/accounts/universal-transfer', transfer)), 'orderId'),
    'string',
  );
  const transferable = await data(ask('GET', '/api/v1/accounts/transferable?currency=USDT&type=TRADE'));
  assert.equal(typeof at(transferable, 'transferable'), 'string');
  const [first] = await alice.accounts();
  assert.equal(at(await data(ask('GET', `/api/v1/accounts/${first.id}`)), 'currency'), first.currency);
  assert.deepEqual(await data(ask('GET', '/api/v2/deposit-addresses?currency=KCS')), []);
});

test("a business rejection is HTTP 200 with the family's text alone, explained in detail", async () => {
  await refused(limit(pair, 'buy', '100.001', '1'), '400100', 'Price increment invalid.');
  await refused(limit(pair, 'buy', '100', '999999'), '200004', 'Balance insufficient!');
  await refused(limit(pair, 'buy', '100', '0.0001'), '600101', 'The order funds should more then 0.1 USDT.');
  await refused(limit('NO-SUCH', 'buy', '100', '1'), '900001', 'Unsupported trading pair.');
  const answer = await ask('POST', orders, limit(pair, 'buy', '100.001', '1'));
  assert.match(String(at(answer.body, 'detail')), /100\.001/);
});

test('an order that was in flight for longer than its sender allows is not placed', async () => {
  const aged = (ageMs: number, more: Fields = {}) =>
    limit(pair, 'buy', '100', '1', {
      allowMaxTimeWindow: 60_000,
      clientTimestamp: Date.now() - ageMs,
      ...more,
    });
  await place(aged(0));
  await place(aged(0, { clientTimestamp: String(Date.now()) }));
  await place(aged(0, { allowMaxTimeWindow: null, clientTimestamp: 1 }));
  const late = await ask('POST', orders, aged(61_500));
  assert.equal(at(late.body, 'code'), '400100', late.text);
  assert.match(String(at(late.body, 'detail')), /arrived 61\d{3} ms after .* allowMaxTimeWindow is 60000 ms/);
  await refused(aged(0, { clientTimestamp: undefined }), '400100');
  await refused(aged(0, { allowMaxTimeWindow: -5 }), '400100');
  const list = await data(ask('POST', `${orders}/multi`, { orderList: [aged(61_500), aged(0)] }));
  assert.deepEqual([at(list, '0.success'), at(list, '1.success')], [false, true]);
  left.push([String(at(list, '1.orderId')), pair]);
});

test('an unknown order gets HTTP 200 with the exact text that clients expect', async () => {
  const nobody = '65a0b0c0d0e0f00000000000';
  const seen = await ask('GET', `${orders}/${nobody}?symbol=${pair}`);
  assert.deepEqual(
    [seen.status, at(seen.body, 'code'), at(seen.body, 'msg')],
    [200, '400100', 'The order does not exist.'],
  );
  const cancelled = await ask('DELETE', `${orders}/${nobody}?symbol=${pair}`);
  assert.deepEqual(
    [cancelled.status, at(cancelled.body, 'code'), at(cancelled.body, 'msg')],
    [200, '400100', 'order_not_exist_or_not_allow_to_cancel'],
  );
});

test('authentication keeps its HTTP status, with KC in the text', async () => {
  const path = '/api/v1/accounts';
  const asked = async (change: Record<string, string>) => {
    const headers = { ...signed(family(), alice.user, 'GET', path, ''), ...change };
    const { status, body } = await send(family().url, 'GET', path, '', headers);
    return [status, at(body, 'code'), at(body, 'msg')];
  };
  assert.deepEqual(await asked({ 'KC-API-KEY': 'nobody' }), [401, '400003', 'KC-API-KEY not exists']);
  assert.deepEqual(await asked({ 'KC-API-PASSPHRASE': 'x' }), [401, '400004', 'Invalid KC-API-PASSPHRASE']);
  assert.deepEqual(await asked({ 'KC-API-TIMESTAMP': '1' }), [400, '400002', 'Invalid KC-API-TIMESTAMP']);
  const viewer = service().user('alice-viewer');
  const denied = await call(family(), viewer, 'POST', orders, limit(pair, 'buy', '100', '1'));
  assert.deepEqual([denied.status, at(denied.body, 'code')], [403, '400007']);
});

test('numbers are accepted for strings, but not exponents, signs or blanks', async () => {
  const id = await place({ ...limit(pair, 'buy', '', ''), price: 100.5, size: 2 });
  const order = await alice.order(id, pair);
  assert.deepEqual([order.price, order.size], ['100.5', '2']);
  const raw = (size: string) =>
    `{"symbol":"${pair}","type":"limit","side":"buy","price":"100","size":${size}}`;
  for (const size of ['1e0', '"1e0"', '-1', '"+1"', '" 1"', '""']) {
    const answer = await ask('POST', orders, raw(size));
    assert.notEqual(at(answer.body, 'code'), '200000', `${size} ${answer.text}`);
    assert.equal(answer.status, 200);
  }
});

test('cancelAfter -1 without GTT is ignored', async () => {
  const id = await place(limit(pair, 'buy', '100', '1', { cancelAfter: -1 }));
  const order = await alice.order(id, pair);
  assert.deepEqual([order.timeInForce, order.cancelAfter, order.active], ['GTC', 0, true]);
});

test('limit-only fields of a market order are ignored', async () => {
  await bob.place(limit(pair, 'sell', '100', '1'));
  const id = await place(
    market(pair, 'buy', { size: '1', timeInForce: 'GTC', postOnly: true, hidden: true, cancelAfter: -1 }),
  );
  assert.equal((await alice.order(id, pair)).dealSize, '1');
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
