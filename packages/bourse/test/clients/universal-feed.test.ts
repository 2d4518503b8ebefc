import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Spot } from 'kucoin-universal-sdk';
import { limit, market, PAIR, UNIVERSAL, universalClient } from './universal-client.ts';
import { until, Venue } from './venue.ts';

const { Order } = Spot;

describe(`${UNIVERSAL}, websockets`, { timeout: 180_000 }, () => {
  const venue = new Venue();
  let alice: Spot.OrderAPI;
  let bob: Spot.OrderAPI;
  let open: Spot.SpotPublicWS;
  let own: Spot.SpotPrivateWS;
  before(async () => {
    const orders = (user: string) =>
      universalClient(venue.url, user).restService().getSpotService().getOrderApi();
    alice = orders('alice');
    bob = orders('bob');
    await alice.addOrder(Order.AddOrderReq.create(limit('buy', '20000', '10')));
    await alice.addOrder(Order.AddOrderReq.create(limit('sell', '20100', '10')));
    await trade();
    open = universalClient(venue.url).wsService().newSpotPublicWS();
    own = universalClient(venue.url, 'bob').wsService().newSpotPrivateWS();
    await open.start();
    await own.start();
  });
  after(async () => {
    await open.stop();
    await own.stop();
  });
  const trade = () => bob.addOrder(Order.AddOrderReq.create(market('sell', { size: '0.01' })));

  /** Subscribes, causes events until a message has arrived, and unsubscribes. */
  const heard = async <T>(
    { unSubscribe }: { unSubscribe: (id: string) => Promise<void> },
    subscribe: (hear: (topic: string, subject: string, data: T) => void) => Promise<string>,
    happen: () => Promise<unknown> = trade,
    isWanted: (data: T) => boolean = () => true,
  ): Promise<{ topic: string; subject: string; data: T }[]> => {
    const messages: { topic: string; subject: string; data: T }[] = [];
    const id = await subscribe((topic, subject, data) => {
      if (isWanted(data)) messages.push({ topic, subject, data });
    });
    await until(happen, () => messages.length > 0, 'messages');
    await unSubscribe(id);
    return messages;
  };
  const publicly = <T>(
    subscribe: (hear: (topic: string, subject: string, data: T) => void) => Promise<string>,
    isWanted?: (data: T) => boolean,
  ) => heard({ unSubscribe: (id) => open.unSubscribe(id) }, subscribe, trade, isWanted);
  const privately = <T>(
    subscribe: (hear: (topic: string, subject: string, data: T) => void) => Promise<string>,
    happen = trade as () => Promise<unknown>,
  ) => heard({ unSubscribe: (id) => own.unSubscribe(id) }, subscribe, happen);

  test('ticker, allTickers', async () => {
    const [one] = await publicly<Spot.SpotPublic.TickerEvent>((hear) =>
      open.ticker([PAIR, 'ETH-USDT'], hear),
    );
    assert.deepEqual(
      [one!.topic, one!.data.price, one!.data.bestAsk],
      [`/market/ticker:${PAIR}`, '20000', '20100'],
    );
    const [all] = await publicly<Spot.SpotPublic.AllTickersEvent>((hear) => open.allTickers(hear));
    assert.deepEqual([all!.subject, all!.data.price], [PAIR, '20000']);
  });

  test('trade', async () => {
    const [one] = await publicly<Spot.SpotPublic.TradeEvent>((hear) => open.trade([PAIR], hear));
    assert.deepEqual([one!.data.price, one!.data.size, String(one!.data.side)], ['20000', '0.01', 'sell']);
  });

  test('klines', async () => {
    const [one] = await publicly<Spot.SpotPublic.KlinesEvent>((hear) => open.klines(PAIR, '1hour', hear));
    assert.deepEqual(one!.data.candles.slice(1, 5), ['20000', '20000', '20000', '20000']);
  });

  test('symbolSnapshot, marketSnapshot', async () => {
    const [one] = await publicly<Spot.SpotPublic.SymbolSnapshotEvent>((hear) =>
      open.symbolSnapshot(PAIR, hear),
    );
    assert.deepEqual([one!.data.data.symbol, one!.data.data.lastTradedPrice], [PAIR, 20_000]);
    const [all] = await publicly<Spot.SpotPublic.MarketSnapshotEvent>((hear) =>
      open.marketSnapshot('USDS', hear),
    );
    assert.equal(all!.data.data.symbol, PAIR);
  });

  test('orderbookIncrement, orderbookLevel1, orderbookLevel5, orderbookLevel50', async () => {
    const [delta] = await publicly<Spot.SpotPublic.OrderbookIncrementEvent>(
      (hear) => open.orderbookIncrement([PAIR], hear),
      // Others only advance the sequence.
      ({ changes }) => changes.bids.length > 0,
    );
    const { changes, sequenceStart, sequenceEnd } = delta!.data;
    assert.equal(changes.bids[0]![0], '20000');
    assert.ok(sequenceStart <= sequenceEnd);
    const [first] = await publicly<Spot.SpotPublic.OrderbookLevel1Event>((hear) =>
      open.orderbookLevel1([PAIR], hear),
    );
    assert.deepEqual(first!.data.asks, ['20100', '10']);
    const [five] = await publicly<Spot.SpotPublic.OrderbookLevel5Event>((hear) =>
      open.orderbookLevel5([PAIR], hear),
    );
    assert.deepEqual(five!.data.asks, [['20100', '10']]);
    const [fifty] = await publicly<Spot.SpotPublic.OrderbookLevel50Event>((hear) =>
      open.orderbookLevel50([PAIR], hear),
    );
    assert.deepEqual(fifty!.data.asks, [['20100', '10']]);
  });

  test('orderV2, orderV1: the states of an order, in order', async () => {
    const second: Spot.SpotPrivate.OrderV2Event[] = [];
    const first: Spot.SpotPrivate.OrderV1Event[] = [];
    const ids = [
      await own.orderV2((_topic, _subject, data) => void second.push(data)),
      await own.orderV1((_topic, _subject, data) => void first.push(data)),
    ];
    const { orderId } = await bob.addOrder(Order.AddOrderReq.create(limit('buy', '20001', '0.2')));
    await alice.addOrder(Order.AddOrderReq.create(market('sell', { size: '0.05' })));
    await bob.cancelOrderByOrderId(Order.CancelOrderByOrderIdReq.create({ symbol: PAIR, orderId }));
    const types = (events: { orderId: string; type: unknown }[]) =>
      events.filter((event) => event.orderId === orderId).map(({ type }) => String(type));
    await until(
      async () => [types(first), types(second)],
      (lists) => lists.every((list) => list.at(-1) === 'canceled'),
      'the order’s end',
    );
    assert.deepEqual(types(second), ['received', 'open', 'match', 'canceled']);
    assert.deepEqual(types(first), ['open', 'match', 'canceled']);
    for (const id of ids) await own.unSubscribe(id);
  });

  test('account: balances', async () => {
    const messages = await privately<Spot.SpotPrivate.AccountEvent>((hear) => own.account(hear));
    assert.ok(messages.every(({ data }) => data.relationEvent.startsWith('trade')));
    assert.ok(messages.some(({ data }) => data.currency === 'BTC' || data.currency === 'USDT'));
  });

  test('stopOrder', async () => {
    const [one] = await privately<Spot.SpotPrivate.StopOrderEvent>(
      (hear) => own.stopOrder(hear),
      async () => {
        const { orderId } = await bob.addStopOrder(
          Order.AddStopOrderReq.create(limit('sell', '18000', '0.1', { stopPrice: '18000' })),
        );
        await bob.cancelStopOrderByOrderId(Order.CancelStopOrderByOrderIdReq.create({ orderId }));
      },
    );
    assert.deepEqual([one!.data.stopPrice, String(one!.data.type)], ['18000', 'open']);
  });
});
