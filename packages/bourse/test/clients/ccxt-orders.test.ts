import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import ccxt from 'ccxt';
import { CCXT, ccxtClient, idOf, isExactly, PAIR, place, type Kucoin } from './ccxt-client.ts';
import { until, Venue } from './venue.ts';

/** Prices far enough apart that no orders match by accident. */
const LOW = 19_000;
const BID = 20_000;
const ASK = 20_100;
const HIGH = 21_000;

describe(`${CCXT}, REST: orders`, { timeout: 180_000 }, () => {
  const venue = new Venue();
  let alice: Kucoin;
  let bob: Kucoin;
  before(async () => {
    alice = await ccxtClient(venue.url, 'alice');
    bob = await ccxtClient(venue.url, 'bob');
    for (const client of [alice, bob]) {
      await client.loadMarkets();
      await client.loadMigrationStatus();
    }
  });
  const openIds = async (client: Kucoin) => (await client.fetchOpenOrders(PAIR)).map(({ id }) => id);

  test('createOrder: a limit order rests', async () => {
    const id = await place(alice, PAIR, 'limit', 'buy', 1, BID);
    const order = await alice.fetchOrder(id, PAIR);
    assert.deepEqual(
      [order.id, order.symbol, order.type, order.side, order.price, order.amount, order.filled, order.status],
      [id, PAIR, 'limit', 'buy', BID, 1, 0, 'open'],
    );
    assert.deepEqual([order.timeInForce, order.postOnly, order.remaining], ['GTC', false, 1]);
    assert.deepEqual(await openIds(alice), [id]);
  });

  test('createOrder: a market sell by amount fills it; both see the fill', async () => {
    const id = await place(bob, PAIR, 'market', 'sell', 0.4);
    const taken = await until(
      () => bob.fetchOrder(id, PAIR),
      ({ status }) => status === 'closed',
      'order',
    );
    assert.deepEqual([taken.filled, taken.cost, taken.average], [0.4, 8000, BID]);
    assert.deepEqual([taken.fee?.cost, taken.fee?.currency], [8, 'USDT']);
    const [made] = await alice.fetchOpenOrders(PAIR);
    assert.deepEqual([made!.filled, made!.remaining, made!.cost], [0.4, 0.6, 8000]);
  });

  test('createOrder: a market buy by cost', async () => {
    await alice.createOrder(PAIR, 'limit', 'sell', 1, ASK);
    const id = await place(bob, PAIR, 'market', 'buy', 0, undefined, { cost: 2010 });
    const order = await until(
      () => bob.fetchOrder(id, PAIR),
      ({ status }) => status === 'closed',
      'order',
    );
    // The fee is paid out of the cost.
    const paid = order.cost! + order.fee!.cost!;
    assert.ok(paid <= 2010 && paid > 2009.9);
    assert.deepEqual([order.average, order.fee!.currency], [ASK, 'USDT']);
  });

  test('createMarketBuyOrderWithCost, createMarketSellOrderWithCost', async () => {
    const buy = idOf(await bob.createMarketBuyOrderWithCost(PAIR, 201));
    const sell = idOf(await bob.createMarketSellOrderWithCost(PAIR, 200));
    for (const [id, cost, average] of [
      [buy, 201, ASK],
      [sell, 200, BID],
    ] as const) {
      const order = await until(
        () => bob.fetchOrder(id, PAIR),
        ({ status }) => status === 'closed',
        'order',
      );
      assert.ok(order.cost! <= cost && order.cost! > cost * 0.998);
      assert.equal(order.average, average);
    }
  });

  test('createOrder: post only rests or is cancelled', async () => {
    const id = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW, { postOnly: true });
    const order = await bob.fetchOrder(id, PAIR);
    assert.deepEqual([order.status, order.postOnly], ['open', true]);
    await bob.cancelOrder(id, PAIR);
    const crossing = await place(bob, PAIR, 'limit', 'buy', 0.1, ASK, { postOnly: true });
    const ended = await until(
      () => bob.fetchOrder(crossing, PAIR),
      ({ status }) => status !== 'open',
      'order',
    );
    assert.deepEqual([ended.status, ended.filled], ['canceled', 0]);
  });

  test('createOrder: IOC fills what it can and ends', async () => {
    const [[, rest]] = (await bob.fetchOrderBook(PAIR)).asks as [[number, number]];
    const id = await place(bob, PAIR, 'limit', 'buy', 5, ASK, { timeInForce: 'IOC' });
    const order = await until(
      () => bob.fetchOrder(id, PAIR),
      ({ status }) => status !== 'open',
      'order',
    );
    assert.deepEqual([order.filled, order.status, order.timeInForce], [rest, 'canceled', 'IOC']);
  });

  test('createOrder: FOK fills completely or not at all', async () => {
    const id = await place(bob, PAIR, 'limit', 'sell', 5, BID, { timeInForce: 'FOK' });
    const order = await until(
      () => bob.fetchOrder(id, PAIR),
      ({ status }) => status !== 'open',
      'order',
    );
    assert.deepEqual([order.filled, order.status], [0, 'canceled']);
    const whole = await place(bob, PAIR, 'limit', 'sell', 0.09, BID, { timeInForce: 'FOK' });
    const filled = await until(
      () => bob.fetchOrder(whole, PAIR),
      ({ status }) => status !== 'open',
      'order',
    );
    assert.deepEqual([filled.filled, filled.status], [0.09, 'closed']);
  });

  test('createOrder: GTT expires', async () => {
    const id = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW, {
      timeInForce: 'GTT',
      cancelAfter: 1,
    });
    assert.ok((await openIds(bob)).includes(id));
    const order = await until(
      () => bob.fetchOrder(id, PAIR),
      ({ status }) => status !== 'open',
      'order',
    );
    assert.equal(order.status, 'canceled');
  });

  test('createOrder: a hidden order shows nothing, an iceberg a part', async () => {
    const hidden = await place(bob, PAIR, 'limit', 'buy', 1, LOW, { hidden: true });
    const iceberg = await place(bob, PAIR, 'limit', 'sell', 1, HIGH, {
      iceberg: true,
      visibleSize: '0.1',
    });
    const book = await bob.fetchOrderBook(PAIR);
    assert.ok(!book.bids.some(([price]) => price === LOW));
    assert.deepEqual(
      book.asks.find(([price]) => price === HIGH),
      [HIGH, 0.1],
    );
    await bob.cancelOrder(hidden, PAIR);
    await bob.cancelOrder(iceberg, PAIR);
  });

  test('createOrder: sync returns the result of matching', async () => {
    const id = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW, { sync: true });
    assert.equal((await bob.fetchOrder(id, PAIR)).status, 'open');
    await bob.cancelOrder(id, PAIR, { sync: true });
    assert.ok(!(await openIds(bob)).includes(id));
  });

  test('createOrder: a test order is checked and not placed', async () => {
    const others = await openIds(bob);
    await bob.createOrder(PAIR, 'limit', 'buy', 0.1, LOW, { test: true });
    assert.deepEqual(await openIds(bob), others);
    await assert.rejects(
      bob.createOrder(PAIR, 'limit', 'buy', 1_000_000, LOW, { test: true }),
      isExactly(ccxt.InsufficientFunds),
    );
  });

  test('createOrders: several at once, synchronous or not', async () => {
    const orders = [LOW, LOW + 10].map((price) => ({
      symbol: PAIR,
      type: 'limit' as const,
      side: 'buy' as const,
      amount: 0.1,
      price,
    }));
    await bob.createOrders(orders);
    await bob.createOrders(orders, { sync: true });
    const open = await bob.fetchOpenOrders(PAIR);
    assert.equal(open.length, 4);
    assert.deepEqual([...new Set(open.map(({ price }) => price))].toSorted(), [LOW, LOW + 10]);
    await bob.cancelAllOrders(PAIR);
    assert.deepEqual(await openIds(bob), []);
  });

  test('editOrder: another price and amount', async () => {
    const id = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW);
    await bob.editOrder(id, PAIR, 'limit', 'buy', 0.2, LOW + 5);
    const [order] = await until(
      () => bob.fetchOpenOrders(PAIR),
      (open) => open.length === 1,
      'open orders',
    );
    assert.deepEqual([order!.price, order!.amount], [LOW + 5, 0.2]);
    await bob.cancelOrder(idOf(order!), PAIR);
  });

  test('fetchOrder, cancelOrder: by the client’s own id', async () => {
    const clientOrderId = 'my-own-id-1';
    const id = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW, { clientOrderId });
    const order = await bob.fetchOrder('', PAIR, { clientOrderId });
    assert.deepEqual([order.id, order.clientOrderId], [id, clientOrderId]);
    const found = await bob.fetchOrder(id, PAIR);
    assert.equal(found.clientOrderId, clientOrderId);
    await bob.cancelOrder('', PAIR, { clientOrderId });
    assert.deepEqual(await openIds(bob), []);
    const again = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW, { clientOrderId: 'my-own-id-2' });
    await bob.cancelOrder('', PAIR, { clientOrderId: 'my-own-id-2', sync: true });
    assert.ok(!(await openIds(bob)).includes(again));
  });

  test('fetchClosedOrders: done orders with their results', async () => {
    const closed = await until(
      () => bob.fetchClosedOrders(PAIR, undefined, 100),
      (orders) => orders.length >= 15,
      'closed orders',
    );
    assert.ok(closed.some(({ status }) => status === 'closed'));
    assert.ok(closed.some(({ status }) => status === 'canceled'));
    assert.equal((await bob.fetchClosedOrders(PAIR, undefined, 2)).length, 2);
    assert.deepEqual(await bob.fetchClosedOrders(PAIR, Date.now() + 60_000), []);
  });

  test('fetchMyTrades: with fees, taker and maker', async () => {
    const mine = await until(
      () => bob.fetchMyTrades(PAIR),
      (trades) => trades.length >= 6,
      'trades',
    );
    const [first] = mine;
    assert.deepEqual(
      [first!.side, first!.price, first!.amount, first!.cost, first!.takerOrMaker, first!.symbol],
      ['sell', BID, 0.4, 8000, 'taker', PAIR],
    );
    assert.deepEqual([first!.fee?.cost, first!.fee?.currency, first!.fee?.rate], [8, 'USDT', 0.001]);
    const theirs = await until(
      () => alice.fetchMyTrades(PAIR),
      (trades) => trades.length >= 6,
      'trades',
    );
    assert.equal(theirs[0]!.id, first!.id);
    assert.equal(theirs[0]!.takerOrMaker, 'maker');
    assert.equal((await bob.fetchMyTrades(PAIR, undefined, 1)).length, 1);
    assert.deepEqual(await bob.fetchMyTrades(PAIR, Date.now() + 60_000), []);
  });

  test('fetchOrderTrades: of one order', async () => {
    const [first] = await bob.fetchMyTrades(PAIR);
    const trades = await bob.fetchOrderTrades(first!.order!, PAIR);
    assert.deepEqual(
      trades.map(({ id }) => id),
      [first!.id],
    );
  });

  test('createOrder: stop orders wait for their price, then trade', async () => {
    const stop = await place(bob, PAIR, 'limit', 'buy', 0.1, HIGH, { stopLossPrice: HIGH - 100 });
    const profit = await place(bob, PAIR, 'market', 'sell', 0.1, undefined, { takeProfitPrice: HIGH });
    const trigger = await place(bob, PAIR, 'limit', 'sell', 0.1, LOW, {
      triggerPrice: LOW,
      stop: 'loss',
      clientOrderId: 'my-stop-1',
    });
    const waiting = await bob.fetchOpenOrders(PAIR, undefined, undefined, { trigger: true });
    assert.deepEqual(waiting.map(({ id }) => id).toSorted(), [stop, profit, trigger].toSorted());
    const one = await bob.fetchOrder(stop, PAIR, { trigger: true });
    assert.deepEqual([one.id, one.triggerPrice, one.status], [stop, HIGH - 100, 'open']);
    // fetchOrder by the client's id reads an object here, where the vendor, and so we, answer with a list.
    const named = (await bob.request('stop-order/queryOrderByClientOid', 'private', 'GET', {
      clientOid: 'my-stop-1',
      symbol: 'BTC-USDT',
    })) as { data: { id: string }[] };
    assert.deepEqual(
      named.data.map(({ id }) => id),
      [trigger],
    );
    await bob.cancelOrder('', PAIR, { trigger: true, clientOrderId: 'my-stop-1' });
    await bob.cancelOrder(profit, PAIR, { trigger: true });
    // A trade at the stop price makes an order of it, which rests at its own.
    await alice.createOrder(PAIR, 'limit', 'sell', 0.1, HIGH - 100);
    await bob.createOrder(PAIR, 'limit', 'buy', 0.1, HIGH - 100);
    const open = await until(
      () => bob.fetchOpenOrders(PAIR),
      (orders) => orders.some(({ price }) => price === HIGH),
      'triggered order',
    );
    assert.equal(open.length, 1);
    assert.deepEqual(await bob.fetchOpenOrders(PAIR, undefined, undefined, { trigger: true }), []);
  });

  test('cancelAllOrders: stop orders, a symbol, everything', async () => {
    await bob.createOrder(PAIR, 'limit', 'buy', 0.1, HIGH, { stopLossPrice: HIGH + 100 });
    await bob.cancelAllOrders(PAIR, { trigger: true });
    assert.deepEqual(await bob.fetchOpenOrders(PAIR, undefined, undefined, { trigger: true }), []);
    await bob.createOrder('ETH/USDT', 'limit', 'buy', 1, 1000);
    await bob.cancelAllOrders(PAIR);
    assert.deepEqual(await openIds(bob), []);
    assert.equal((await bob.fetchOpenOrders('ETH/USDT')).length, 1);
    await bob.cancelAllOrders();
    assert.deepEqual(await bob.fetchOpenOrders('ETH/USDT'), []);
  });

  test('hf: false: the old endpoints place, show, list and cancel the same orders', async () => {
    const old = { hf: false };
    const id = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW, old);
    assert.equal((await bob.fetchOrder(id, PAIR, old)).status, 'open');
    assert.deepEqual(
      (await bob.fetchOpenOrders(PAIR, undefined, undefined, old)).map((order) => order.id),
      [id],
    );
    assert.deepEqual(await openIds(bob), [id]);
    assert.equal((await bob.cancelOrder(id, PAIR, old)).id, id);
    const named = { ...old, clientOrderId: 'my-old-1' };
    const again = await place(bob, PAIR, 'limit', 'buy', 0.1, LOW, named);
    assert.equal((await bob.fetchOrder('', PAIR, named)).id, again);
    await bob.cancelOrder('', PAIR, named);
    await bob.createOrder(PAIR, 'limit', 'buy', 0.1, LOW, old);
    await bob.cancelAllOrders(PAIR, old);
    assert.deepEqual(await openIds(bob), []);
    const closed = await until(
      () => bob.fetchClosedOrders(PAIR, undefined, 100, old),
      (orders) => orders.some((order) => order.id === id),
      'closed orders',
    );
    assert.equal(closed.find((order) => order.id === id)!.status, 'canceled');
    assert.ok((await bob.fetchMyTrades(PAIR, undefined, undefined, old)).length >= 6);
  });
});
