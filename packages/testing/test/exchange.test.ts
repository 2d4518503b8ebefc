import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import ccxt from 'ccxt';
import {
  CCXT_ADDRESSES,
  connect,
  ControlError,
  ExpectationFailed,
  startExchange,
  type StartOptions,
} from '@bourse/testing';

const symbol = 'BTC-USDT';
const bid = { symbol, type: 'limit', side: 'buy', price: '20000', size: '0.1' } as const;
// Its own temporary directory, because other test files start exchanges concurrently.
const temporary = mkdtempSync(join(tmpdir(), 'exchange-test-'));
process.env['TMPDIR'] = temporary;
const exchange = await startExchange({ clock: 'manual', seed: 7 });
after(async () => {
  await exchange.stop();
  rmSync(temporary, { recursive: true });
});

const directories = (): string[] => readdirSync(temporary);

test('a quiet market, and the options of the start', async () => {
  const { seed, market, clock } = await exchange.overview();
  assert.deepEqual([seed, market.preset, clock.mode], [7, 'quiet', 'manual']);
  assert.deepEqual(
    [exchange.connection.seed, exchange.connection.market, exchange.connection.clock],
    [7, 'quiet', 'manual'],
  );
});

test('options that are undefined have their defaults', async (context) => {
  const options = { market: undefined, seed: undefined, settings: { port: undefined, logLevel: undefined } };
  const other = await startExchange(options as unknown as StartOptions);
  context.after(() => other.stop());
  const { market: started, seed } = other.connection;
  assert.deepEqual([started, seed], ['quiet', 1]);
  assert.notEqual(new URL(other.baseUrl).port, '8080');
});

test('invalid options are rejected, and no directory is created', async () => {
  const before = directories();
  const wrong = { martket: 'calm' } as object;
  await assert.rejects(startExchange(wrong), /martket: no such setting.*market/);
  await assert.rejects(startExchange({ clock: 'slow' }), /clock: .*real, manual/);
  await assert.rejects(startExchange({ settings: { data: 'x' } }), /data: startExchange sets this/);
  await assert.rejects(startExchange({ settings: { venue: true } }), /venue: startExchange sets this/);
  assert.deepEqual(directories(), before);
});

test('a start that fails leaves no directory', async () => {
  const before = directories();
  const port = Number(new URL(exchange.baseUrl).port);
  await assert.rejects(startExchange({ settings: { port } }), { code: 'EADDRINUSE' });
  assert.deepEqual(directories(), before);
});

test('ccxt has only addresses of the sandbox', () => {
  assert.deepEqual(
    Object.keys(new ccxt.kucoin().urls['api'] as object).toSorted(),
    [...CCXT_ADDRESSES].toSorted(),
  );
  const { urls } = new ccxt.kucoin({ ...exchange.ccxt('alice') });
  assert.deepEqual(new Set(Object.values(urls['api'] as object)), new Set([exchange.compatUrl]));
});

test('ccxt.pro receives orders with the same options', { timeout: 120_000 }, async () => {
  const carol = new ccxt.pro.kucoin({ ...exchange.ccxt('carol') });
  const book = await carol.watchOrderBook('BTC/USDT').finally(() => carol.close());
  assert.equal(book['symbol'], 'BTC/USDT');
});

test('users: the existing ones, new ones with money, and an unknown one', async () => {
  const dora = await exchange.newUser('dora', { USDT: '500' });
  assert.equal(exchange.user('dora'), dora);
  assert.equal(await exchange.faucet({ user: 'dora', currency: 'BTC', amount: '2', account: 'trade' }), '2');
  const accounts = await exchange.client('dora').accounts({ type: 'trade' });
  assert.deepEqual(accounts.map(({ currency, balance }) => [currency, Number(balance)]).toSorted(), [
    ['BTC', 2],
    ['USDT', 500],
  ]);
  assert.throws(() => exchange.user('nobody'), /Unknown user 'nobody'. Expected one of: alice, .*dora/);
});

test('rejections by the control API are errors with status and code', async () => {
  await exchange.clock.set('real');
  await assert.rejects(exchange.clock.advance(1), (error) => {
    assert.ok(error instanceof ControlError);
    assert.deepEqual([error.status, error.code], [409, 'clock-runs']);
    return true;
  });
  assert.equal((await exchange.clock.set('scaled', 10)).speed, 10);
  assert.equal((await exchange.clock.set('manual')).mode, 'manual');
  const { time } = await exchange.clock.read();
  assert.equal((await exchange.clock.advance(1000)).time, time + 1000);
});

test('expectations can be met, even by earlier events, and an unmet one reports the closest match', async () => {
  const from = await exchange.seq();
  const alice = exchange.client('alice');
  const { orderId } = await alice.placeOrder(bid);
  const event = await exchange.expect({ kind: 'order', where: { user: 'alice', change: 'open' } }, { from });
  assert.equal(event['orderId'], orderId);
  const other = exchange.expect(
    { kind: 'order', where: { orderId, change: 'filled' } },
    { from, withinMs: 1 },
  );
  await assert.rejects(other, (error) => {
    assert.ok(error instanceof ExpectationFailed);
    assert.equal(error.closest[0]!['orderId'], orderId);
    assert.match(error.message, /^No order with .*"filled".* within 1 ms; closest: /);
    return true;
  });
  await alice.cancelOrders(symbol);
});

test('assertions: verify() reports the broken assertion and the event that broke it', async () => {
  const rule = { always: { user: 'alice', openOrdersMax: 1 } };
  assert.equal((await exchange.assertions.add('one at a time', rule)).holds, true);
  const alice = exchange.client('alice');
  await alice.placeOrder(bid);
  await exchange.assertions.verify();
  await alice.placeOrder(bid);
  await assert.rejects(exchange.assertions.verify(), /'one at a time' was broken by .*"order"/);
  await exchange.assertions.remove('one at a time');
  assert.deepEqual(await exchange.assertions.list(), []);
  await alice.cancelOrders(symbol);
});

test('faults and scenarios can be added and removed, and requests name the fault that fired', async () => {
  const fault = await exchange.faults.add({
    match: { user: 'bob' },
    effect: { kind: 'error', code: '429000' },
  });
  await assert.rejects(exchange.client('bob').openOrders(symbol), { code: '429000' });
  const [last] = (await exchange.requests({ user: 'bob' })).slice(-1);
  assert.deepEqual([last!.fault, last!.status], [fault.id, 429]);
  assert.deepEqual(
    (await exchange.faults.list()).map(({ id, hits }) => [id, hits]),
    [[fault.id, 1]],
  );
  await exchange.faults.remove(fault);
  assert.deepEqual(await exchange.client('bob').openOrders(symbol), []);
  await exchange.scenarios.start('maintenance');
  await assert.rejects(exchange.client('bob').openOrders(symbol), { code: '503000' });
  assert.ok((await exchange.scenarios.list()).some(({ name, running }) => name === 'maintenance' && running));
  await exchange.scenarios.end('maintenance');
  await exchange.scenarios.start('stress');
  await exchange.faults.clear();
  assert.deepEqual(await exchange.faults.list(), []);
});

test('a fork has the same users and is independent, and so is a connection to it', async () => {
  const snapshot = await exchange.snapshots.take('fork from here');
  await exchange.client('alice').placeOrder(bid);
  const fork = await exchange.fork({ from: snapshot.id });
  assert.deepEqual(await fork.client('alice').openOrders(symbol), []);
  await connect(fork.connection)
    .client('dora')
    .placeOrder({ ...bid, size: '0.01' });
  assert.equal((await fork.client('dora').openOrders(symbol)).length, 1);
  assert.deepEqual(await exchange.client('dora').openOrders(symbol), []);
  await fork.stop();
  assert.equal((await exchange.overview()).forks, 0);
  await assert.rejects(fork.overview(), /No exchange at .*: it was stopped/);
  assert.ok((await exchange.snapshots.list()).some(({ id }) => id === snapshot.id));
  await exchange.snapshots.remove(snapshot);
  assert.ok(!(await exchange.snapshots.list()).some(({ id }) => id === snapshot.id));
});

test('the market: agents can be started, shocked and stopped', async () => {
  await exchange.client('alice').cancelOrders(symbol);
  assert.equal((await exchange.market.set({ preset: 'calm' })).preset, 'calm');
  const valueOf = async (): Promise<number> =>
    Number((await exchange.market.read()).symbols.find((each) => each.symbol === symbol)!.value);
  const before = await valueOf();
  await exchange.market.shock({ currency: 'BTC', factor: 0.5 });
  const ratio = (await valueOf()) / before;
  assert.ok(Math.abs(ratio - 0.5) < 0.001, String(ratio));
  assert.deepEqual(await exchange.market.replay(), { playing: false });
  await exchange.market.set({ preset: 'quiet' });
});

test('symbols can be halted and opened, fees set and removed, and time advanced with a bot', async () => {
  const alice = exchange.client('alice');
  await exchange.symbols.halt(symbol);
  await assert.rejects(alice.placeOrder({ ...bid, size: '0.01' }));
  await exchange.symbols.cancelOnly(symbol);
  await assert.rejects(alice.placeOrder({ ...bid, size: '0.01' }));
  await exchange.symbols.open(symbol);
  await alice.placeOrder({ ...bid, size: '0.01' });
  await alice.cancelOrders(symbol);
  const set = await exchange.fees.set({ user: 'alice', symbol, maker: '0.0002', taker: '0.0005' });
  assert.ok(
    set.some(({ maker }) => Number(maker) === 0.0002),
    JSON.stringify(set),
  );
  assert.deepEqual(await exchange.fees.list(), set);
  assert.equal((await exchange.fees.remove({ user: 'alice', symbol })).length, set.length - 1);
  const { isIdle, advancedMs } = await exchange.clock.advanceUntilIdle();
  assert.deepEqual([isIdle, advancedMs], [true, 0]);
});

test('a connection without a control API is rejected', () => {
  const { sandboxUrl: _, ...venue } = exchange.connection;
  assert.throws(() => connect(venue as typeof exchange.connection), /no sandboxUrl/);
});

test('the report of a user shows the activity of the user', async () => {
  const fork = await exchange.fork();
  const [alice, bob] = [fork.client('alice'), fork.client('bob')];
  const { time: from } = await fork.clock.advance(1000);
  const order = { symbol: 'XRP-USDT', type: 'limit', price: '2', size: '50' } as const;
  await alice.http.call('POST', '/api/v1/hf/orders', { body: { ...order, side: 'sell' } });
  await bob.http.call('POST', '/api/v1/hf/orders', { body: { ...order, side: 'buy' } });
  await assert.rejects(
    alice.http.call('POST', '/api/v1/hf/orders', { body: { ...order, side: 'sell', price: '0' } }),
  );
  const { orders, fills, pnl, requests, inventory } = await fork.report('alice', { from });
  assert.deepEqual([orders.placed, fills.maker, fills.taker, pnl.fees], [1, 1, 0, '0']);
  // Makers among the agents pay nothing, takers 0.04 %.
  const taken = await fork.report('bob', { from });
  assert.deepEqual([taken.fills.maker, taken.fills.taker, taken.pnl.fees], [0, 1, '0.04']);
  assert.equal(inventory.find(({ currency }) => currency === 'XRP')?.traded, '-50');
  assert.equal(
    requests.refused.reduce((sum, { count }) => sum + count, 0),
    1,
  );
  assert.ok(requests.rateLimits.some(({ pool, peak }) => pool === 'spot' && peak > 0));
  await assert.rejects(fork.report('nobody'), ControlError);
  await fork.stop();
});
