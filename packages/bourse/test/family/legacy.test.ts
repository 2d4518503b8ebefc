import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Data, type Family, LIMIT, startFamily } from './exchange.ts';

const ORDERS = '/api/v1/orders';
const BY_NAME = '/api/v1/order/client-order';

describe('the old order endpoints', () => {
  let family: Family;
  before(async () => {
    family = await startFamily();
  });
  after(() => family.close());

  test('place, test, look up and cancel without naming a symbol', async () => {
    const { alice, bob } = family;
    const { type: _, ...untyped } = LIMIT;
    const placed = await alice.post(ORDERS, { ...untyped, clientOid: 'old-1', tradeType: 'TRADE' });
    const id = String(placed['orderId']);
    await alice.post(`${ORDERS}/test`, untyped);
    const order = await alice.get(`${ORDERS}/${id}`);
    assert.deepEqual(
      ['id', 'type', 'funds', 'isActive', 'stop', 'stopTriggered', 'stopPrice', 'opType'].map(
        (name) => order[name],
      ),
      [id, 'limit', '0', true, '', false, '0', 'DEAL'],
    );
    assert.deepEqual(await alice.get(`${BY_NAME}/old-1`), order);
    await bob.refused('GET', `${ORDERS}/${id}`, undefined, '400100', /^The order does not exist\./);
    await bob.refused('DELETE', `${ORDERS}/${id}`, undefined, '400100', /^order_not_exist/);
    assert.deepEqual(await alice.delete(`${ORDERS}/${id}`), { cancelledOrderIds: [id] });
    await alice.refused('DELETE', `${ORDERS}/${id}`, undefined, '400100', /^order_not_exist.*as requested/);
    assert.equal((await alice.get(`${ORDERS}/${id}`))['isActive'], false);

    const { orderId } = await alice.post(ORDERS, { ...LIMIT, clientOid: 'old-2' });
    assert.deepEqual(await alice.delete(`${BY_NAME}/old-2`), {
      cancelledOrderId: orderId,
      clientOid: 'old-2',
      cancelledOcoOrderIds: null,
    });
    await alice.refused('DELETE', `${BY_NAME}/never`, undefined, '400100', /^order_not_exist/);
    const stop = { ...LIMIT, stop: 'loss', stopPrice: '19000' };
    await alice.refused('POST', ORDERS, stop, '400100', /stop-order/);
  });

  test('a batch answers each entry with its fields', async () => {
    const { alice } = family;
    const { symbol: _, ...entry } = LIMIT;
    const good = { ...entry, clientOid: 'multi-1' };
    const bad = { ...entry, size: '1000', clientOid: 'multi-2' };
    const { data } = await alice.post(`${ORDERS}/multi`, { symbol: 'BTC-USDT', orderList: [good, bad] });
    const [placed, failed] = data as Data[];
    assert.deepEqual(
      [placed['symbol'], placed['status'], placed['failMsg'], placed['clientOid'], placed['price']],
      ['BTC-USDT', 'success', null, 'multi-1', '20000'],
    );
    assert.deepEqual(
      [failed['id'], failed['status'], failed['failMsg']],
      [null, 'fail', 'Balance insufficient!'],
    );
    const cancelled = await alice.delete(`${ORDERS}?symbol=BTC-USDT&tradeType=TRADE`);
    assert.deepEqual(cancelled, { cancelledOrderIds: [placed['id']] });
    assert.deepEqual(await alice.delete(ORDERS), { cancelledOrderIds: [] });
  });

  test('lists are pages of active and of done orders, seven days at a time', async () => {
    const { carol, bob } = family;
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift(await carol.place({ price: String(20_000 + i) }));
    const other = await carol.place({ symbol: 'ETH-USDT', price: '1000', size: '0.01', side: 'buy' });
    const list = async (query: string): Promise<unknown[]> =>
      ((await carol.get(`${ORDERS}?${query}`))['items'] as Data[]).map(({ id }) => id);
    assert.deepEqual(await list('status=active'), [other, ...ids]);
    assert.deepEqual(await list('status=active&symbol=BTC-USDT&side=buy&type=limit'), ids);
    assert.deepEqual(await list('status=active&side=sell'), []);
    assert.deepEqual(await list('symbol=BTC-USDT'), []);
    await carol.delete(ORDERS);
    const { items, ...head } = await carol.get(
      `${ORDERS}?status=done&symbol=BTC-USDT&currentPage=2&pageSize=2`,
    );
    assert.deepEqual(head, { currentPage: 2, pageSize: 2, totalNum: 3, totalPage: 2 });
    assert.equal((items as Data[]).length, 1);
    assert.equal((await carol.get<Data[]>('/api/v1/limit/orders')).length, 4);
    const now = Date.now();
    const week = 7 * 24 * 3600 * 1000;
    assert.equal((await list(`startAt=${now - week}&endAt=${now}`)).length, 4);
    await carol.refused(
      'GET',
      `${ORDERS}?startAt=${now - week - 1}&endAt=${now}`,
      undefined,
      '400100',
      /ms apart/,
    );
    assert.deepEqual(await list(`endAt=${now - week}`), []);
    await carol.refused('GET', `${ORDERS}?status=open`, undefined, '400100', /active or done/);
    await carol.refused('GET', `${ORDERS}?currentPage=1000`, undefined, '400100', /Pages end/);

    await bob.place({ side: 'sell', price: '30000' });
    await carol.place({ price: '30000' });
    const fills = await carol.get('/api/v1/fills?symbol=BTC-USDT&pageSize=10');
    assert.deepEqual([fills['totalNum'], fills['totalPage']], [1, 1]);
    const [fill] = fills['items'] as Data[];
    assert.equal(typeof fill['tradeId'], 'string');
    assert.deepEqual(await carol.get('/api/v1/limit/fills'), [fill]);
    const byOrder = await carol.get(`/api/v1/fills?orderId=${fill['orderId']}`);
    assert.deepEqual(byOrder['items'], [fill]);
    assert.deepEqual((await carol.get(`/api/v1/fills?orderId=${fill['counterOrderId']}`))['totalNum'], 0);
  });
});
