import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { CCXT, ccxtClient, PAIR, place, type Kucoin } from './ccxt-client.ts';
import { until, Venue } from './venue.ts';

const BITCOIN_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

describe(`${CCXT}, REST: money`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  let alice: Kucoin;
  let bob: Kucoin;
  let sub: Kucoin;
  before(async () => {
    alice = await ccxtClient(venue.url, 'alice');
    bob = await ccxtClient(venue.url, 'bob');
    sub = await ccxtClient(venue.url, 'alice-sub');
    for (const client of [alice, bob, sub]) {
      await client.loadMarkets();
      await client.loadMigrationStatus();
    }
  });
  const total = async (client: Kucoin, code: string, type = 'spot') =>
    (await client.fetchBalance({ type }))[code]?.total ?? 0;

  test('fetchBalance: trade and main, free, used and total', async () => {
    const trade = await alice.fetchBalance();
    assert.deepEqual(
      [trade['USDT']!.free, trade['USDT']!.used, trade['USDT']!.total],
      [1_000_000, 0, 1_000_000],
    );
    assert.equal(trade['BTC']!.total, 100);
    assert.equal((await alice.fetchBalance({ type: 'main' }))['ETH']!.total, 1000);
    assert.equal((await alice.fetchBalance({ hf: false }))['ETH']!.total, 1000);
  });

  test('fetchBalance: an order holds its maximum cost', async () => {
    const id = await place(alice, PAIR, 'limit', 'buy', 1, 20_000);
    const held = (await alice.fetchBalance())['USDT']!;
    assert.ok(held.used! >= 20_000);
    assert.equal(held.free! + held.used!, 1_000_000);
    await alice.cancelOrder(id, PAIR);
    assert.equal((await alice.fetchBalance())['USDT']!.used, 0);
  });

  test('fetchAccounts: one for each kind and currency', async () => {
    const accounts = await alice.fetchAccounts();
    assert.ok(accounts.some(({ type, code }) => type === 'main' && code === 'BTC'));
    assert.equal(new Set(accounts.map(({ id }) => id)).size, accounts.length);
  });

  test('transfer: main to trade and back', async () => {
    const old = await total(alice, 'BTC');
    assert.ok((await alice.transfer('BTC', 1, 'main', 'spot')).id);
    assert.equal(await total(alice, 'BTC'), old + 1);
    await alice.transfer('BTC', 1, 'spot', 'main');
    assert.equal(await total(alice, 'BTC'), old);
  });

  test('transfer: to the fast account, by its own endpoint', async () => {
    const old = await total(alice, 'BTC');
    assert.ok((await alice.transfer('BTC', 1, 'main', 'hf')).id);
    assert.equal(await total(alice, 'BTC'), old + 1);
    await alice.transfer('BTC', 1, 'hf', 'main');
    assert.equal(await total(alice, 'BTC', 'main'), 100);
  });

  test('transfer: to a sub-account and back', async () => {
    const { userId } = venue.connection.users.find(({ name }) => name === 'alice-sub')!;
    await alice.transfer('ETH', 2, 'main', 'spot', { transferType: 'PARENT_TO_SUB', toUserId: userId });
    assert.equal(await total(sub, 'ETH'), 2);
    await alice.transfer('ETH', 2, 'spot', 'main', { transferType: 'SUB_TO_PARENT', fromUserId: userId });
    assert.equal(await total(sub, 'ETH'), 0);
  });

  test('fetchTransfers: incoming and outgoing', async () => {
    const transfers = await until(
      () => alice.fetchTransfers('BTC'),
      (list) => list.length >= 4,
      'transfers',
    );
    assert.ok(transfers.every(({ currency }) => currency === 'BTC'));
    assert.ok(transfers.some(({ amount }) => amount === 1));
  });

  test('createDepositAddress, fetchDepositAddress, fetchDepositAddressesByNetwork', async () => {
    const made = await alice.createDepositAddress('BTC', { network: 'BTC' });
    assert.ok(made.address!.length > 10);
    assert.equal(made.currency, 'BTC');
    const found = await alice.fetchDepositAddress('BTC', { network: 'BTC' });
    assert.equal(found.address, made.address);
    const all = await alice.fetchDepositAddressesByNetwork('BTC');
    assert.ok(Object.values(all).some(({ address }) => address === made.address));
  });

  test('fetchDeposits: credited by the operator', async () => {
    const deposits = await until(
      () => alice.fetchDeposits('BTC'),
      (list) => list.length >= 1,
      'deposits',
    );
    assert.deepEqual(
      [deposits[0]!.currency, deposits[0]!.amount, deposits[0]!.status, deposits[0]!.type],
      ['BTC', 200, 'ok', 'deposit'],
    );
    assert.deepEqual(await alice.fetchDeposits('BTC', Date.now() + 60_000), []);
  });

  test('withdraw, fetchWithdrawals: requested, then sent', async () => {
    const { id } = await alice.withdraw('BTC', 1, BITCOIN_ADDRESS, undefined, { network: 'BTC' });
    assert.ok(id);
    const asked = await until(
      () => alice.fetchWithdrawals('BTC'),
      (list) => list.length === 1,
      'withdrawals',
    );
    assert.deepEqual(
      [asked[0]!.id, asked[0]!.amount, asked[0]!.address, asked[0]!.status, asked[0]!.type],
      [id, 1, BITCOIN_ADDRESS, 'pending', 'withdrawal'],
    );
    const held = (await alice.fetchBalance({ type: 'main' }))['BTC']!;
    assert.ok(held.used! >= 1);
    const reason = 'a test';
    await venue.operate('POST', `/v1/withdrawals/${id}/claim`, { reason });
    await venue.operate('POST', `/v1/withdrawals/${id}/settle`, { sent: true, txId: '9f3c', reason });
    await until(
      () => alice.fetchWithdrawals('BTC'),
      ([one]) => one!.status === 'ok',
      'withdrawal',
    );
    assert.ok((await total(alice, 'BTC', 'main')) < 99);
  });

  test('fetchDepositWithdrawFee, fetchDepositWithdrawFees: by network', async () => {
    const fee = await alice.fetchDepositWithdrawFee('BTC', { network: 'BTC' });
    assert.ok(fee.withdraw!.fee! > 0);
    const fees = (await alice.fetchDepositWithdrawFees(['BTC', 'USDT'])) as Record<string, unknown>;
    assert.deepEqual(Object.keys(fees).toSorted(), ['BTC', 'USDT']);
  });

  test('fetchLedger: trades of the fast account, and the main account', async () => {
    await alice.createOrder(PAIR, 'limit', 'buy', 1, 20_000);
    await bob.createOrder(PAIR, 'market', 'sell', 1);
    const ledger = await until(
      () => alice.fetchLedger('BTC'),
      (rows) => rows.some(({ type }) => type === 'trade'),
      'ledger',
    );
    const trade = ledger.find(({ type }) => type === 'trade')!;
    assert.deepEqual([trade.currency, trade.amount, trade.direction, trade.status], ['BTC', 1, 'in', 'ok']);
    const main = await alice.fetchLedger('BTC', undefined, undefined, { hf: false });
    assert.ok(main.some(({ direction }) => direction === 'out'));
    assert.equal((await alice.fetchLedger('BTC', undefined, 1)).length, 1);
  });
});
