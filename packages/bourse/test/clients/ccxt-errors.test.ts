import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import ccxt from 'ccxt';
import { CCXT, ccxtClient, isExactly, PAIR, type Kucoin } from './ccxt-client.ts';
import { Venue } from './venue.ts';

describe(`${CCXT}, REST: errors`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  let alice: Kucoin;
  before(async () => {
    alice = await ccxtClient(venue.url, 'alice');
    await alice.loadMarkets();
    await alice.loadMigrationStatus();
  });
  const buy = (amount: number, price: number, params: object = {}) =>
    alice.createOrder(PAIR, 'limit', 'buy', amount, price, params);
  const NOWHERE = '0123456789abcdef01234567';

  test('InsufficientFunds: an order beyond the balance', async () => {
    await assert.rejects(buy(1000, 20_000), isExactly(ccxt.InsufficientFunds));
  });

  test('InsufficientFunds: a transfer beyond the balance', async () => {
    await assert.rejects(alice.transfer('BTC', 1e6, 'main', 'spot'), isExactly(ccxt.InsufficientFunds));
  });

  test('InvalidOrder: below the minimum size, off the increment, below the minimum value', async () => {
    // The raw call: createOrder itself would round before it sends.
    const order = { clientOid: 'x1', side: 'buy', symbol: 'BTC-USDT', type: 'limit', price: '20000' };
    const place = (size: string, clientOid: string) =>
      alice.request('hf/orders', 'private', 'POST', { ...order, size, clientOid });
    await assert.rejects(place('0.000001', 'x1'), isExactly(ccxt.InvalidOrder));
    await assert.rejects(place('1.000000001', 'x2'), isExactly(ccxt.InvalidOrder));
    await assert.rejects(buy(0.00001, 1), isExactly(ccxt.InvalidOrder));
  });

  test('OrderNotFound: looked up or cancelled', async () => {
    await assert.rejects(alice.fetchOrder(NOWHERE, PAIR), isExactly(ccxt.OrderNotFound));
    await assert.rejects(
      alice.fetchOrder('', PAIR, { clientOrderId: 'nobody-knows' }),
      isExactly(ccxt.OrderNotFound),
    );
    await assert.rejects(alice.cancelOrder(NOWHERE, PAIR), isExactly(ccxt.OrderNotFound));
    await assert.rejects(
      alice.cancelOrder('', PAIR, { clientOrderId: 'nobody-knows' }),
      isExactly(ccxt.OrderNotFound),
    );
    await assert.rejects(
      alice.editOrder(NOWHERE, PAIR, 'limit', 'buy', 1, 20_000),
      isExactly(ccxt.OrderNotFound),
    );
  });

  test('OrderNotFound: stop orders, and the old endpoints', async () => {
    await assert.rejects(alice.cancelOrder(NOWHERE, PAIR, { trigger: true }), isExactly(ccxt.OrderNotFound));
    await assert.rejects(alice.fetchOrder(NOWHERE, PAIR, { hf: false }), isExactly(ccxt.OrderNotFound));
    await assert.rejects(alice.cancelOrder(NOWHERE, PAIR, { hf: false }), isExactly(ccxt.OrderNotFound));
  });

  test('BadSymbol: an unknown symbol', async () => {
    const order = { clientOid: 'x3', side: 'buy', symbol: 'NO-SUCH', type: 'limit', price: '1', size: '1' };
    await assert.rejects(alice.request('hf/orders', 'private', 'POST', order), isExactly(ccxt.BadSymbol));
  });

  test('BadRequest: an invalid parameter', async () => {
    await assert.rejects(buy(1, 20_000, { timeInForce: 'SOON' }), isExactly(ccxt.BadRequest));
  });

  test('AuthenticationError: a wrong key, secret or passphrase', async () => {
    for (const change of [
      { apiKey: NOWHERE },
      { secret: 'not-the-secret' },
      { password: 'not-the-passphrase' },
    ]) {
      const wrong = await ccxtClient(venue.url, 'alice', { uta: false });
      Object.assign(wrong, change);
      await assert.rejects(wrong.fetchBalance(), isExactly(ccxt.AuthenticationError));
    }
  });

  test('InvalidNonce: a wrong clock', async () => {
    const late = await ccxtClient(venue.url, 'alice', { uta: false, timeDifference: 60_000 });
    await assert.rejects(late.fetchBalance(), isExactly(ccxt.InvalidNonce));
  });

  test('loadTimeDifference: corrects a wrong clock', async () => {
    const late = await ccxtClient(venue.url, 'alice', { timeDifference: 60_000 });
    await late.loadTimeDifference();
    assert.ok((await late.fetchBalance())['USDT']!.total! > 0);
  });

  test('AuthenticationError: a key without the permission', async () => {
    const viewer = await ccxtClient(venue.url, 'alice-viewer');
    await viewer.loadMarkets();
    await assert.rejects(
      viewer.createOrder(PAIR, 'limit', 'buy', 1, 20_000),
      isExactly(ccxt.AuthenticationError),
    );
  });

  test('NotSupported: missing features', async () => {
    await assert.rejects(alice.fetchBorrowInterest('USDT'), (error) => error instanceof ccxt.NotSupported);
  });
});
