// Look-ups and cancels by both ids, their response formats and their errors.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, limit, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { exactly, orderDetail, syncCancelLimit } from './shapes.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const [alice, bob, viewer, child] = ['alice', 'bob', 'alice-viewer', 'alice-sub'].map(
  (name) => new UserClient(service, name),
);
afterEach(async () => {
  for (const client of [alice, bob, child]) await client.sweep();
});

const orders = '/api/v1/hf/orders';
const nobody = '65a0b0c0d0e0f00000000000';
const resting = (clientOid: string) => limit(pair, 'buy', '100', '1', { clientOid });

test('a look-up by orderId and one by clientOid return the same order in every field', async () => {
  const id = await alice.place(resting('find-me'));
  const byId = await alice.call('GET', `${orders}/${id}?symbol=${pair}`);
  const byOid = await alice.call('GET', `${orders}/client-order/find-me?symbol=${pair}`);
  exactly(byId.body, { code: 'digits', data: orderDetail });
  assert.equal(at(byId.body, 'code'), '200000');
  assert.deepEqual(byId.body, byOid.body);
});

test('a done order can still be looked up', async () => {
  const id = await alice.place(resting('find-me-done'));
  await alice.cancel(id, pair);
  const byOid = await alice.call('GET', `${orders}/client-order/find-me-done?symbol=${pair}`);
  assert.equal(at(byOid.body, 'data.id'), id);
  assert.equal(at(byOid.body, 'data.active'), false);
});

test('a look-up needs only the General permission', async () => {
  const id = await alice.place(resting('viewed'));
  assert.equal((await viewer.order(id, pair)).id, id);
});

test('a look-up of an order that does not exist gets 404 with a message that says so', async () => {
  for (const path of [`${orders}/${nobody}`, `${orders}/client-order/no-such`]) {
    const said = refusal(await alice.call('GET', `${path}?symbol=${pair}`), 404, '400100');
    assert.match(said, /not exist/);
  }
});

test('an order does not exist for other users, and an order of a sub-account not for its master', async () => {
  const theirs = await bob.place(resting('bobs'));
  const childs = await child.place(resting('childs'));
  for (const [id, oid] of [
    [theirs, 'bobs'],
    [childs, 'childs'],
  ]) {
    refusal(await alice.call('GET', `${orders}/${id}?symbol=${pair}`), 404, '400100');
    refusal(await alice.call('GET', `${orders}/client-order/${oid}?symbol=${pair}`), 404, '400100');
    for (const path of [`/${id}`, `/client-order/${oid}`, `/sync/${id}`, `/sync/client-order/${oid}`]) {
      refusal(await alice.call('DELETE', `${orders}${path}?symbol=${pair}`), 404, '400100');
    }
  }
  assert.equal((await bob.order(theirs, pair)).active, true);
});

test('an order is not found under another pair, and is not cancelled there', async () => {
  const id = await alice.place(resting('other-pair'));
  refusal(await alice.call('GET', `${orders}/${id}?symbol=BTC-USDT`), 404, '400100');
  for (const path of [`/${id}`, `/client-order/other-pair`, `/sync/${id}`, `/sync/client-order/other-pair`]) {
    refusal(await alice.call('DELETE', `${orders}${path}?symbol=BTC-USDT`), 404, '400100');
  }
  assert.equal((await alice.order(id, pair)).active, true);
});

test('symbol is required, known, and given once', async () => {
  const id = await alice.place(resting('no-symbol'));
  const paths = [`/${id}`, '/client-order/no-symbol'];
  for (const method of ['GET', 'DELETE']) {
    for (const path of method === 'GET' ? paths : [...paths, `/sync/${id}`, '/sync/client-order/no-symbol']) {
      refusal(await alice.call(method, orders + path), 400, '400100', /symbol/);
      refusal(await alice.call(method, `${orders}${path}?symbol=`), 400, /^(400100|900001)$/);
      refusal(await alice.call(method, `${orders}${path}?symbol=NO-SUCH`), 400, '900001');
      refusal(
        await alice.call(method, `${orders}${path}?symbol=${pair}&symbol=${pair}`),
        400,
        '400100',
        /symbol/,
      );
    }
  }
  assert.equal((await alice.order(id, pair)).active, true);
});

test('a cancel by orderId returns the orderId, and one by clientOid the clientOid', async () => {
  const id = await alice.place(resting('c-1'));
  await alice.place(resting('c-2'));
  assert.deepEqual((await alice.cancel(id, pair)).body, { code: '200000', data: { orderId: id } });
  const byOid = await alice.call('DELETE', `${orders}/client-order/c-2?symbol=${pair}`);
  assert.deepEqual(byOid.body, { code: '200000', data: { clientOid: 'c-2' } });
});

test('a sync cancel returns the bare object with the sizes and status done', async () => {
  for (const by of ['id', 'oid']) {
    const id = await alice.place(resting(`s-${by}`));
    await bob.place(limit(pair, 'sell', '100', '0.25'));
    const path = by === 'id' ? id : `client-order/s-${by}`;
    const answer = await alice.call('DELETE', `${orders}/sync/${path}?symbol=${pair}`);
    assert.equal(answer.status, 200, answer.text);
    const { originFunds: _, ...rest } = answer.body as Record<string, unknown>;
    exactly(rest, syncCancelLimit);
    assert.deepEqual(rest, {
      orderId: id,
      originSize: '1',
      dealSize: '0.25',
      remainSize: '0',
      canceledSize: '0.75',
      status: 'done',
    });
  }
});

test('a cancel of an order that never existed gets 404 with the reason', async () => {
  for (const path of [`/${nobody}`, '/client-order/never', `/sync/${nobody}`, '/sync/client-order/never']) {
    const answer = await alice.call('DELETE', `${orders}${path}?symbol=${pair}`);
    refusal(answer, 404, '400100', /^order_not_exist_or_not_allow_to_cancel/);
  }
});

test('an orderId does not work as a clientOid, nor a clientOid as an orderId', async () => {
  const id = await alice.place(resting('not-an-id'));
  refusal(await alice.call('GET', `${orders}/client-order/${id}?symbol=${pair}`), 404, '400100');
  const wrong = await alice.call('GET', `${orders}/not-an-id?symbol=${pair}`);
  assert.ok(wrong.status === 404 || wrong.status === 400, wrong.text);
});

test('a cancel needs Spot Trading', async () => {
  const id = await alice.place(resting('guarded'));
  refusal(await viewer.cancel(id, pair), 403, '400007');
  assert.equal((await alice.order(id, pair)).active, true);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
