// States of markets, auctions, the pause and the schedule, through the operator's calls and what users see of them.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addOperator, clientOf, codeOf, openFor, Operator, withToken } from './exchange.ts';

type Row = Record<string, unknown>;
const SYMBOL = '/v1/symbols/BTC-USDT';

/** A sandbox whose clock advances only on request. */
async function openVenue(t: TestContext) {
  const running = await openFor(t);
  const operator = new Operator(running);
  const { sandboxUrl, operatorToken } = running.connection as unknown as Record<string, string>;
  const control = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(sandboxUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  await control('/clock', { mode: 'manual' });
  const advance = (ms: number) => control('/clock/advance', { ms });
  const place = async (name: string, side: string, price: string, more: object = {}): Promise<Row> => {
    const body = { symbol: 'BTC-USDT', type: 'limit', side, price, size: '0.01', ...more };
    const { json } = await clientOf(running, name).post('/api/v1/hf/orders', body);
    return json as unknown as Row;
  };
  const symbol = async (): Promise<Row> => {
    const { json } = await clientOf(running).get('/api/v2/symbols');
    return (json as unknown as Row[]).find((each) => each['symbol'] === 'BTC-USDT')!;
  };
  const post = async (path: string, body: object): Promise<Row> => {
    const { status, body: answer } = await operator.post(path, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer as Row;
  };
  return { running, operator, advance, place, symbol, post };
}

test('an auction begins over HTTP, shows its indicative price, and uncrosses at its end time', async (t) => {
  const { running, operator, advance, place, post, symbol } = await openVenue(t);
  const begun = await post(`${SYMBOL}/auction`, {
    endsInMs: 60_000,
    referencePrice: '50000',
    band: '0.1',
    thenState: 'open',
  });
  const now = await running.engine.read(({ time }) => time);
  assert.deepEqual(begun, {
    symbol: 'BTC-USDT',
    endsAt: now + 60_000,
    extended: false,
    thenState: 'open',
    referencePrice: '50000',
    band: '0.1',
    price: null,
    size: '0',
    imbalance: '0',
    side: null,
  });
  assert.equal((await place('alice', 'sell', '49000'))['code'], '200000');
  assert.equal((await place('bob', 'buy', '51000', { size: '0.03' }))['code'], '200000');
  const own = await place('bob', 'sell', '51000');
  assert.equal(own['code'], '200001');
  assert.match(String(own['msg']), /your orders must not cross/);
  const market = await place('bob', 'buy', '', { type: 'market', price: undefined });
  assert.equal(market['code'], '200001');
  assert.match(String(market['msg']), /takes no market orders/);
  const running2 = (await operator.get(`${SYMBOL}/auction`)).body as Row;
  assert.deepEqual(
    [running2['price'], running2['size'], running2['imbalance'], running2['side']],
    ['51000', '0.01', '0.02', 'buy'],
  );
  assert.equal((await symbol())['enableTrading'], true);
  await advance(60_000);
  assert.equal(((await operator.get(`${SYMBOL}/auction`)).body as Row)['endsAt'], null);
  const fills = (await clientOf(running, 'alice').get('/api/v1/hf/fills?symbol=BTC-USDT'))
    .json as unknown as {
    data: { items: Row[] };
  };
  const [fill] = fills.data.items;
  assert.deepEqual([fill!['price'], fill!['liquidity'], fill!['size']], ['51000', 'maker', '0.01']);
});

test('an invalid auction call is rejected with an error that says what is valid', async (t) => {
  const { operator, post } = await openVenue(t);
  const begin = (body: object) =>
    operator.post(`${SYMBOL}/auction`, { endsInMs: 1000, thenState: 'open', ...body });
  assert.deepEqual(codeOf(await operator.post(`${SYMBOL}/auction/cancel`, {})), [409, 'no-auction']);
  assert.deepEqual(codeOf(await begin({ band: 'a tenth' })), [400, 'value-invalid']);
  assert.deepEqual(codeOf(await begin({ referencePrice: '-1' })), [400, 'value-invalid']);
  assert.equal((await begin({ thenState: 'delisted' })).status, 400);
  assert.equal((await begin({ endsInMs: 0 })).status, 400);
  await post(`${SYMBOL}/auction`, { endsInMs: 1000, thenState: 'open' });
  assert.deepEqual(codeOf(await begin({})), [409, 'in-auction']);
  assert.deepEqual(codeOf(await operator.post(`${SYMBOL}/state`, { state: 'open' })), [409, 'in-auction']);
  assert.equal((await operator.post(`${SYMBOL}/state`, { state: 'auction' })).status, 400);
});

test('a cancelled auction leaves a crossed book, and the market cannot be opened', async (t) => {
  const { operator, place, post } = await openVenue(t);
  await post(`${SYMBOL}/auction`, { endsInMs: 1000, thenState: 'open' });
  await place('alice', 'sell', '49000');
  await place('bob', 'buy', '51000');
  const cancelled = await post(`${SYMBOL}/auction/cancel`, {});
  assert.equal(cancelled['state'], 'halted');
  assert.deepEqual(codeOf(await operator.post(`${SYMBOL}/state`, { state: 'open' })), [409, 'book-crossed']);
});

test('users see that a market is post-only, and that the whole exchange is paused', async (t) => {
  const { running, operator, place, post, symbol } = await openVenue(t);
  await place('alice', 'sell', '50000');
  await post(`${SYMBOL}/state`, { state: 'post-only' });
  assert.equal((await place('bob', 'buy', '50000'))['code'], '200001');
  assert.equal((await place('bob', 'buy', '49000'))['code'], '200000');
  const status = async (): Promise<unknown> => {
    const { json } = await clientOf(running).get('/api/v1/status');
    return json.data ?? json;
  };
  assert.equal(((await status()) as Row)['status'], 'open');
  await post('/v1/pause', {});
  assert.deepEqual((await operator.get('/v1/pause')).body, { paused: true });
  assert.deepEqual(codeOf(await operator.post('/v1/pause', {})), [409, 'paused-already']);
  assert.equal(((await status()) as Row)['status'], 'close');
  assert.equal((await symbol())['enableTrading'], false);
  assert.equal((await place('bob', 'buy', '49000'))['code'], '600203');
  await post('/v1/resume', {});
  assert.deepEqual(codeOf(await operator.post('/v1/resume', {})), [409, 'not-paused']);
  assert.equal((await place('bob', 'buy', '49000'))['code'], '200000');
});

test('a scheduled change is announced, takes effect at its time, and can be cancelled before', async (t) => {
  const { running, operator, advance, post, symbol } = await openVenue(t);
  const now = await running.engine.read(({ time }) => time);
  const call = { call: 'set-market-state', params: { symbol: 'BTC-USDT' }, body: { state: 'halted' } };
  const scheduled = await post('/v1/schedule', { at: now + 60_000, ...call });
  assert.deepEqual(
    [scheduled['at'], scheduled['call'], scheduled['status'], scheduled['command']],
    [
      now + 60_000,
      'set-market-state',
      'scheduled',
      { kind: 'set-market-state', symbol: 'BTC-USDT', state: 'halted' },
    ],
  );
  const other = await post('/v1/schedule', { at: now + 90_000, ...call });
  for (const version of [1, 3]) {
    const { json } = await clientOf(running).get(`/api/v${version}/announcements`);
    const { items } = json.data as { items: Row[] };
    assert.equal(items.length, 2);
    assert.equal(items[0]!['annTitle'], 'BTC-USDT is halted');
  }
  const removed = await operator.delete(`/v1/schedule/${String(other['id'])}`);
  assert.deepEqual(removed.body, { id: other['id'], removed: true });
  assert.deepEqual(codeOf(await operator.delete(`/v1/schedule/${String(other['id'])}`)), [
    404,
    'schedule-unknown',
  ]);
  assert.equal((await symbol())['enableTrading'], true);
  await advance(60_000);
  assert.equal((await symbol())['enableTrading'], false);
  const [entry, ...rest] = (await operator.get('/v1/schedule')).body as Row[];
  assert.deepEqual([entry!['status'], rest], ['done', []]);
});

test('an impossible schedule is rejected before anything is stored', async (t) => {
  const { running, operator } = await openVenue(t);
  const now = await running.engine.read(({ time }) => time);
  const schedule = (body: object, by = operator) =>
    by.post('/v1/schedule', { at: now + 3_600_000, call: 'pause-exchange', ...body });
  assert.deepEqual(codeOf(await schedule({ call: 'add-user' })), [400, 'call-not-possible']);
  assert.deepEqual(codeOf(await schedule({ at: now - 1 })), [400, 'value-invalid']);
  const state = { call: 'set-market-state', params: { symbol: 'BTC-USDT' } };
  assert.equal((await schedule({ ...state, body: { state: 'closed' } })).status, 400);
  assert.equal((await schedule({ ...state, params: {}, body: { state: 'halted' } })).status, 400);
  const unknown = { ...state, params: { symbol: 'NO-SUCH' }, body: { state: 'halted' } };
  assert.deepEqual(codeOf(await schedule(unknown)), [404, 'symbol-unknown']);
  const admin = withToken(running, (await addOperator(operator, 'ann', 'admin')).token);
  assert.deepEqual(codeOf(await schedule({ ...state, body: { state: 'halted' } }, admin)), [403, 'role']);
  const change = { call: 'change-symbol', params: state.params };
  assert.deepEqual(codeOf(await schedule({ ...change, body: {} })), [400, 'nothing-to-change']);
  assert.deepEqual(codeOf(await schedule({ ...change, body: { reason: 'x' } })), [400, 'nothing-to-change']);
  assert.equal((await schedule({}, admin)).status, 200);
  assert.equal(((await operator.get('/v1/schedule')).body as Row[]).length, 1);
  // The reason is not part of the announced change.
  const fine = await schedule({ ...change, body: { minFunds: '2', reason: 'x' } });
  const command = { kind: 'change-symbol', symbol: 'BTC-USDT', minFunds: '2' };
  assert.deepEqual((fine.body as Row)['command'], command);
});

test('a scheduled call needs the same approvals as an immediate one', async (t) => {
  const { running, operator } = await openVenue(t);
  const now = await running.engine.read(({ time }) => time);
  await operator.post('/v1/policy', {
    rules: [{ call: 'pause-exchange', approvals: 1 }],
    expiryMs: 3_600_000,
  });
  const held = await operator.post('/v1/schedule', { at: now + 3_600_000, call: 'pause-exchange' });
  assert.equal(held.status, 202, JSON.stringify(held.body));
  assert.deepEqual((await operator.get('/v1/schedule')).body, []);
  const bob = withToken(running, (await addOperator(operator, 'bob', 'listing')).token);
  const { proposalId, hash } = held.body as { proposalId: string; hash: string };
  const approved = await bob.post(`/v1/proposals/${proposalId}/approve`, { hash });
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  assert.equal(((await operator.get('/v1/schedule')).body as Row[]).length, 1);
});
