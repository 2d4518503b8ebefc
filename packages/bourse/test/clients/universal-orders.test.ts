import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Spot } from 'kucoin-universal-sdk';
import { limit, market, ownId, PAIR, UNIVERSAL, universalClient, words } from './universal-client.ts';
import { until, Venue } from './venue.ts';

const { Order } = Spot;
const symbol = PAIR;

describe(`${UNIVERSAL}, REST: orders`, { timeout: 180_000 }, () => {
  const venue = new Venue();
  let alice: Spot.OrderAPI;
  let bob: Spot.OrderAPI;
  before(() => {
    const orders = (user: string) =>
      universalClient(venue.url, user).restService().getSpotService().getOrderApi();
    alice = orders('alice');
    bob = orders('bob');
  });
  const place = (api: Spot.OrderAPI, fields: never) => api.addOrder(Order.AddOrderReq.create(fields));
  const look = (api: Spot.OrderAPI, orderId: string) =>
    api.getOrderByOrderId(Order.GetOrderByOrderIdReq.create({ symbol, orderId }));
  const openIds = async (api: Spot.OrderAPI) =>
    (await api.getOpenOrders(Order.GetOpenOrdersReq.create({ symbol }))).data.map(({ id }) => id);

  test('addOrder, getOrderByOrderId, getOpenOrders: a limit order', async () => {
    const { orderId, clientOid } = await place(
      alice,
      limit('buy', '20000', '1', { remark: 'mine', stp: 'CN' }),
    );
    const order = await look(alice, orderId);
    assert.deepEqual(
      [order.id, order.clientOid, order.price, order.size, order.active, order.inOrderBook, order.remark],
      [orderId, clientOid, '20000', '1', true, true, 'mine'],
    );
    assert.deepEqual(await openIds(alice), [orderId]);
  });

  test('addOrder: a market order by size, and by funds', async () => {
    const { orderId } = await place(bob, market('sell', { size: '0.4' }));
    const order = await until(
      () => look(bob, orderId),
      ({ active }) => !active,
      'order',
    );
    assert.deepEqual([order.dealSize, order.dealFunds, order.fee], ['0.4', '8000', '8']);
    await place(alice, limit('sell', '20100', '1'));
    const bought = await place(bob, market('buy', { funds: '201' }));
    const other = await until(
      () => look(bob, bought.orderId),
      ({ active }) => !active,
      'order',
    );
    assert.ok(Number(other.dealFunds) + Number(other.fee) <= 201);
  });

  test('addOrderSync, cancelOrderByOrderIdSync: return the matched or cancelled size', async () => {
    const done = await bob.addOrderSync(Order.AddOrderSyncReq.create(limit('sell', '20000', '0.1')));
    assert.deepEqual([String(done.status), done.dealSize, done.remainSize], ['done', '0.1', '0']);
    const open = await bob.addOrderSync(
      Order.AddOrderSyncReq.create(
        limit('buy', '19000', '0.1', { postOnly: true, timeInForce: 'GTT', cancelAfter: 600 }),
      ),
    );
    assert.equal(String(open.status), 'open');
    const cancelled = await bob.cancelOrderByOrderIdSync(
      Order.CancelOrderByOrderIdSyncReq.create({ symbol, orderId: open.orderId }),
    );
    assert.deepEqual(
      [cancelled.orderId, String(cancelled.status), cancelled.canceledSize],
      [open.orderId, 'done', '0.1'],
    );
  });

  test('addOrder, cancelAllOrdersBySymbol: IOC, FOK, hidden, iceberg', async () => {
    for (const more of [{ timeInForce: 'IOC' }, { timeInForce: 'FOK' }]) {
      const { orderId } = await place(bob, limit('buy', '19000', '0.1', more));
      const order = await until(
        () => look(bob, orderId),
        ({ active }) => !active,
        'order',
      );
      assert.deepEqual([order.dealSize, order.cancelledSize], ['0', '0.1']);
    }
    await place(bob, limit('buy', '19000', '0.1', { hidden: true }));
    await place(bob, limit('buy', '19001', '0.1', { iceberg: true, visibleSize: '0.01' }));
    await bob.cancelAllOrdersBySymbol(Order.CancelAllOrdersBySymbolReq.create({ symbol }));
    assert.deepEqual(await openIds(bob), []);
  });

  test('addOrderTest: checked, not placed', async () => {
    const answer = await bob.addOrderTest(Order.AddOrderTestReq.create(limit('buy', '19000', '0.1')));
    assert.ok(answer.orderId);
    assert.deepEqual(await openIds(bob), []);
    await assert.rejects(
      bob.addOrderTest(Order.AddOrderTestReq.create(limit('buy', '19000', '100000'))),
      /Balance insufficient|200004/,
    );
  });

  test('batchAddOrders, batchAddOrdersSync', async () => {
    const orderList = () => [limit('buy', '19000', '0.1'), limit('buy', '19001', '0.1')];
    const asked = await bob.batchAddOrders(Order.BatchAddOrdersReq.create({ orderList: orderList() }));
    assert.deepEqual(
      asked.data.map(({ success }) => success),
      [true, true],
    );
    const answered = await bob.batchAddOrdersSync(
      Order.BatchAddOrdersSyncReq.create({ orderList: orderList() }),
    );
    assert.deepEqual(
      answered.data.map(({ success, remainSize }) => [success, remainSize]),
      [
        [true, '0.1'],
        [true, '0.1'],
      ],
    );
    assert.equal((await openIds(bob)).length, 4);
  });

  test('getOpenOrdersByPage, getSymbolsWithOpenOrder', async () => {
    const page = await bob.getOpenOrdersByPage(
      Order.GetOpenOrdersByPageReq.create({ symbol, pageNum: 2, pageSize: 3 }),
    );
    assert.deepEqual([page.currentPage, page.totalNum, page.totalPage, page.items.length], [2, 4, 2, 1]);
    assert.deepEqual((await bob.getSymbolsWithOpenOrder()).symbols, [symbol]);
  });

  test('cancelOrderByOrderId, getOrderByClientOid, cancelOrderByClientOid, cancelOrderByClientOidSync', async () => {
    const [orderId] = await openIds(bob);
    const byId = await bob.cancelOrderByOrderId(
      Order.CancelOrderByOrderIdReq.create({ symbol, orderId: orderId! }),
    );
    assert.equal(byId.orderId, orderId);
    const clientOid = ownId();
    await place(bob, limit('buy', '19000', '0.1', { clientOid }));
    const found = await bob.getOrderByClientOid(Order.GetOrderByClientOidReq.create({ symbol, clientOid }));
    assert.equal(found.clientOid, clientOid);
    const byName = await bob.cancelOrderByClientOid(
      Order.CancelOrderByClientOidReq.create({ symbol, clientOid }),
    );
    assert.equal(byName.clientOid, clientOid);
    const another = ownId();
    await place(bob, limit('buy', '19000', '0.1', { clientOid: another }));
    const synced = await bob.cancelOrderByClientOidSync(
      Order.CancelOrderByClientOidSyncReq.create({ symbol, clientOid: another }),
    );
    assert.deepEqual([synced.clientOid, String(synced.status)], [another, 'done']);
  });

  test('cancelPartialOrder, modifyOrder', async () => {
    const { orderId } = await place(bob, limit('buy', '19000', '1'));
    const part = await bob.cancelPartialOrder(
      Order.CancelPartialOrderReq.create({ symbol, orderId, cancelSize: '0.4' }),
    );
    assert.deepEqual([part.orderId, part.cancelSize], [orderId, '0.4']);
    assert.equal((await look(bob, orderId)).remainSize, '0.6');
    const { newOrderId } = await bob.modifyOrder(
      Order.ModifyOrderReq.create({ symbol, orderId, newPrice: '19005', newSize: '0.7' }),
    );
    const order = await look(bob, newOrderId);
    assert.deepEqual([order.price, order.size], ['19005', '0.7']);
  });

  test('cancelAllOrders', async () => {
    const answer = await bob.cancelAllOrders();
    assert.deepEqual([answer.succeedSymbols, answer.failedSymbols], [[symbol], []]);
    assert.deepEqual(await openIds(bob), []);
  });

  test('getClosedOrders, getTradeHistory: with cursors', async () => {
    const closed = await until(
      () => bob.getClosedOrders(Order.GetClosedOrdersReq.create({ symbol, limit: 100 })),
      ({ items }) => items.length >= 10,
      'closed orders',
    );
    const first = await bob.getClosedOrders(Order.GetClosedOrdersReq.create({ symbol, limit: 2 }));
    const next = await bob.getClosedOrders(
      Order.GetClosedOrdersReq.create({ symbol, limit: 2, lastId: first.lastId }),
    );
    assert.deepEqual(
      [...first.items, ...next.items].map(({ id }) => id),
      closed.items.slice(0, 4).map(({ id }) => id),
    );
    const fills = await until(
      () => bob.getTradeHistory(Order.GetTradeHistoryReq.create({ symbol })),
      ({ items }) => items.length === 3,
      'fills',
    );
    assert.deepEqual([...new Set(fills.items.map(({ liquidity }) => String(liquidity)))], ['taker']);
    const { orderId } = fills.items[0]!;
    const ofOne = await bob.getTradeHistory(Order.GetTradeHistoryReq.create({ symbol, orderId }));
    assert.deepEqual(
      ofOne.items.map(({ tradeId }) => tradeId),
      [fills.items[0]!.tradeId],
    );
  });

  test('setDCP, getDCP', async () => {
    const set = await bob.setDCP(Order.SetDCPReq.create({ timeout: 600, symbols: symbol }));
    assert.equal(set.triggerTime - set.currentTime, 600);
    assert.deepEqual([(await bob.getDCP()).timeout, (await bob.getDCP()).symbols], [600, symbol]);
    await bob.setDCP(Order.SetDCPReq.create({ timeout: -1 }));
    assert.equal((await bob.getDCP()).timeout, undefined);
  });

  test('addStopOrder, getStopOrderByOrderId, getStopOrdersList, cancelStopOrderByOrderId, getStopOrderByClientOid, cancelStopOrderByClientOid, batchCancelStopOrder', async () => {
    const stop = (more: object = {}) =>
      bob.addStopOrder(
        Order.AddStopOrderReq.create(limit('sell', '18000', '0.1', { stopPrice: '18000', ...more })),
      );
    const { orderId } = await stop();
    const one = await bob.getStopOrderByOrderId(Order.GetStopOrderByOrderIdReq.create({ orderId }));
    assert.deepEqual([one.id, one.stop, one.stopPrice, one.status], [orderId, 'loss', '18000', 'NEW']);
    const list = await bob.getStopOrdersList(Order.GetStopOrdersListReq.create({ symbol }));
    assert.deepEqual(
      list.items.map(({ id }) => id),
      [orderId],
    );
    const cancelled = await bob.cancelStopOrderByOrderId(
      Order.CancelStopOrderByOrderIdReq.create({ orderId }),
    );
    assert.deepEqual(cancelled.cancelledOrderIds, [orderId]);
    const clientOid = ownId();
    const named = await stop({ clientOid });
    const found = await bob.getStopOrderByClientOid(
      Order.GetStopOrderByClientOidReq.create({ clientOid, symbol }),
    );
    assert.equal(found.data[0]!.id, named.orderId);
    const byName = await bob.cancelStopOrderByClientOid(
      Order.CancelStopOrderByClientOidReq.create({ symbol, clientOid }),
    );
    assert.equal(byName.cancelledOrderId, named.orderId);
    const last = await stop();
    const batch = await bob.batchCancelStopOrder(Order.BatchCancelStopOrderReq.create({ symbol }));
    assert.deepEqual(batch.cancelledOrderIds, [last.orderId]);
  });

  test('addOcoOrder, getOcoOrderByOrderId, getOcoOrderByClientOid, getOcoOrderDetailByOrderId, getOcoOrderList, cancelOcoOrderByOrderId, cancelOcoOrderByClientOid, batchCancelOcoOrders', async () => {
    const oco = (clientOid = ownId()) =>
      bob.addOcoOrder(
        Order.AddOcoOrderReq.create(
          words({
            clientOid,
            symbol,
            side: 'sell',
            price: '22000',
            size: '0.1',
            stopPrice: '18000',
            limitPrice: '17900',
          }),
        ),
      );
    const clientOid = ownId();
    const { orderId } = await oco(clientOid);
    const one = await bob.getOcoOrderByOrderId(Order.GetOcoOrderByOrderIdReq.create({ orderId }));
    assert.deepEqual([one.orderId, one.clientOid, String(one.status)], [orderId, clientOid, 'NEW']);
    const named = await bob.getOcoOrderByClientOid(Order.GetOcoOrderByClientOidReq.create({ clientOid }));
    assert.equal(named.orderId, orderId);
    const detail = await bob.getOcoOrderDetailByOrderId(
      Order.GetOcoOrderDetailByOrderIdReq.create({ orderId }),
    );
    assert.equal(detail.orders.length, 2);
    const list = await bob.getOcoOrderList(Order.GetOcoOrderListReq.create({ symbol }));
    assert.equal(list.items[0]!.orderId, orderId);
    const cancelled = await bob.cancelOcoOrderByOrderId(Order.CancelOcoOrderByOrderIdReq.create({ orderId }));
    assert.equal(cancelled.cancelledOrderIds.length, 2);
    const again = ownId();
    await oco(again);
    await bob.cancelOcoOrderByClientOid(Order.CancelOcoOrderByClientOidReq.create({ clientOid: again }));
    await oco();
    const batch = await bob.batchCancelOcoOrders(Order.BatchCancelOcoOrdersReq.create({ symbol }));
    assert.equal(batch.cancelledOrderIds.length, 2);
  });

  test('addOrderOld, addOrderTestOld, getOrderByOrderIdOld, getOrdersListOld, cancelOrderByOrderIdOld, getOrderByClientOidOld, cancelOrderByClientOidOld, batchAddOrdersOld, batchCancelOrderOld, getRecentOrdersListOld, getTradeHistoryOld, getRecentTradeHistoryOld', async () => {
    const old = (more: object = {}) =>
      bob.addOrderOld(Order.AddOrderOldReq.create(limit('buy', '19000', '0.1', more)));
    await bob.addOrderTestOld(Order.AddOrderTestOldReq.create(limit('buy', '19000', '0.1')));
    const { orderId } = await old();
    const one = await bob.getOrderByOrderIdOld(Order.GetOrderByOrderIdOldReq.create({ orderId }));
    assert.deepEqual([one.id, one.isActive], [orderId, true]);
    const list = await bob.getOrdersListOld(
      Order.GetOrdersListOldReq.create(words({ symbol, status: 'active' })),
    );
    assert.deepEqual(
      list.items.map(({ id }) => id),
      [orderId],
    );
    const cancelled = await bob.cancelOrderByOrderIdOld(Order.CancelOrderByOrderIdOldReq.create({ orderId }));
    assert.deepEqual(cancelled.cancelledOrderIds, [orderId]);
    const clientOid = ownId();
    await old({ clientOid });
    const named = await bob.getOrderByClientOidOld(Order.GetOrderByClientOidOldReq.create({ clientOid }));
    assert.equal(named.clientOid, clientOid);
    const byName = await bob.cancelOrderByClientOidOld(
      Order.CancelOrderByClientOidOldReq.create({ clientOid }),
    );
    assert.equal(byName.cancelledOrderId, named.id);
    const batch = await bob.batchAddOrdersOld(
      Order.BatchAddOrdersOldReq.create({
        symbol,
        orderList: [limit('buy', '19000', '0.1'), limit('buy', '19001', '0.1')],
      }),
    );
    assert.equal(batch.data.length, 2);
    const all = await bob.batchCancelOrderOld(Order.BatchCancelOrderOldReq.create({ symbol }));
    assert.equal(all.cancelledOrderIds.length, 2);
    const recent = await until(
      () => bob.getRecentOrdersListOld(),
      ({ data }) => data.some(({ id }) => id === orderId),
      'recent orders',
    );
    assert.ok(recent.data.length > 3);
    assert.equal(
      (await bob.getTradeHistoryOld(Order.GetTradeHistoryOldReq.create({ symbol }))).items.length,
      3,
    );
    assert.equal((await bob.getRecentTradeHistoryOld()).data.length, 3);
  });

  test('errors: the code and the text', async () => {
    const orderId = '0123456789abcdef01234567';
    await assert.rejects(look(bob, orderId), /order does not exist|400100/i);
    await assert.rejects(place(bob, limit('buy', '20000', '100000')), /200004/);
    await assert.rejects(place(bob, limit('buy', '20000', '0.000001')), /400100/);
  });
});
