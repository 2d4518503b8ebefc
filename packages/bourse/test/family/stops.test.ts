import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Data, type Family, LIMIT, startFamily } from './exchange.ts';

const ORDERS = '/api/v1/hf/orders';
const STOPS = '/api/v1/stop-order';
const OCO = '/api/v3/oco';

describe('stop and OCO orders', () => {
  let family: Family;
  before(async () => {
    family = await startFamily();
    await trade('30000');
  });
  after(() => family.close());

  async function trade(price: string): Promise<void> {
    await family.bob.place({ side: 'sell', price });
    await family.carol.place({ price });
  }
  const placeStop = async (change: Data): Promise<string> =>
    (await family.alice.post<{ orderId: string }>(STOPS, { ...LIMIT, ...change })).orderId;
  const listed = async (query = ''): Promise<unknown[]> =>
    ((await family.alice.get(`${STOPS}${query}`))['items'] as Data[]).map(({ id }) => id);

  test('a stop order is placed without `stop`, shown, found by both names, and cancelled', async () => {
    const { alice, bob } = family;
    const id = await placeStop({ stopPrice: '29000', clientOid: 'stop-1', remark: 'careful' });
    const { createdAt, userId, ...shown } = await alice.get(`${STOPS}/${id}`);
    assert.match(String(userId), /^[0-9a-f]{24}$/);
    const { orderTime, ...rest } = shown;
    assert.equal(Math.round(Number(orderTime) / 1e6), createdAt);
    assert.deepEqual(rest, {
      id,
      symbol: 'BTC-USDT',
      status: 'NEW',
      type: 'limit',
      side: 'buy',
      price: '20000',
      size: '0.001',
      funds: null,
      stp: null,
      timeInForce: 'GTC',
      cancelAfter: -1,
      postOnly: false,
      hidden: false,
      iceberg: false,
      visibleSize: null,
      channel: 'API',
      clientOid: 'stop-1',
      remark: 'careful',
      tags: null,
      relatedNo: null,
      domainId: 'bourse',
      tradeSource: 'USER',
      tradeType: 'TRADE',
      feeCurrency: 'USDT',
      takerFeeRate: '0.001',
      makerFeeRate: '0.001',
      stop: 'loss',
      stopTriggerTime: null,
      stopPrice: '29000',
      limitPrice: null,
      pop: null,
      activateCondition: null,
      isActive: true,
      stopTriggered: false,
    });
    const byName = `${STOPS}/queryOrderByClientOid?symbol=BTC-USDT&clientOid=stop-1`;
    assert.deepEqual(
      (await alice.get<Data[]>(byName)).map((each) => each['id']),
      [id],
    );
    assert.deepEqual(await bob.get(byName), []);
    await bob.refused('GET', `${STOPS}/${id}`, undefined, '400100', /^The order does not exist\./);
    await bob.refused(
      'DELETE',
      `${STOPS}/${id}`,
      undefined,
      '400100',
      /^order_not_exist_or_not_allow_to_cancel/,
    );
    assert.deepEqual(await alice.delete(`${STOPS}/${id}`), { cancelledOrderIds: [id] });
    await alice.refused(
      'DELETE',
      `${STOPS}/${id}`,
      undefined,
      '400100',
      /^order_not_exist_or_not_allow_to_cancel/,
    );

    for (const member of [alice, family.literal]) {
      const gone = await member.get(`${STOPS}/${id}`);
      assert.deepEqual([gone['status'], gone['isActive'], gone['relatedNo']], ['CANCELLED', false, null]);
      assert.deepEqual([gone['clientOid'], gone['price'], gone['remark']], ['stop-1', '20000', 'careful']);
      assert.deepEqual(await member.get(byName), [gone]);
    }
    await bob.refused('GET', `${STOPS}/${id}`, undefined, '400100', /^The order does not exist\./);
    assert.deepEqual(await bob.get(byName), []);

    const second = await placeStop({ stopPrice: '31000', clientOid: 'stop-2' });
    assert.equal((await alice.get(`${STOPS}/${second}`))['stop'], 'entry', 'above the last price');
    assert.deepEqual(await alice.delete(`${STOPS}/cancelOrderByClientOid?clientOid=stop-2`), {
      cancelledOrderId: second,
      clientOid: 'stop-2',
    });
    await alice.refused('POST', STOPS, LIMIT, '400100', /stopPrice is required/);
    await alice.refused('POST', STOPS, { ...LIMIT, stopPrice: '1', stop: 'up' }, '400100', /loss or entry/);
    await alice.refused('POST', STOPS, { ...LIMIT, stopPrice: '29000.00001' }, '400100', /^Price increment/);
  });

  test('stop orders are listed with filters and pages, and cancelled several at once', async () => {
    const { alice } = family;
    const low = await placeStop({ stopPrice: '29000' });
    const high = await placeStop({ stopPrice: '31000', side: 'sell' });
    const other = await placeStop({
      symbol: 'ETH-USDT',
      price: '1000',
      size: '0.01',
      stopPrice: '900',
      stop: 'loss',
    });
    const market = { symbol: 'BTC-USDT', type: 'market', side: 'buy', funds: '10', stopPrice: '32000' };
    const { orderId: byFunds } = await alice.post<{ orderId: string }>(STOPS, market);
    assert.equal((await alice.get(`${STOPS}/${byFunds}`))['funds'], '10');
    assert.deepEqual(await listed(), [byFunds, other, high, low]);
    assert.deepEqual(await listed('?symbol=BTC-USDT&side=buy&type=limit'), [low]);
    assert.deepEqual(await listed('?stop=loss'), [other, low]);
    assert.deepEqual(await listed(`?orderIds=${low},${high}`), [high, low]);
    assert.deepEqual(await listed('?endAt=1000'), []);
    const { items, ...head } = await alice.get(`${STOPS}?currentPage=2&pageSize=3`);
    assert.deepEqual(head, { currentPage: 2, pageSize: 3, totalNum: 4, totalPage: 2 });
    assert.equal((items as Data[]).length, 1);
    assert.deepEqual(await alice.delete(`${STOPS}/cancel?orderIds=${low}`), { cancelledOrderIds: [low] });
    assert.deepEqual(await alice.delete(`${STOPS}/cancel?symbol=ETH-USDT`), { cancelledOrderIds: [other] });
    assert.deepEqual(await alice.delete(`${STOPS}/cancel`), { cancelledOrderIds: [byFunds, high] });
    assert.deepEqual(await listed(), []);
    assert.deepEqual((await listed('?status=done')).slice(0, 4), [byFunds, other, high, low]);
    assert.deepEqual(await listed('?status=done&symbol=ETH-USDT'), [other]);
    assert.deepEqual(await listed('?status=done&side=sell'), [high]);
    assert.deepEqual(await listed('?status=done&type=market'), [byFunds]);
    assert.deepEqual((await listed('?status=done&stop=loss')).slice(0, 2), [other, low]);
    assert.deepEqual(await listed(`?status=done&orderIds=${low},${high},nothing`), [high, low]);
    assert.deepEqual(await listed('?status=done&endAt=1000'), []);
    const paged = await alice.get(`${STOPS}?status=done&currentPage=2&pageSize=3`);
    assert.equal((paged['items'] as Data[])[0]['id'], low);
    assert.ok(Number(paged['totalNum']) >= 4);
    assert.deepEqual((await family.bob.get(`${STOPS}?status=done&orderIds=${low}`))['items'], []);
    await alice.refused(
      'GET',
      `${STOPS}?status=gone`,
      undefined,
      '400100',
      /status "gone" must be active or done/,
    );
  });

  test('a triggered stop order becomes an order, and its own record has the id', async () => {
    const { alice } = family;
    const id = await placeStop({ stopPrice: '30500', clientOid: 'trigger-me' });
    await trade('30600');
    assert.deepEqual(await listed(), []);
    const order = await alice.get(`${ORDERS}/client-order/trigger-me?symbol=BTC-USDT`);
    assert.deepEqual([order['active'], order['price']], [true, '20000']);
    const stop = await alice.get(`${STOPS}/${id}`);
    assert.deepEqual([stop['status'], stop['stopTriggered'], stop['isActive']], ['TRIGGERED', true, false]);
    assert.equal(stop['relatedNo'], order['id']);
    assert.equal(stop['stopTriggerTime'], order['createdAt']);
    assert.deepEqual((await listed('?status=done'))[0], id);
    const { orderId: poor } = await family.aliceSub.post<{ orderId: string }>(STOPS, {
      ...LIMIT,
      side: 'sell',
      stopPrice: '30500',
      stop: 'loss',
    });
    await trade('30400');
    const refused = await family.aliceSub.get(`${STOPS}/${poor}`);
    assert.deepEqual([refused['status'], refused['stopTriggered']], ['REJECTED', false], 'without the money');
    await alice.delete(`${ORDERS}/cancelAll`);
  });

  const PAIR = { ...LIMIT, side: 'sell', price: '40000', stopPrice: '20000', limitPrice: '19000' };
  const placeOco = async (clientOid: string): Promise<string> =>
    (await family.alice.post<{ orderId: string }>(`${OCO}/order`, { ...PAIR, clientOid })).orderId;

  test('an OCO order is listed with its parts and cancelled as a unit', async () => {
    const { alice, bob } = family;
    const id = await placeOco('oco-1');
    const { orders, ...whole } = await alice.get(`${OCO}/order/details/${id}`);
    const { orderTime, ...shown } = whole;
    assert.ok(Number(orderTime) > 1e12);
    assert.deepEqual(shown, { orderId: id, symbol: 'BTC-USDT', clientOid: 'oco-1', status: 'NEW' });
    const [limit, stop] = orders as Data[];
    const part = { symbol: 'BTC-USDT', side: 'sell', size: '0.001', status: 'NEW' };
    assert.deepEqual(limit, { id: limit['id'], ...part, price: '40000', stopPrice: '40000' });
    assert.deepEqual(stop, { id: stop['id'], ...part, price: '19000', stopPrice: '20000' });
    assert.deepEqual(await alice.get(`${OCO}/order/${id}`), whole);
    assert.deepEqual(await alice.get(`${OCO}/client-order/oco-1`), whole);
    assert.deepEqual(await alice.get(`${OCO}/orders?symbol=BTC-USDT`), {
      currentPage: 1,
      pageSize: 50,
      totalNum: 1,
      totalPage: 1,
      items: [whole],
    });
    assert.deepEqual(await listed('?stop=oco'), [stop['id']]);
    assert.deepEqual(await listed('?stop=stop'), []);
    const open = await alice.get<Data[]>(`${ORDERS}/active?symbol=BTC-USDT`);
    assert.deepEqual(
      open.map((each) => each['id']),
      [limit['id']],
    );

    await bob.refused('GET', `${OCO}/order/${id}`, undefined, '400100', /does not exist/);
    await bob.refused('DELETE', `${OCO}/order/${id}`, undefined, '400100', /not_exist/);
    await alice.refused(
      'POST',
      `${OCO}/order`,
      { ...PAIR, clientOid: 'x', stopPrice: '50000' },
      '400100',
      /below the price/,
    );
    await alice.refused('POST', `${OCO}/order`, PAIR, '400100', /clientOid is required/);
    assert.deepEqual(await alice.delete(`${OCO}/order/${id}`), {
      cancelledOrderIds: [stop['id'], limit['id']],
    });
    assert.deepEqual(await alice.get(`${ORDERS}/active?symbol=BTC-USDT`), []);
    for (const member of [alice, family.literal]) {
      const { orders: parts, ...over } = await member.get(`${OCO}/order/details/${id}`);
      assert.deepEqual(over, { ...whole, status: 'CANCELLED' });
      assert.deepEqual(parts, [
        { ...limit, status: 'CANCELLED' },
        { ...stop, status: 'CANCELLED' },
      ]);
      assert.deepEqual(await member.get(`${OCO}/order/${id}`), over);
      assert.deepEqual(await member.get(`${OCO}/client-order/oco-1`), over);
      assert.deepEqual((await member.get(`${OCO}/orders?status=done&symbol=BTC-USDT`))['items'], [over]);
      assert.deepEqual((await member.get(`${OCO}/orders?status=done&orderIds=${id}`))['items'], [over]);
      assert.deepEqual((await member.get(`${OCO}/orders?status=done&symbol=ETH-USDT`))['items'], []);
    }
    assert.deepEqual(await listed('?stop=oco&status=done'), [stop['id']]);
    await bob.refused('GET', `${OCO}/order/${id}`, undefined, '400100', /does not exist/);
    await alice.refused('DELETE', `${OCO}/order/${id}`, undefined, '400100', /not_exist/);

    await placeOco('oco-2');
    assert.equal(
      ((await alice.delete(`${OCO}/client-order/oco-2`))['cancelledOrderIds'] as string[]).length,
      2,
    );
    await placeOco('oco-3');
    await placeOco('oco-4');
    assert.equal(((await alice.delete(`${OCO}/orders`))['cancelledOrderIds'] as string[]).length, 4);
    assert.deepEqual((await alice.get(`${OCO}/orders`))['items'], []);
    const done = await alice.get(`${OCO}/orders?status=done&pageSize=3`);
    assert.deepEqual([done['totalNum'], done['totalPage']], [4, 2]);
    assert.deepEqual(
      (done['items'] as Data[]).map((each) => each['clientOid']),
      ['oco-4', 'oco-3', 'oco-2'],
    );
  });

  test('when one part of an OCO order trades or triggers, both parts show the result', async () => {
    const { alice, carol } = family;
    const partsOf = async (id: string): Promise<unknown[]> => {
      const { status, orders } = await alice.get(`${OCO}/order/details/${id}`);
      return [status, ...(orders as Data[]).map((part) => part['status'])];
    };
    const traded = await placeOco('oco-5');
    await carol.place({ price: '40000', size: '0.0004' });
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await partsOf(traded), ['DONE', 'NEW', 'CANCELLED'], 'the rest is an order like others');
    await carol.place({ price: '40000', size: '0.0006' });
    assert.deepEqual(await partsOf(traded), ['DONE', 'DONE', 'CANCELLED']);
    assert.equal((await alice.get(`${OCO}/client-order/oco-5`))['status'], 'DONE');
    const triggered = await placeOco('oco-6');
    await trade('20000');
    assert.deepEqual(await partsOf(triggered), ['TRIGGERED', 'CANCELLED', 'TRIGGERED']);
    await alice.delete(`${ORDERS}/cancelAll`);
  });

  test('the old list of orders has stop orders and the parts of OCO orders on request', async () => {
    const { alice, bob } = family;
    const old = async (query: string): Promise<Data[]> =>
      (await alice.get(`/api/v1/orders?symbol=BTC-USDT&${query}`))['items'] as Data[];
    const idsOf = async (query: string) => (await old(query)).map(({ id }) => id);
    await trade('30000');
    const plain = await alice.place({ price: '100' });
    const waiting = await placeStop({ stopPrice: '20000', clientOid: 'old-list-1' });
    const { orderId: byFunds } = await alice.post<{ orderId: string }>(STOPS, {
      symbol: 'BTC-USDT',
      type: 'market',
      side: 'buy',
      funds: '10',
      stopPrice: '90000',
    });
    const pair = await placeOco('old-list-2');
    const { orders } = await alice.get(`${OCO}/order/details/${pair}`);
    const [limitPart, stopPart] = (orders as Data[]).map(({ id }) => id);

    assert.deepEqual(await idsOf('status=active&type=limit_stop'), [waiting]);
    assert.deepEqual(await idsOf('status=active&type=market_stop'), [byFunds]);
    assert.deepEqual(await idsOf('status=active&type=oco_limit'), [limitPart]);
    assert.deepEqual(await idsOf('status=active&type=oco_stop'), [stopPart]);
    assert.deepEqual(await idsOf('status=active&type=oco_limit&side=buy'), []);
    assert.deepEqual(await idsOf('status=active&type=limit'), [limitPart, plain], 'orders in the book');
    const [shown] = await old('status=active&type=limit_stop');
    const fields = [
      'stop',
      'stopPrice',
      'stopTriggered',
      'isActive',
      'type',
      'size',
      'dealSize',
      'clientOid',
    ];
    assert.deepEqual(
      fields.map((name) => shown[name]),
      ['loss', '20000', false, true, 'limit', '0.001', '0', 'old-list-1'],
    );
    const [asOrder] = await old('status=active&type=limit');
    assert.deepEqual(Object.keys(shown).toSorted(), Object.keys(asOrder).toSorted(), 'the same members');

    await alice.delete(`${STOPS}/cancel?orderIds=${waiting},${byFunds}`);
    await alice.delete(`${OCO}/order/${pair}`);
    for (const type of ['limit_stop', 'market_stop', 'oco_limit', 'oco_stop']) {
      assert.deepEqual(await idsOf(`status=active&type=${type}`), [], type);
    }
    assert.equal((await idsOf('type=limit_stop'))[0], waiting, 'done, as without a status');
    assert.equal((await idsOf('status=done&type=market_stop'))[0], byFunds);
    assert.equal((await idsOf('status=done&type=oco_stop'))[0], stopPart);
    assert.equal((await idsOf('status=done&type=oco_limit'))[0], limitPart);
    assert.deepEqual(await idsOf('type=limit_stop&endAt=1000'), []);
    const { totalNum, totalPage } = await alice.get('/api/v1/orders?type=limit_stop&pageSize=1');
    assert.ok(Number(totalNum) >= 1 && totalPage === totalNum);
    assert.deepEqual((await bob.get('/api/v1/orders?type=limit_stop'))['items'], []);
    assert.deepEqual((await alice.get('/api/v1/fills?type=limit_stop'))['items'], []);
    await alice.refused('GET', '/api/v1/orders?type=stop', undefined, '400100', /limit_stop or market_stop/);
    await alice.refused(
      'GET',
      '/api/v1/orders?type=limit_stop&startAt=1&endAt=604800002',
      undefined,
      '400100',
      /ms apart/,
    );
    await alice.delete(`${ORDERS}/cancelAll`);
  });

  test('cancelling all skips a halted market, unless it is named', async () => {
    const { alice, operate } = family;
    const ether = { symbol: 'ETH-USDT', price: '1000', size: '0.01', stopPrice: '900', stop: 'loss' };
    const state = (of: string) => operate('/v1/symbols/BTC-USDT/state', { state: of });
    const first = await placeStop(ether);
    const bitcoin = await placeStop({ stopPrice: '29000' });
    const last = await placeStop(ether);
    const pair = { price: '20000', stopPrice: '40000', limitPrice: '41000' };
    const oco = { symbol: 'BTC-USDT', side: 'buy', size: '0.001', clientOid: 'halted-pair', ...pair };
    const { orderId } = await alice.post<{ orderId: string }>(`${OCO}/order`, oco);
    await state('halted');
    assert.deepEqual(await alice.delete(`${OCO}/orders`), { cancelledOrderIds: [] });
    const all = (await alice.delete(`${STOPS}/cancel`))['cancelledOrderIds'] as string[];
    assert.deepEqual(all, [last, first]);
    await alice.refused('DELETE', `${STOPS}/cancel?symbol=BTC-USDT`, undefined, '200002', /./);
    await alice.refused('DELETE', `${STOPS}/cancel?orderIds=${bitcoin}`, undefined, '200002', /./);
    const third = await placeStop(ether);
    const named = `${STOPS}/cancel?orderIds=${third},${bitcoin}`;
    assert.deepEqual(await alice.delete(named), { cancelledOrderIds: [third] });
    await alice.refused('DELETE', `${OCO}/orders?symbol=BTC-USDT`, undefined, '200002', /./);
    await state('open');
    await alice.delete(`${OCO}/order/${orderId}`);
    assert.deepEqual(await alice.delete(`${STOPS}/cancel`), { cancelledOrderIds: [bitcoin] });
  });
});
