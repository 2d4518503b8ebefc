import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { NODE_SDK, ok, PAIR, refused, sdk, signAs } from './node-client.ts';
import { until, Venue } from './venue.ts';

const { Orders, StopOrder, OCOOrder, Fills } = sdk.rest.Trade;
const symbol = PAIR;
type Row = Record<string, unknown>;
interface Page {
  readonly items: Row[];
}

describe(`${NODE_SDK}, REST: orders`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  before(() => signAs(venue.url, 'bob'));
  let count = 0;
  const base = (side: string, more: object = {}) => ({
    clientOid: `node-${(count += 1)}`,
    side,
    symbol,
    type: 'limit',
    ...more,
  });
  const post = async (side: string, price: string, size: string, more: object = {}): Promise<string> =>
    (await ok<{ orderId: string }>(Orders['postOrder']!(base(side, more), { price, size }))).orderId;
  const open = () => ok<Row[]>(Orders['obtainListOfActiveHfOrders']!({ symbol }));

  test('postOrder, getOrderByID, getSingleActiveOrderByClientOid, getOrdersList', async () => {
    const orderId = await post('buy', '20000', '1', { clientOid: 'node-own' });
    assert.equal((await ok(Orders['getOrderByID']!(orderId)))['isActive'], true);
    assert.equal((await ok(Orders['getSingleActiveOrderByClientOid']!('node-own')))['id'], orderId);
    const { items } = await ok<Page>(Orders['getOrdersList']!('TRADE', { status: 'active', symbol }));
    assert.deepEqual(
      items.map(({ id }) => id),
      [orderId],
    );
  });

  test('postOrder: two users trade with each other', async () => {
    signAs(venue.url, 'alice');
    const sold = await ok<{ orderId: string }>(
      Orders['postOrder']!(base('sell', { type: 'market' }), { size: '0.4' }),
    );
    await until(
      () => ok(Orders['detailsOfAsingleHfOrder']!({ orderId: sold.orderId, symbol })),
      ({ active }) => active === false,
      'order',
    );
    signAs(venue.url, 'bob');
    assert.deepEqual(
      (await open()).map(({ dealSize, remainSize }) => [dealSize, remainSize]),
      [['0.4', '0.6']],
    );
  });

  test('getFillsList, getRecentFills, getHfTransactionRecords', async () => {
    const { items } = await until(
      () => ok<Page>(Fills['getHfTransactionRecords']!({ symbol })),
      (page) => page.items.length === 1,
      'fills',
    );
    assert.deepEqual([items[0]!['size'], items[0]!['liquidity']], ['0.4', 'maker']);
    const old = await ok<Page>(Fills['getFillsList']!('TRADE', { symbol }));
    assert.equal(old.items[0]!['tradeId'], String(items[0]!['tradeId']));
    assert.equal((await ok<Row[]>(Fills['getRecentFills']!())).length, 1);
  });

  test('postMultiOrders, cancelOrder, cancelAllOrders, getRecentOrders', async () => {
    const orderList = ['19000', '19001'].map((price) => ({ ...base('buy'), price, size: '0.1' }));
    const { data } = await ok<{ data: Row[] }>(Orders['postMultiOrders']!({ symbol, orderList }));
    assert.equal(data.length, 2);
    const { cancelledOrderIds } = await ok<{ cancelledOrderIds: string[] }>(
      Orders['cancelOrder']!(data[0]!['id']),
    );
    assert.deepEqual(cancelledOrderIds, [data[0]!['id']]);
    await ok(Orders['cancelAllOrders']!({ symbol, tradeType: 'TRADE' }));
    assert.deepEqual(await open(), []);
    await until(
      () => ok<Row[]>(Orders['getRecentOrders']!()),
      (rows) => rows.length >= 3,
      'recent orders',
    );
  });

  test('placeHfOrder, syncPlaceHfOrder, placeHfOrderTest, placeMultipleHfOrders, syncPlaceMultipleHfOrders: the SDK drops the fields, which gets a parameter error', async () => {
    for (const name of ['placeHfOrder', 'syncPlaceHfOrder', 'placeHfOrderTest']) {
      await refused(Orders[name]!(base('buy', { price: '20000', size: '1' })), '400100');
    }
    for (const name of ['placeMultipleHfOrders', 'syncPlaceMultipleHfOrders']) {
      await refused(Orders[name]!(base('buy', { price: '20000', size: '1' })), '400100');
    }
  });

  test('placeOrderTest', async () => {
    await ok(Orders['placeOrderTest']!({ ...base('buy'), price: '19000', size: '0.1' }));
    assert.deepEqual(await open(), []);
  });

  test('modifyOrder, cancelSpecifiedNumberOfOrdersByOrderId', async () => {
    const orderId = await post('buy', '19000', '1');
    await ok(Orders['cancelSpecifiedNumberOfOrdersByOrderId']!({ orderId, symbol, cancelSize: '0.4' }));
    await ok(Orders['modifyOrder']!({ symbol, orderId, newPrice: '19002', newSize: '0.5' }));
    assert.deepEqual(
      (await open()).map(({ price, size }) => [price, size]),
      [['19002', '0.5']],
    );
  });

  test('cancelOrdersByOrderId, syncCancelOrdersByOrderId, cancelOrderByClientOid, syncCancelOrdersByClientOid', async () => {
    const place = (clientOid: string) => post('buy', '19000', '0.1', { clientOid });
    await ok(Orders['cancelOrdersByOrderId']!({ orderId: await place('node-a'), symbol }));
    await ok(Orders['syncCancelOrdersByOrderId']!({ orderId: await place('node-b'), symbol }));
    await place('node-c');
    await ok(Orders['cancelOrderByClientOid']!({ clientOid: 'node-c', symbol }));
    await place('node-d');
    await ok(Orders['syncCancelOrdersByClientOid']!({ clientOid: 'node-d', symbol }));
    assert.equal((await open()).length, 1);
  });

  test('obtainListOfActiveHfOrders, obtainListOfSymbolWithActiveHfOrders, cancelAllHfOrdersBySymbol, cancelAllHfOrders', async () => {
    const { symbols } = await ok<{ symbols: string[] }>(Orders['obtainListOfSymbolWithActiveHfOrders']!());
    assert.deepEqual(symbols, [symbol]);
    await ok(Orders['cancelAllHfOrdersBySymbol']!({ symbol }));
    await post('buy', '19000', '0.1');
    await ok(Orders['cancelAllHfOrders']!());
    assert.deepEqual(await open(), []);
  });

  test('obtainListOfFilledHfOrders, detailsOfAsingleHfOrder, obtainDetailsOfASingleHfOrder', async () => {
    const { items } = await until(
      () => ok<Page>(Orders['obtainListOfFilledHfOrders']!({ symbol })),
      (page) => page.items.length >= 8,
      'done orders',
    );
    const { id: orderId } = items[0]!;
    assert.equal((await ok(Orders['detailsOfAsingleHfOrder']!({ orderId, symbol })))['id'], orderId);
    const named = await ok(Orders['obtainDetailsOfASingleHfOrder']!({ clientOid: 'node-d', symbol }));
    assert.equal(named['clientOid'], 'node-d');
  });

  test('hfAutoCancelSetting, queryHfAutoCancelOrderSetting', async () => {
    await ok(Orders['hfAutoCancelSetting']!({ timeout: 600, symbols: symbol }));
    assert.equal((await ok(Orders['queryHfAutoCancelOrderSetting']!()))['timeout'], 600);
    await ok(Orders['hfAutoCancelSetting']!({ timeout: -1 }));
  });

  test('postStopOrder, getSingleStopOrderInfo, getOrderByClientOid, getStopOrderList, cancelSingleOrderByClientOid, cancelStopOrder, cancelMultiOrders: stop orders', async () => {
    const stop = async (more: object = {}): Promise<string> =>
      (
        await ok<{ orderId: string }>(
          StopOrder['postStopOrder']!(base('sell', { stop: 'loss', stopPrice: '18000', ...more }), {
            price: '18000',
            size: '0.1',
          }),
        )
      ).orderId;
    const orderId = await stop({ clientOid: 'node-stop' });
    assert.equal((await ok(StopOrder['getSingleStopOrderInfo']!({ orderId })))['id'], orderId);
    assert.equal(
      (await ok<Row[]>(StopOrder['getOrderByClientOid']!('node-stop', symbol)))[0]!['id'],
      orderId,
    );
    assert.equal((await ok<Page>(StopOrder['getStopOrderList']!({ symbol }))).items.length, 1);
    await ok(StopOrder['cancelSingleOrderByClientOid']!('node-stop', symbol));
    await ok(StopOrder['cancelStopOrder']!({ orderId: await stop() }));
    await stop();
    await ok(StopOrder['cancelMultiOrders']!(symbol, 'TRADE'));
    assert.deepEqual((await ok<Page>(StopOrder['getStopOrderList']!({ symbol }))).items, []);
  });

  test('placeOrder, getOrder, getOrderByClientOid, getOrderDetails, getOrders, cancelOrder, cancelOrderByClientOid, cancelAllOrders: OCO orders', async () => {
    const oco = async (clientOid: string): Promise<string> => {
      const fields = {
        symbol,
        side: 'sell',
        price: '22000',
        size: '0.1',
        stopPrice: '18000',
        limitPrice: '17900',
      };
      return (await ok<{ orderId: string }>(OCOOrder['placeOrder']!({ ...fields, clientOid }))).orderId;
    };
    const orderId = await oco('node-oco-1');
    assert.equal((await ok(OCOOrder['getOrder']!(orderId)))['orderId'], orderId);
    assert.equal((await ok(OCOOrder['getOrderByClientOid']!('node-oco-1')))['orderId'], orderId);
    assert.equal((await ok<{ orders: Row[] }>(OCOOrder['getOrderDetails']!(orderId))).orders.length, 2);
    assert.equal(
      (await ok<Page>(OCOOrder['getOrders']!({ symbol, pageSize: 10, currentPage: 1 }))).items.length,
      1,
    );
    await ok(OCOOrder['cancelOrder']!(orderId));
    await oco('node-oco-2');
    await ok(OCOOrder['cancelOrderByClientOid']!('node-oco-2'));
    await oco('node-oco-3');
    await ok(OCOOrder['cancelAllOrders']!({ symbol }));
  });

  test('retired paths: endpoints that the vendor removed get 404 or 405', async () => {
    await refused(Orders['getV1HistoricalOrdersList']!({ symbol }), '404000');
    await refused(StopOrder['getOrder']!(symbol, '0123456789abcdef01234567'), '404000');
    await refused(StopOrder['cancelOrder']!(symbol, '0123456789abcdef01234567'), '404000');
    await refused(sdk.rest.User.Account['createAccount']!('main', 'BTC'), '405000');
    await refused(sdk.rest.User.Account['getHolds']!('0123456789abcdef01234567'), '404000');
  });

  test('errors: codes and texts', async () => {
    await refused(Orders['getOrderByID']!('0123456789abcdef01234567'), '400100');
    await refused(Orders['postOrder']!(base('buy'), { price: '20000', size: '100000' }), '200004');
    await refused(
      Orders['postOrder']!(base('buy', { symbol: 'NO-SUCH' }), { price: '1', size: '1' }),
      '900001',
    );
  });
});
