/** Lines of the control API's contract that no other test holds. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { SignedClient } from './client.ts';
import { controlOf, openSandbox, sandboxFor, type TestSandbox } from './exchange.ts';

const sentence = (body: unknown): string => (body as { msg: string }).msg;

test('an impossible fork is rejected with the reason, and leaves nothing behind', async (context) => {
  const { ask, call, running, dir } = await sandboxFor(context);
  const taken = Number(new URL(running.connection.baseUrl).port);
  for (const [body, status, says] of [
    [{ market: 'lively' }, 400, /one of: calm, busy, thin, wild, one-sided, crash, quiet/],
    [{ seed: 2 ** 32 }, 400, /at most 4294967295/],
    [{ port: taken }, 409, /is taken\. Give another/],
  ] as const) {
    const answer = await ask('POST', '/forks', body);
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.match(sentence(answer.body), says);
  }
  assert.deepEqual(await call('GET', '/forks'), []);
  assert.ok(!existsSync(`${dir}/sandbox/forks/f1`));
});

test('the response to a fork names its current market, even if it was changed since the start', async (context) => {
  const { call } = await sandboxFor(context, { market: 'quiet', seed: '7' });
  assert.deepEqual(await call('GET', '/market'), { preset: 'quiet', seed: 7, symbols: [] });
  const quiet = await call('POST', '/forks');
  assert.deepEqual([quiet.market, quiet.seed, quiet.clock], ['quiet', 7, 'manual']);
  const { seed } = await call('POST', '/market', { preset: 'thin', symbols: ['BTC-USDT'] });
  assert.equal(seed, 7, 'what is left out stays');
  const thin = await call('POST', '/forks', { clock: 'x10' });
  assert.deepEqual([thin.market, thin.seed, thin.clock], ['thin', 7, 'x10']);
});

test('a fork has the market and seed that it was given, and otherwise those of its origin now', async (context) => {
  const { call } = await sandboxFor(context, { market: 'quiet', seed: '7' });
  await call('POST', '/market', { preset: 'thin', symbols: ['BTC-USDT'] });
  const fork = async (body: object): Promise<unknown[]> => {
    const made = await call('POST', '/forks', body);
    const market = await controlOf(made['sandboxUrl']!, made['operatorToken']!)('GET', '/market');
    await call('DELETE', `/forks/${made['id']}`);
    const { preset, seed, symbols } = market.body as { preset: string; seed: number; symbols: object[] };
    return [made['market'], made['seed'], preset, seed, symbols.length];
  };
  assert.deepEqual(await fork({ market: 'quiet' }), ['quiet', 7, 'quiet', 7, 0], 'the market of the start');
  assert.deepEqual(await fork({ seed: 2 }), ['thin', 2, 'thin', 2, 1]);
  await call('POST', '/market', { seed: 9 });
  assert.deepEqual(await fork({ market: 'wild' }), ['wild', 9, 'wild', 9, 1]);
  assert.deepEqual(await fork({}), ['thin', 9, 'thin', 9, 1]);
});

test('an expectation without a timeout is answered at once, even while the clock stands still', async (context) => {
  const { call, running } = await sandboxFor(context);
  const { seq: from } = await call('GET', '/');
  const event = { kind: 'order', where: { user: 'alice' } };
  for (const clock of ['exchange', 'wall']) {
    assert.deepEqual(await call('POST', '/expect', { event, withinMs: 0, clock }), {
      met: false,
      closest: [],
    });
  }
  await new SignedClient(running.connection, 'alice').place({});
  assert.equal((await call('POST', '/expect', { event, withinMs: 0, from })).met, true);
});

test('a rule that can never match a user is rejected', async (context) => {
  const { ask } = await sandboxFor(context);
  for (const [match, kind, says] of [
    [{ route: 'get-order' }, 'late-order', /only on place-order/],
    [{ route: 'place-order' }, 'late-cancel', /only on cancel-order/],
    [{ route: 'get-ticker' }, 'stale-read', /has no effect on get-ticker/],
    [{ dialect: 'family' }, 'feed-stall', /match.dialect: feed-stall affects the feed, which has no dialect/],
  ] as const) {
    const effect = { kind, ...(kind !== 'feed-stall' && { ms: 10 }) };
    const { status, body } = await ask('POST', '/faults', { match, effect });
    assert.equal(status, 400, JSON.stringify(match));
    assert.match(sentence(body), says);
  }
});

test('a rule for a symbol applies wherever a request names the symbol', async (context) => {
  const { call, running } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  await call('POST', '/faults', {
    match: { symbol: 'BTC-USDT' },
    effect: { kind: 'error', code: '500000' },
  });
  const order = { type: 'limit', side: 'buy', price: '10', size: '1' };
  const orderList = ['ETH-USDT', 'BTC-USDT'].map((symbol, at) => ({ ...order, symbol, clientOid: `o${at}` }));
  const sent: [method: string, path: string, body?: object][] = [
    ['GET', '/api/v2/symbols/BTC-USDT'],
    ['GET', '/api/v1/market/stats?symbol=BTC-USDT'],
    ['GET', '/api/v1/trade-fees?symbols=ETH-USDT,BTC-USDT'],
    ['POST', '/api/v1/hf/orders', { ...order, symbol: 'BTC-USDT' }],
    ['POST', '/api/v1/hf/orders/multi', { orderList }],
    ['POST', '/api/v1/hf/orders/dead-cancel-all', { timeout: 5, symbols: 'BTC-USDT,ETH-USDT' }],
  ];
  for (const [method, path, body] of sent) {
    assert.equal((await alice.send(method, path, body)).body.code, '500000', path);
    if (!path.includes('BTC-USDT')) continue;
    const other = path.replaceAll('BTC-USDT', 'KCS-USDT');
    assert.equal((await alice.send(method, other)).body.code, '200000', other);
  }
});

test('a fault that a request did not reach is neither counted nor listed with the request', async (context) => {
  const sandbox: TestSandbox = await sandboxFor(context);
  const alice = new SignedClient(sandbox.running.connection, 'alice');
  await sandbox.call('POST', '/faults', { effect: { kind: 'late-order', ms: 10 }, times: 1 });
  assert.equal((await alice.place({ size: 'much' })).body.code, '400100');
  const look = async () => {
    const [rule] = await sandbox.call<{ hits: number }[]>('GET', '/faults');
    const entries = await sandbox.call<{ fault?: string }[]>('GET', '/requests?limit=1');
    return [rule?.hits, entries[0]?.fault];
  };
  assert.deepEqual(await look(), [0, undefined]);
  assert.equal((await alice.place({})).body.code, '200000');
  assert.deepEqual(await look(), [1, 'r1']);
});

test('a market that was started after the exchange survives a restore and a restart', async (context) => {
  const dir = makeDirectory(context);
  const first = await openSandbox(dir);
  const words = async ({ call }: TestSandbox) => {
    const { preset, seed, symbols } = await call<{ preset: string; seed: number; symbols: object[] }>(
      'GET',
      '/market',
    );
    return [preset, seed, symbols.length];
  };
  await first.call('POST', '/market', { preset: 'thin', seed: 3, symbols: ['BTC-USDT'] });
  const { id } = await first.call('POST', '/snapshots');
  await first.call('POST', '/market', { preset: 'quiet' });
  await first.call('POST', `/snapshots/${id}/restore`);
  assert.deepEqual(await words(first), ['thin', 3, 1]);
  await first.close();
  const second = await openSandbox(dir);
  context.after(() => second.close());
  assert.deepEqual(await words(second), ['thin', 3, 1]);
  const { market, seed } = second.running.connection;
  assert.deepEqual([market, seed], ['thin', 3], 'the banner and the connection file say what lives');
});
