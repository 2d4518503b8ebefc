import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { type Data, type Family, LIMIT, startFamily } from './exchange.ts';

const ORDERS = '/api/v1/hf/orders';

describe('orders in the family dialect', () => {
  let family: Family;
  before(async () => {
    family = await startFamily();
  });
  after(() => family.close());

  test('active orders are listed completely, by page, and by symbol', async () => {
    const { carol } = family;
    assert.deepEqual(await carol.get(`${ORDERS}/active?symbol=BTC-USDT`), []);
    assert.deepEqual(await carol.get(`${ORDERS}/active/symbols`), { symbols: [] });
    const ids = [];
    for (let i = 0; i < 5; i++)
      ids.unshift(await carol.place({ price: String(20_000 + i), clientOid: `open-${i}` }));
    await carol.place({ symbol: 'ETH-USDT', price: '1000', size: '0.01' });

    const open = await carol.get<Data[]>(`${ORDERS}/active?symbol=BTC-USDT&tradeType=TRADE&status=active`);
    assert.deepEqual(
      open.map(({ id }) => id),
      ids,
    );
    const { createdAt, lastUpdatedAt, ...shown } = open[4];
    assert.ok(Number(lastUpdatedAt) >= Number(createdAt) && Number(createdAt) > 1e12);
    assert.deepEqual(shown, {
      id: ids[4],
      clientOid: 'open-0',
      symbol: 'BTC-USDT',
      opType: 'DEAL',
      type: 'limit',
      side: 'buy',
      price: '20000',
      size: '0.001',
      funds: '20',
      dealSize: '0',
      dealFunds: '0',
      cancelledSize: '0',
      cancelledFunds: '0',
      remainSize: '0.001',
      remainFunds: '20',
      fee: '0',
      feeCurrency: 'USDT',
      stp: '',
      timeInForce: 'GTC',
      postOnly: false,
      hidden: false,
      iceberg: false,
      visibleSize: '0',
      cancelAfter: 0,
      channel: 'API',
      remark: '',
      tags: '',
      active: true,
      inOrderBook: true,
      cancelExist: false,
      tradeType: 'TRADE',
      tax: '0',
    });
    const { items, ...head } = await carol.get(`${ORDERS}/active/page?symbol=BTC-USDT&pageNum=2&pageSize=2`);
    assert.deepEqual(head, { currentPage: 2, pageSize: 2, totalNum: 5, totalPage: 3 });
    assert.deepEqual(
      (items as Data[]).map(({ id }) => id),
      ids.slice(2, 4),
    );
    const { symbols } = await carol.get(`${ORDERS}/active/symbols`);
    assert.deepEqual((symbols as string[]).toSorted(), ['BTC-USDT', 'ETH-USDT']);
    await carol.refused('GET', `${ORDERS}/active`, undefined, '400100', /symbol/);
    await carol.refused(
      'GET',
      `${ORDERS}/active?symbol=NO-PAIR`,
      undefined,
      '900001',
      /^Unsupported trading pair\. Unknown/,
    );
    await carol.refused(
      'GET',
      `${ORDERS}/active/page?symbol=BTC-USDT&pageSize=501`,
      undefined,
      '400100',
      /500/,
    );
  });

  test('all orders of a symbol are cancelled, then all of all symbols', async () => {
    const { carol } = family;
    assert.equal(await carol.delete<unknown>(`${ORDERS}?symbol=BTC-USDT`), 'success');
    assert.deepEqual(await carol.get(`${ORDERS}/active?symbol=BTC-USDT`), []);
    await carol.place({});
    const { succeedSymbols, failedSymbols } = await carol.delete(`${ORDERS}/cancelAll`);
    assert.deepEqual((succeedSymbols as string[]).toSorted(), ['BTC-USDT', 'ETH-USDT']);
    assert.deepEqual(failedSymbols, []);
    assert.deepEqual(await carol.get(`${ORDERS}/active/symbols`), { symbols: [] });
    assert.deepEqual(await carol.delete(`${ORDERS}/cancelAll`), { succeedSymbols: [], failedSymbols: [] });
  });

  test('done orders and fills continue after lastId, and both sides name each other', async () => {
    const { alice, bob } = family;
    const made: [string, string][] = [];
    for (let i = 0; i < 5; i++) {
      const sell = await bob.place({ side: 'sell', price: '30000' });
      made.unshift([await alice.place({ side: 'buy', price: '30000', clientOid: `fill-${i}` }), sell]);
    }
    const list = async (path: string, limit: number): Promise<Data[]> => {
      const rows: Data[] = [];
      let lastId = 0;
      for (let page = 0; page < 9; page++) {
        const next = await alice.get(`${path}&limit=${limit}${lastId ? `&lastId=${lastId}` : ''}`);
        assert.ok(Array.isArray(next['items']) && next['items'].length <= limit);
        if (next['items'].length === 0) return rows;
        rows.push(...(next['items'] as Data[]));
        lastId = next['lastId'] as number;
      }
      throw new Error('the list does not end');
    };
    const done = await list(`${ORDERS}/done?symbol=BTC-USDT`, 2);
    assert.deepEqual(
      done.map(({ id }) => id),
      made.map(([id]) => id),
    );
    assert.deepEqual(
      [done[0]['active'], done[0]['dealSize'], done[0]['dealFunds'], done[0]['fee'], done[0]['tax']],
      [false, '0.001', '30', '0.03', '0'],
    );
    const fills = await list('/api/v1/hf/fills?symbol=BTC-USDT', 2);
    assert.deepEqual(
      fills.map(({ orderId, counterOrderId }) => [orderId, counterOrderId]),
      made,
    );
    const { id, tradeId, createdAt, ...fill } = fills[0];
    assert.ok(Number(id) > 0 && Number(tradeId) > 0 && Number(createdAt) > 1e12);
    assert.deepEqual(fill, {
      orderId: made[0][0],
      counterOrderId: made[0][1],
      symbol: 'BTC-USDT',
      side: 'buy',
      liquidity: 'taker',
      type: 'limit',
      forceTaker: false,
      price: '30000',
      size: '0.001',
      funds: '30',
      fee: '0.03',
      feeRate: '0.001',
      feeCurrency: 'USDT',
      stop: '',
      tradeType: 'TRADE',
      taxRate: '0',
      tax: '0',
    });
    const { items } = await alice.get(`/api/v1/hf/fills?orderId=${made[2][0]}&pageSize=500`);
    assert.deepEqual(
      (items as Data[]).map(({ orderId }) => orderId),
      [made[2][0]],
    );
    const nothing = [
      `/api/v1/hf/fills?orderId=${made[2][1]}`,
      '/api/v1/hf/fills?orderId=nonsense',
      '/api/v1/hf/fills?symbol=BTC-USDT&side=sell',
      '/api/v1/hf/fills?symbol=ETH-USDT',
      `${ORDERS}/done?symbol=BTC-USDT&type=market`,
      `${ORDERS}/done?symbol=BTC-USDT&endAt=1000`,
    ];
    for (const path of nothing) assert.deepEqual(await alice.get(path), { items: [], lastId: 0 }, path);
    await alice.refused(
      'GET',
      `${ORDERS}/done?symbol=BTC-USDT&side=hold`,
      undefined,
      '400100',
      /buy or sell/,
    );
    await alice.refused('GET', `${ORDERS}/done?symbol=BTC-USDT&lastId=x`, undefined, '400100', /lastId/);
    await alice.refused('GET', `${ORDERS}/done?startAt=2000&endAt=1000`, undefined, '400100', /startAt/);
    const unset = '&side=undefined&lastId=0&limit=&startAt=0&endAt=undefined';
    const all = await alice.get(`${ORDERS}/done?symbol=BTC-USDT${unset}`);
    assert.equal((all['items'] as Data[]).length, 5);
  });

  test('only a cancelled order has doneReason, and in the literal dialect no order has it', async () => {
    const { carol, literal } = family;
    const path = (id: string): string => `${ORDERS}/${id}?symbol=BTC-USDT`;
    const requested = await carol.place({ price: '20000' });
    assert.ok(!Object.hasOwn(await carol.get<Data>(path(requested)), 'doneReason'));
    await carol.delete(path(requested));
    const ioc = await carol.place({ price: '20000', timeInForce: 'IOC' });
    const reasons = [requested, ioc].map(async (id) => (await carol.get<Data>(path(id)))['doneReason']);
    assert.deepEqual(await Promise.all(reasons), ['as requested', 'the unfilled part of an IOC order']);
    const { json } = await literal.send('POST', ORDERS, { ...LIMIT, price: '20000', timeInForce: 'IOC' });
    const { orderId } = (json as { data: { orderId: string } }).data;
    const shown = (await literal.send('GET', path(orderId))).json as { data: Data };
    assert.ok(!Object.hasOwn(shown.data, 'doneReason'));
  });

  test('an order that is partly cancelled keeps its queue position', async () => {
    const { alice, bob, carol } = family;
    const first = await alice.place({ side: 'sell', price: '31000', size: '0.003' });
    await carol.place({ side: 'sell', price: '31000', size: '0.003' });
    const path = `${ORDERS}/cancel/${first}?symbol=BTC-USDT`;
    assert.deepEqual(await alice.delete(`${path}&cancelSize=0.001`), { orderId: first, cancelSize: '0.001' });
    await bob.place({ price: '31000', size: '0.001' });
    const order = await alice.get(`${ORDERS}/${first}?symbol=BTC-USDT`);
    assert.deepEqual(
      [order['size'], order['dealSize'], order['cancelledSize'], order['remainSize'], order['cancelExist']],
      ['0.003', '0.001', '0.001', '0.001', true],
    );
    await alice.refused(
      'DELETE',
      `${path}&cancelSize=0.002`,
      undefined,
      '400100',
      /above the largest, 0\.001/,
    );
    await alice.refused('DELETE', `${path}&cancelSize=-1`, undefined, '400100', /decimal/);
    await bob.refused(
      'DELETE',
      `${path}&cancelSize=0.001`,
      undefined,
      '400100',
      /^order_not_exist_or_not_allow_to_cancel/,
    );
    await alice.delete(`${ORDERS}/cancelAll`);
    await carol.delete(`${ORDERS}/cancelAll`);
  });

  test('altering returns the id of the new order and the clientOid', async () => {
    const { alice, bob } = family;
    const old = await alice.place({ clientOid: 'alter-me' });
    const altered = await alice.post(`${ORDERS}/alter`, {
      symbol: 'BTC-USDT',
      orderId: old,
      newPrice: '21000',
    });
    assert.equal(altered['clientOid'], 'alter-me');
    assert.notEqual(altered['newOrderId'], old);
    const order = await alice.get(`${ORDERS}/${altered['newOrderId']}?symbol=BTC-USDT`);
    assert.deepEqual([order['price'], order['size'], order['clientOid']], ['21000', '0.001', 'alter-me']);
    assert.equal((await alice.get(`${ORDERS}/${old}?symbol=BTC-USDT`))['active'], false);

    const again = { symbol: 'BTC-USDT', clientOid: 'alter-me', newSize: '0.002' };
    const byName = await alice.post(`${ORDERS}/alter`, again);
    await bob.place({ side: 'sell', price: '21000', size: '0.001' });
    const done = await alice.post(`${ORDERS}/alter`, { ...again, newSize: '0.001' });
    assert.deepEqual(done, { newOrderId: null, clientOid: 'alter-me' });
    const part = await alice.place({ size: '0.002', price: '21000', clientOid: 'by-id' });
    await bob.place({ side: 'sell', price: '21000', size: '0.001' });
    const byId = { symbol: 'BTC-USDT', orderId: part, newSize: '0.001' };
    assert.deepEqual(await alice.post(`${ORDERS}/alter`, byId), { newOrderId: null, clientOid: 'by-id' });
    await alice.refused(
      'POST',
      `${ORDERS}/alter`,
      byId,
      '400100',
      /The order is cancelled \(replaced by a changed one\)/,
    );
    await alice.refused(
      'DELETE',
      `${ORDERS}/cancel/${part}?symbol=BTC-USDT&cancelSize=0.001`,
      undefined,
      '400100',
      /The order is cancelled \(replaced by a changed one\)/,
    );
    await alice.refused(
      'POST',
      `${ORDERS}/alter`,
      { ...again, orderId: byName['newOrderId'] },
      '400100',
      /not_exist/,
    );
    await alice.refused(
      'POST',
      `${ORDERS}/alter`,
      { symbol: 'BTC-USDT', newSize: '1' },
      '400100',
      /orderId and clientOid/,
    );
    await alice.refused(
      'POST',
      `${ORDERS}/alter`,
      { symbol: 'BTC-USDT', orderId: old },
      '400100',
      /newPrice/,
    );
    const rest = await alice.place({});
    const tooFine = { symbol: 'BTC-USDT', orderId: rest, newPrice: '20000.00001' };
    await alice.refused('POST', `${ORDERS}/alter`, tooFine, '400100', /^Price increment invalid\./);
    await bob.refused(
      'POST',
      `${ORDERS}/alter`,
      { ...tooFine, newPrice: '20001' },
      '400100',
      /^order_not_exist/,
    );
    await alice.delete(`${ORDERS}/cancelAll`);
  });

  test('a test order is checked like any other, and not placed', async () => {
    const { alice, literal } = family;
    const tried = await alice.post(`${ORDERS}/test`, { ...LIMIT, clientOid: 'try' });
    assert.match(String(tried['orderId']), /^[0-9a-f]{24}$/);
    assert.equal(tried['clientOid'], 'try');
    assert.deepEqual(Object.keys(await literal.post(`${ORDERS}/test`, LIMIT)), ['orderId']);
    await alice.refused(
      'GET',
      `${ORDERS}/${tried['orderId']}?symbol=BTC-USDT`,
      undefined,
      '400100',
      /does not exist/,
    );
    await alice.refused(
      'POST',
      `${ORDERS}/test`,
      { ...LIMIT, size: '1000' },
      '200004',
      /^Balance insufficient!/,
    );
    await alice.refused('POST', `${ORDERS}/test`, { ...LIMIT, price: '0.01' }, '400100', /Price increment/);
    assert.deepEqual(await alice.get(`${ORDERS}/active?symbol=BTC-USDT`), []);
  });

  test("the dead man's switch is set, shown in seconds, fires, and is turned off", async () => {
    const { alice } = family;
    const path = `${ORDERS}/dead-cancel-all`;
    assert.equal(await alice.get(`${path}/query`), null);
    await alice.place({});
    const set = await alice.post(path, { timeout: 5, symbols: 'BTC-USDT,ETH-USDT' });
    assert.equal(Number(set['triggerTime']) - Number(set['currentTime']), 5);
    assert.ok(Number(set['currentTime']) < 1e10);
    const shown = await alice.get(`${path}/query`);
    assert.deepEqual([shown['timeout'], shown['triggerTime']], [5, set['triggerTime']]);
    assert.deepEqual(String(shown['symbols']).split(',').toSorted(), ['BTC-USDT', 'ETH-USDT']);
    await alice.refused('POST', path, { timeout: 4 }, '400100', /timeout 4 must be -1, or 5 to 86400/);
    await alice.refused('POST', path, { timeout: 5, symbols: 'NO-PAIR' }, '900001', /NO-PAIR/);
    await alice.post(path, { timeout: -1 });
    assert.equal(await alice.get(`${path}/query`), null);
    await alice.post(path, { timeout: 5, symbols: '' });
    let open: unknown[] = [0];
    for (let round = 0; open.length > 0; round++) {
      assert.ok(round < 300, 'the switch fires');
      await sleep(100);
      open = await alice.get<unknown[]>(`${ORDERS}/active?symbol=BTC-USDT`);
    }
    assert.equal(await alice.get(`${path}/query`), null);
  });

  test('a key with only General can list, and cannot change anything', async () => {
    const { viewer } = family;
    await viewer.get(`${ORDERS}/done?symbol=BTC-USDT`);
    for (const [method, path, body] of [
      ['DELETE', `${ORDERS}?symbol=BTC-USDT`, undefined],
      ['POST', `${ORDERS}/test`, LIMIT],
      ['GET', `${ORDERS}/active/symbols`, undefined],
    ] as const) {
      await viewer.refused(method, path, body, '400007', /permission/);
    }
  });
});
