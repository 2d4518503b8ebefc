import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAccountId, parseMarkedId, userId } from '../../src/gateway/ids.ts';
import { BTC, checkData, Traders } from './traders.ts';
import type { Data, FeedClient, Frame } from './feed-client.ts';

const V1 = '/spotMarket/tradeOrders';
const V2 = '/spotMarket/tradeOrdersV2';
const BALANCE = '/account/balance';
const FILLS = '/spot/tradeFills';
const STOPS = '/spotMarket/advancedOrders';

/** The next `count` messages of a topic. */
async function hear(client: FeedClient, topic: string, count: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  while (frames.length < count) frames.push(await client.message(topic));
  return frames;
}

const steps = (all: readonly Data[]) =>
  all.map(({ type, status, filledSize, remainSize, canceledSize }) =>
    [type, status, filledSize, remainSize, canceledSize].join(' '),
  );

test('V2 publishes an order from its receipt to its end, and V1 the same without the receipt', () =>
  Traders.run(async (traders) => {
    const second = await traders.listen('bob', V2);
    const first = await traders.listen('bob', V1);
    await traders.limit(traders.alice, 'sell', '50000', '0.3');
    const order = await traders.limit(traders.bob, 'buy', '50000', '0.5', { clientOid: 'wish-1' });
    await traders.limit(traders.alice, 'sell', '50000', '0.2');
    const told = await hear(second, V2, 5);
    const all = told.map(checkData);
    assert.deepEqual(steps(all), [
      'received new 0 0.5 0',
      'match match 0.3 0.2 0',
      'open open 0.3 0.2 0',
      'match match 0.5 0 0',
      'filled done 0.5 0 0',
    ]);
    for (const each of all) {
      assert.deepEqual(
        [each['orderId'], each['clientOid'], each['symbol'], each['side'], each['orderType'], each['price']],
        [order, 'wish-1', BTC, 'buy', 'limit', '50000'],
      );
      assert.deepEqual([each['size'], each['originSize']], ['0.5', '0.5']);
      assert.equal('tradeId' in each, each['type'] === 'match', 'only a match carries a trade');
    }
    const { liquidity, feeType, matchPrice, matchSize, tradeId } = all[1];
    assert.deepEqual(
      [liquidity, feeType, matchPrice, matchSize, tradeId],
      ['taker', 'takerFee', '50000', '0.3', '1'],
    );
    assert.deepEqual([all[3]['liquidity'], all[3]['feeType'], all[3]['tradeId']], ['maker', 'makerFee', '2']);
    const owner = userId(traders.userNumber('bob'));
    for (const frame of told) {
      assert.deepEqual([frame.userId, frame.channelType, frame.subject], [owner, 'private', 'orderChange']);
    }
    const shorter = (await hear(first, V1, 4)).map(checkData);
    assert.deepEqual(shorter, all.slice(1));
  }));

test('cancelling a part publishes an update, and cancelling the rest a cancellation with nothing remaining', () =>
  Traders.run(async (traders) => {
    const client = await traders.listen('alice', V1);
    const user = traders.userNumber('alice');
    const symbol = traders.symbolNumber(BTC);
    await traders.limit(traders.bob, 'buy', '50000', '0.1');
    await traders.limit(traders.alice, 'sell', '50000', '0.5');
    const { sizeDecimals, priceDecimals } = traders.server.services.catalogue.symbol(BTC)!;
    const [{ order }] = await traders.server.services.port.read((exchange) =>
      exchange.openOrders(user, symbol),
    );
    const size = 10 ** (sizeDecimals - 1);
    const price = 50000 * 10 ** priceDecimals;
    // All in one record: messages have the intermediate states of the order.
    const buyer = traders.userNumber('bob');
    await Promise.all([
      traders.submit({ kind: 'reduce-order', user, symbol, order, size }),
      traders.submit({ kind: 'place-order', user: buyer, symbol, type: 'limit', side: 'buy', price, size }),
      traders.submit({ kind: 'cancel-orders', user, symbol }),
    ]);
    const all = (await hear(client, V1, 5)).map(checkData);
    assert.deepEqual(steps(all), [
      'match match 0.1 0.4 0',
      'open open 0.1 0.4 0',
      'update open 0.1 0.3 0.1',
      'match match 0.2 0.2 0.1',
      'canceled done 0.2 0 0.3',
    ]);
    assert.equal(all[2]['oldSize'], '0.5');
    assert.deepEqual(
      all.map(({ size: now, originSize }) => `${now}/${originSize}`),
      ['0.5/0.5', '0.5/0.5', '0.4/0.5', '0.4/0.5', '0.4/0.5'],
    );
  }));

test('messages about a market order by funds have its funds', () =>
  Traders.run(async (traders) => {
    const client = await traders.listen('bob', V2);
    await traders.limit(traders.alice, 'sell', '50000', '0.01');
    await traders.place(traders.bob, { type: 'market', side: 'buy', funds: '1000' });
    const all = (await hear(client, V2, 3)).map(checkData);
    assert.deepEqual(
      all.map(({ type, originFunds, remainFunds, canceledFunds }) => [
        type,
        originFunds,
        remainFunds,
        canceledFunds,
      ]),
      [
        ['received', '1000', '1000', '0'],
        ['match', '1000', '499.5', '0'],
        ['canceled', '1000', '0', '499.5'],
      ],
    );
    const limit = await traders.listen('alice', V2);
    await traders.limit(traders.alice, 'sell', '60000', '0.01');
    assert.equal('originFunds' in checkData(await limit.message(V2)), false);
  }));

test('fill messages have the paid amounts as numbers', () =>
  Traders.run(async (traders) => {
    const client = await traders.listen('alice', FILLS);
    const order = await traders.limit(traders.alice, 'sell', '50000', '0.3');
    await traders.limit(traders.bob, 'buy', '50000', '0.2');
    const frame = await client.message(FILLS);
    assert.equal(frame.subject, FILLS);
    const { time, ...data } = checkData(frame);
    assert.match(String(time), /^\d{13}000000$/);
    assert.deepEqual(data, {
      fee: 10,
      feeCurrency: 'USDT',
      feeRate: 0.001,
      orderId: order,
      orderType: 'limit',
      price: 50000,
      side: 'sell',
      size: 0.2,
      symbol: BTC,
      tradeId: '1',
    });
  }));

test('every posting is published: holds, trades and transfers', () =>
  Traders.run(async (traders) => {
    const client = await traders.listen('bob', BALANCE, BALANCE);
    const user = traders.userNumber('bob');
    const order = await traders.limit(traders.bob, 'buy', '50000', '0.2');
    const hold = await client.message(BALANCE);
    const held = checkData(hold);
    assert.equal((hold as unknown as Data)['id'], held['relationEventId']);
    assert.deepEqual(
      [
        held['currency'],
        held['availableChange'],
        held['holdChange'],
        held['relationEvent'],
        held['relationContext'],
      ],
      ['USDT', '-10010', '10010', 'trade.hold', { symbol: BTC, orderId: order }],
    );
    assert.equal(Number(held['total']), Number(held['available']) + Number(held['hold']));
    const { currency } = parseAccountId(String(held['accountId']))!;
    assert.equal(traders.server.services.catalogue.currencyAt(currency).code, 'USDT');
    await traders.limit(traders.alice, 'sell', '50000', '0.2');
    const [paid, got] = (await hear(client, BALANCE, 2)).map(checkData);
    assert.deepEqual(
      [paid['relationEvent'], paid['holdChange'], paid['relationContext']],
      ['trade.setted', '-10010', { symbol: BTC, orderId: order, tradeId: '1' }],
    );
    assert.deepEqual([got['currency'], got['availableChange'], got['hold']], ['BTC', '0.2', '0']);
    const deposit = {
      user,
      currency,
      amount: 10n ** 13n,
      chain: 'eth',
      txId: 'tx',
      travelRule: false,
    } as const;
    await traders.submit({ kind: 'report-deposit', ...deposit, by: 'test', why: 'test' });
    const into = checkData(await client.message(BALANCE));
    assert.deepEqual([into['relationEvent'], into['relationContext']], ['main.deposit', {}]);
    await traders.submit({
      kind: 'transfer',
      user,
      type: 'internal',
      clientId: 't',
      currency,
      amount: 10n ** 12n,
      from: 'main',
      to: 'trade',
    });
    const both = (await hear(client, BALANCE, 2)).map((frame) => checkData(frame)['relationEvent']);
    assert.deepEqual(both.toSorted(), ['main.transfer', 'trade.transfer']);
  }));

test('placing, triggering and cancelling a stop order is published, even for orders placed before the subscription', () =>
  Traders.run(async (traders) => {
    const user = traders.userNumber('bob');
    const symbol = traders.symbolNumber(BTC);
    const { priceDecimals, sizeDecimals } = traders.server.services.catalogue.symbol(BTC)!;
    const price = (value: number) => value * 10 ** priceDecimals;
    const stop = (stopPrice: number) =>
      traders.submit({
        kind: 'place-stop-order',
        user,
        symbol,
        type: 'limit',
        side: 'buy',
        price: price(stopPrice),
        size: 10 ** sizeDecimals,
        stop: 'entry',
        stopPrice: price(stopPrice),
      });
    await stop(51000);
    const client = await traders.listen('bob', STOPS);
    await stop(52000);
    const open = checkData(await client.message(STOPS));
    const { orderId: id, createdAt, ts, ...rest } = open;
    const number = parseMarkedId('stop-order', String(id));
    assert.ok(number > 0);
    assert.equal(Number(ts), Number(createdAt) * 1e6);
    assert.deepEqual(rest, {
      orderPrice: '52000',
      orderType: 'stop',
      side: 'buy',
      size: '1',
      stop: 'entry',
      stopPrice: '52000',
      symbol: BTC,
      tradeType: 'TRADE',
      type: 'open',
    });
    await traders.submit({ kind: 'cancel-stop-order', user, symbol, order: number });
    assert.equal(checkData(await client.message(STOPS))['type'], 'cancel');
    await traders.limit(traders.alice, 'sell', '51000', '0.1');
    await traders.limit(traders.bob, 'buy', '51000', '0.1');
    const triggered = checkData(await client.message(STOPS));
    assert.deepEqual(
      [triggered['type'], triggered['triggerSuccess'], triggered['stopPrice']],
      ['triggered', true, '51000'],
    );
  }));

test('private topics show only the data of their user, not of other users or sub-accounts', () =>
  Traders.run(async (traders) => {
    const others = await Promise.all(
      ['carol', 'alice-sub', 'bob'].map((who) => traders.listen(who, V1, V2, BALANCE, FILLS, STOPS)),
    );
    const own = await traders.listen('alice', V2);
    await traders.limit(traders.alice, 'sell', '50000', '0.1');
    await own.message(V2);
    for (const client of others) {
      assert.equal((await client.ask({ type: 'ping' })).type, 'pong');
      assert.deepEqual(
        client.frames.filter(({ type }) => type === 'message'),
        [],
      );
    }
  }));

test('a deposit is published from its arrival to its end, with the result of its questionnaire', () =>
  Traders.run(async (traders) => {
    const DEPOSITS = '/account/deposits';
    const client = await traders.listen('alice', DEPOSITS);
    const stranger = await traders.listen('bob', DEPOSITS);
    const user = traders.userNumber('alice');
    const { number: currency, chains, scale } = traders.server.services.catalogue.currency('USDT')!;
    const { chainId: chain } = chains[0];
    const amount = 250n * 10n ** BigInt(scale);
    const what = { user, currency, chain, amount, txId: 'told', travelRule: true };
    const outcome = await traders.submit({ kind: 'report-deposit', ...what });
    assert.ok(outcome.kind === 'deposit');
    const { travelRuleId } = outcome;
    const answer = async (accepted: boolean): Promise<void> => {
      const form = { user, travelRuleId, senderType: 'company', info: '{}' } as const;
      const submitted = await traders.submit({ kind: 'submit-questionnaire', ...form });
      assert.ok(submitted.kind === 'added');
      const decision = { questionnaire: submitted.id, accepted, failureCode: accepted ? '' : 'TIN_UNKNOWN' };
      await traders.submit({ kind: 'decide-questionnaire', ...decision });
    };
    await answer(false);
    await answer(true);
    const all = (await hear(client, DEPOSITS, 5)).map(checkData);
    assert.deepEqual(
      all.map((each) => [each['status'], each['questionnaireStatus'], each['failureCode']]),
      [
        ['WAIT_TRM_MGT', null, null],
        ['PROCESSING', 'pending', null],
        ['TRM_MGT_REJECTED', 'fail', 'TIN_UNKNOWN'],
        ['PROCESSING', 'pending', null],
        ['SUCCESS', 'success', null],
      ],
    );
    for (const { id, amount: shown, currency: code } of all) {
      assert.deepEqual([id, shown, code], [all[0]['id'], '250', 'USDT']);
    }
    await traders.submit({ kind: 'report-deposit', ...what, user: traders.userNumber('bob'), txId: 'other' });
    assert.equal(checkData(await stranger.message(DEPOSITS))['walletTxId'], 'other', "not alice's");
  }));
