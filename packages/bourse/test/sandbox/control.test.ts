import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { ConfigError, loadSettings } from '../../src/config/load.ts';
import { SANDBOX_MOUNT } from '../../../sandbox/src/control/call-fields.ts';
import { CONTROL_ROUTES } from '../../../sandbox/src/control/plugin.ts';
import { startExchange } from '../../src/startup/start.ts';
import { SignedClient } from './client.ts';
import { controlOf, openSandbox, sandboxFor } from './exchange.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

test('a venue has no control API, and rejects its settings', async (context) => {
  const env = { BOURSE_SECRET_KEY: '11'.repeat(32), BOURSE_OPERATOR_TOKEN: 'a-token-of-this-test-alone' };
  const flags = { port: '0', data: makeDirectory(context), venue: true, logLevel: 'silent' };
  const { settings } = loadSettings({ flags, env });
  const running = await startExchange(settings);
  context.after(() => running.close());
  const { baseUrl, operatorToken, sandboxUrl } = running.connection;
  assert.equal(sandboxUrl, undefined);
  const ask = controlOf(baseUrl + SANDBOX_MOUNT, operatorToken);
  for (const { method, path } of CONTROL_ROUTES) {
    const { status } = await ask(method, path, method === 'POST' ? {} : undefined);
    assert.equal(status, 404, `${method} ${path}`);
  }
  for (const flag of ['clock', 'time', 'market', 'seed', 'recordings']) {
    const value = { clock: 'real', time: '0', market: 'quiet', seed: '1', recordings: '' }[flag]!;
    assert.throws(() => loadSettings({ flags: { ...flags, [flag]: value }, env }), ConfigError, flag);
  }
});

test('an unknown field of a nested object is rejected with the list of known fields', async (context) => {
  const { ask } = await sandboxFor(context);
  const rule = { match: { usr: 'alice' }, effect: { kind: 'delay', ms: 1 } };
  const { status, body } = await ask('POST', '/faults', rule);
  assert.equal(status, 400);
  assert.match((body as { msg: string }).msg, /^match\.usr is not a known field; expected: user, apiKey, /);
  const bare = await ask('POST', '/faults', { effect: { kind: 'late-order' } });
  assert.equal((bare.body as { msg: string }).msg, 'effect.ms is missing in the body.');
  assert.deepEqual((await ask('GET', '/faults')).body, []);
});

test('every path needs the token and rejects unknown fields', async (context) => {
  const { running, ask } = await sandboxFor(context);
  const { sandboxUrl } = running.connection;
  for (const { method, path } of CONTROL_ROUTES) {
    const wrong = await controlOf(sandboxUrl!, 'not-the-token')(method, path);
    assert.equal(wrong.status, 401, `${method} ${path}`);
    const { status, body } =
      method === 'POST' ? await ask(method, path, { nonsense: 1 }) : await ask(method, `${path}?nonsense=1`);
    assert.deepEqual([status, (body as { code: string }).code], [400, 'field-unknown'], `${method} ${path}`);
  }
});

test('the connection file and the overview show seed, market and clock', async (context) => {
  const { running, call } = await sandboxFor(context, { seed: '7' });
  const { sandboxUrl, seed, market, clock, baseUrl } = running.connection;
  assert.deepEqual([sandboxUrl, seed, market, clock], [`${baseUrl}/sandbox/v1`, 7, 'quiet', 'manual']);
  const { seq, ...overview } = await call('GET', '/');
  assert.ok(seq > 0);
  assert.deepEqual(overview, {
    seed: 7,
    market: { preset: 'quiet', symbols: [] },
    clock: { mode: 'manual', speed: 0, time: START },
    snapshots: 0,
    forks: 0,
    faults: 0,
  });
  await call('POST', '/market', { seed: 8 });
  assert.equal((await call('GET', '/')).seed, 8, 'that of the market that runs');
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: object };
  for (const { path } of CONTROL_ROUTES) {
    const documented = (SANDBOX_MOUNT + path).replaceAll(/:(\w+)/g, '{$1}');
    assert.ok(documented in document.paths, documented);
  }
});

test('the clock has modes, speeds and advances, and rejects invalid ones', async (context) => {
  const { call, ask } = await sandboxFor(context);
  assert.deepEqual(await call('GET', '/clock'), { mode: 'manual', speed: 0, time: START });
  assert.equal((await call('POST', '/clock/advance', { ms: 0 })).time, START);
  assert.equal((await call('POST', '/clock/advance', { ms: 366 * DAY_MS })).time, START + 366 * DAY_MS);
  for (const ms of [-1, 1.5, 366 * DAY_MS + 1, '5']) {
    assert.equal((await ask('POST', '/clock/advance', { ms })).status, 400, String(ms));
  }
  for (const body of [
    { mode: 'scaled' },
    { mode: 'scaled', speed: 1 },
    { mode: 'scaled', speed: 10_001 },
    { mode: 'fast' },
    { mode: 'manual', speed: 3 },
  ]) {
    assert.equal((await ask('POST', '/clock', body)).status, 400, JSON.stringify(body));
  }
  const scaled = await call('POST', '/clock', { mode: 'scaled', speed: 100 });
  assert.deepEqual([scaled.mode, scaled.speed], ['scaled', 100]);
  const { status, body } = await ask('POST', '/clock/advance', { ms: 1 });
  assert.deepEqual([status, (body as { code: string }).code], [409, 'clock-runs']);
  const real = await call('POST', '/clock', { mode: 'real' });
  assert.equal(real.speed, 1);
  assert.ok(real.time >= scaled.time, 'never back');
});

test('everything is timed by exchange time', async (context) => {
  const { running, call } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  const { baseUrl } = running.connection;
  const timestamp = async () =>
    ((await (await fetch(`${baseUrl}/api/v1/timestamp`)).json()) as { data: number }).data;
  assert.equal(await timestamp(), START);
  const { body } = await alice.place({ timeInForce: 'GTT', cancelAfter: 60 });
  const id = (body.data as { orderId: string }).orderId;
  const look = async () =>
    (await alice.get(`/api/v1/hf/orders/${id}?symbol=BTC-USDT`)).body.data as {
      active: boolean;
      lastUpdatedAt: number;
    };
  await call('POST', '/clock/advance', { ms: 59_999 });
  assert.equal((await look()).active, true);
  await call('POST', '/clock/advance', { ms: 600_000 });
  const { active, lastUpdatedAt } = await look();
  assert.deepEqual([active, lastUpdatedAt], [false, START + 60_000], 'at its own millisecond');
  assert.equal(await timestamp(), START + 659_999);
  // Its three days in the look-up window are exchange time as well.
  await call('POST', '/clock/advance', { ms: 4 * DAY_MS });
  assert.notEqual((await alice.get(`/api/v1/hf/orders/${id}?symbol=BTC-USDT`)).body.code, '200000');
});

test('requests can be signed by exchange time or by the wall clock, and take effect once either way', async (context) => {
  const { running, call } = await sandboxFor(context);
  await call('POST', '/clock/advance', { ms: 1000 });
  for (const now of [() => START + 1000, Date.now]) {
    const time = now();
    const client = new SignedClient(running.connection, 'alice', () => time);
    assert.equal((await client.place({ clientOid: String(time) })).body.code, '200000');
    assert.equal((await client.place({ clientOid: String(time) })).body.code, '400013', 'the same signature');
  }
  const far = new SignedClient(running.connection, 'alice', () => START + 3_600_000);
  assert.equal((await far.place({})).body.code, '400002');
});

test('rate-limit windows follow exchange time', async (context) => {
  const { running, call } = await sandboxFor(context, { quotas: '{"spot":3}' });
  const alice = new SignedClient(running.connection, 'alice');
  const codes = [];
  for (let i = 0; i < 4; i++)
    codes.push((await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT')).status);
  assert.equal(codes.at(-1), 429);
  await call('POST', '/clock/advance', { ms: 29_999 });
  assert.equal((await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT')).status, 429);
  await call('POST', '/clock/advance', { ms: 1 });
  assert.equal((await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT')).status, 200);
});

test('a restart continues at the time of the stop, and --time sets the time of the first start', async (context) => {
  const dir = makeDirectory(context);
  const first = await openSandbox(dir, { time: String(START + 5) });
  assert.equal((await first.call('POST', '/clock/advance', { ms: 1000 })).time, START + 1005);
  await first.close();
  const second = await openSandbox(dir);
  context.after(() => second.close());
  assert.equal((await second.call('GET', '/clock')).time, START + 1005);
});

test('the faucet and new users', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  assert.deepEqual(await call('POST', '/faucet', { user: 'alice', currency: 'BTC', amount: '0.00000001' }), {
    balance: '100.00000001',
  });
  const traded = { user: 'alice', currency: 'USDT', amount: '2.5', account: 'TRADE' };
  assert.deepEqual(await call('POST', '/faucet', traded), { balance: '1000002.5' });
  assert.deepEqual(await call('POST', '/faucet', traded), { balance: '1000005' });
  for (const [change, status] of [
    [{ user: 'nobody' }, 404],
    [{ currency: 'XXX' }, 404],
    [{ amount: '-1' }, 400],
    [{ amount: '0' }, 400],
    [{ amount: '1e3' }, 400],
    [{ account: 'margin' }, 400],
  ] as const) {
    assert.equal((await ask('POST', '/faucet', { ...traded, ...change })).status, status);
  }
  const dave = await call<Record<string, unknown>>('POST', '/users', {
    name: 'dave',
    balances: { USDT: '1000' },
  });
  const connection = { ...running.connection, users: [dave as never] };
  const client = new SignedClient(connection, 'dave');
  assert.equal((await client.place({ price: '1000', size: '0.5' })).body.code, '200000');
  assert.equal((await ask('POST', '/users', { name: 'dave' })).status, 409);
  assert.equal((await ask('POST', '/users', { name: 'erin', balances: { USDT: 'x' } })).status, 400);
  assert.equal(
    (await ask('POST', '/faucet', { ...traded, user: 'erin' })).status,
    404,
    'nothing was changed',
  );
});
