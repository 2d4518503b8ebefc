import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { WebSocket } from 'ws';
import { SignedClient } from './client.ts';
import { openSandbox, sandboxFor, sandboxOf, type TestSandbox } from './exchange.ts';
import { makeScript, play } from './script.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const ROUNDS = ofSize(6, 60);
const HOUR_MS = 3_600_000;

const PUBLIC = [
  '/api/v1/timestamp',
  '/api/v1/market/allTickers',
  '/api/v1/market/stats?symbol=BTC-USDT',
  '/api/v1/market/histories?symbol=BTC-USDT',
  '/api/v1/market/orderbook/level2_100?symbol=BTC-USDT',
  '/api/v1/market/orderbook/level1?symbol=ETH-USDT',
  '/api/v1/market/candles?symbol=BTC-USDT&type=1min',
];
const PRIVATE = [
  '/api/v1/accounts',
  '/api/v1/hf/orders/active?symbol=BTC-USDT',
  '/api/v1/hf/orders/done?symbol=BTC-USDT',
  '/api/v1/hf/fills?symbol=BTC-USDT',
  '/api/v1/accounts/ledgers',
  '/api/v3/market/orderbook/level2?symbol=BTC-USDT',
];

/** Everything that anybody can see of it, and the state's own hash. */
async function viewOf({ running }: TestSandbox): Promise<string[]> {
  const { connection, engine } = running;
  const seen: string[] = [await engine.read((exchange) => exchange.hash())];
  for (const path of PUBLIC) seen.push(await (await fetch(connection.baseUrl + path)).text());
  for (const name of ['alice', 'bob', 'carol']) {
    const client = new SignedClient(connection, name);
    for (const path of PRIVATE) seen.push((await client.get(path)).text);
  }
  return seen;
}

test(`promise 21: a restore brings back the exact state, ${ROUNDS} times`, async (context) => {
  const sandbox = await sandboxFor(context, { quotas: '{"spot":1000000,"public":1000000}' });
  for (let round = 0; round < ROUNDS; round++) {
    await play(sandbox, makeScript(2 * round + 1, 6, 2 * HOUR_MS));
    const before = await viewOf(sandbox);
    const { id, seq, time } = await sandbox.call('POST', '/snapshots');
    await play(sandbox, makeScript(2 * round + 2, 5, 5 * HOUR_MS));
    const restored = await sandbox.call('POST', `/snapshots/${id}/restore`);
    assert.deepEqual(restored, { seq, time });
    assert.deepEqual(await viewOf(sandbox), before, `round ${round}`);
    await sandbox.call('DELETE', `/snapshots/${id}`);
  }
});

test('a restore closes sockets with 1012, and no response shows anything later than the snapshot', async (context) => {
  const { running, call } = await sandboxFor(context, { quotas: '{"spot":9}' });
  const alice = new SignedClient(running.connection, 'alice');
  const ask = async () => (await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT')).status;
  const untilRefused = async () => {
    for (let answered = 0; ; answered++) if ((await ask()) !== 200) return answered;
  };
  await ask();
  const { id } = await call('POST', '/snapshots', { name: 'before' });
  const left = await untilRefused();
  assert.ok(left > 0);
  const bullet = (await (
    await fetch(`${running.connection.baseUrl}/api/v1/bullet-public`, { method: 'POST' })
  ).json()) as { data: { token: string; instanceServers: { endpoint: string }[] } };
  const { token, instanceServers } = bullet.data;
  const socket = new WebSocket(`${instanceServers[0]!.endpoint}?token=${token}`);
  await new Promise((resolve) => socket.once('message', resolve));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const first = running.engine;
  const late = submit(first, { kind: 'add-user', name: 'nobody' }).then(
    () => 'answered',
    (error: Error) => error.name,
  );
  await call('POST', `/snapshots/${id}/restore`);
  assert.equal(await closed, 1012);
  assert.ok(['answered', 'Unavailable'].includes(await late));
  await assert.rejects(submit(first, { kind: 'add-user', name: 'x' }), { name: 'Unavailable' });
  assert.equal(await untilRefused(), left, 'windows are as they were');
  assert.equal(await running.engine.read(({ reference }) => reference.users.length), 4);
});

test('later snapshots stay, and a restart continues from the restored state', async (context) => {
  const dir = makeDirectory(context);
  const first = await openSandbox(dir);
  const faucet = { user: 'alice', currency: 'USDT', amount: '1' };
  const early = await first.call('POST', '/snapshots', { name: 'early' });
  await first.call('POST', '/faucet', faucet);
  await first.call('POST', '/clock/advance', { ms: 1000 });
  const late = await first.call('POST', '/snapshots', { name: 'late' });
  await first.call('POST', `/snapshots/${early.id}/restore`);
  await assert.rejects(openSandbox(dir), { name: 'DirectoryInUse' });
  await first.close();
  assert.ok(!existsSync(`${dir}/sandbox/worlds`), 'the world is where everybody expects it');
  const second = await openSandbox(dir);
  assert.deepEqual(
    [(await second.call('GET', '/')).seq, (await second.call('GET', '/clock')).time],
    [early.seq, early.time],
  );
  assert.equal((await second.call<object[]>('GET', '/snapshots')).length, 2);
  await second.call('POST', `/snapshots/${late.id}/restore`);
  const { clock, seq } = await second.call<{ clock: { time: number }; seq: number }>('GET', '/');
  assert.deepEqual([seq, clock.time], [late.seq, late.time]);
  assert.deepEqual(await second.call('POST', '/faucet', faucet), { balance: '1000002' });
  await second.close();
});

test('a restore that fails half-way leaves the exchange unchanged', async (context) => {
  const sandbox = await sandboxFor(context);
  const { call, ask, dir } = sandbox;
  const { id } = await call('POST', '/snapshots');
  await call('POST', '/faucet', { user: 'alice', currency: 'USDT', amount: '1' });
  const before = await viewOf(sandbox);
  const data = `${dir}/sandbox/snapshots/${id}/data`;
  const [segment] = readdirSync(`${data}/log`);
  chmodSync(`${data}/log/${segment}`, 0o600);
  writeFileSync(`${data}/log/${segment}`, 'no log at all');
  assert.equal((await ask('POST', `/snapshots/${id}/restore`)).status, 409);
  assert.deepEqual(await viewOf(sandbox), before);
  rmSync(`${dir}/sandbox/snapshots/${id}`, { recursive: true });
  assert.equal((await ask('POST', `/snapshots/${id}/restore`)).status, 404);
  assert.equal((await ask('POST', '/forks', { from: 's99' })).status, 404);
  for (const from of [0, 999_999]) assert.equal((await ask('POST', '/forks', { from })).status, 404);
  for (const body of [{ clock: 'fast' }, { port: 70_000 }, { from: -1 }]) {
    assert.equal((await ask('POST', '/forks', body)).status, 400, JSON.stringify(body));
  }
  assert.deepEqual(await viewOf(sandbox), before);
});

test('a fork is a separate exchange: changes in one are not visible in the other', async (context) => {
  const origin = await sandboxFor(context);
  await play(origin, makeScript(5, 10, HOUR_MS));
  const { id } = await origin.call('POST', '/snapshots');
  const before = await viewOf(origin);
  const made = await origin.call<{ id: string }>('POST', '/forks', { from: id });
  const fork = sandboxOf({ ...origin.running, connection: made as never }, '');
  await origin.call('POST', '/faults', { effect: { kind: 'html' } });
  await origin.call('DELETE', '/faults');
  assert.deepEqual(await fork.call('GET', '/faults'), []);
  assert.deepEqual(await fork.call('GET', '/snapshots'), []);
  const asked = await fork.call('GET', '/');
  await play(fork, makeScript(6, 10, HOUR_MS));
  assert.notEqual((await fork.call('GET', '/')).seq, asked.seq);
  assert.deepEqual(await viewOf(origin), before);
  // Nor in the snapshot that it started from: restoring or forking that again gives the original state.
  await origin.call('POST', `/snapshots/${id}/restore`);
  assert.deepEqual(await viewOf(origin), before);
  assert.equal((await origin.call<object[]>('GET', '/forks')).length, 1);
  await origin.call('DELETE', `/forks/${made.id}`);
  await assert.rejects(fork.call('GET', '/'));
  assert.ok(!existsSync(`${origin.dir}/sandbox/forks/${made.id}`));
  assert.equal((await origin.ask('DELETE', `/forks/${made.id}`)).status, 404);
});

test('after a restore, earlier feed tokens are valid, and all expire by the time of the restored clock', async (context) => {
  const { running, call } = await sandboxFor(context);
  const bullet = async (): Promise<string> => {
    const reply = await fetch(`${running.connection.baseUrl}/api/v1/bullet-public`, { method: 'POST' });
    const { data } = (await reply.json()) as {
      data: { token: string; instanceServers: { endpoint: string }[] };
    };
    return `${data.instanceServers[0]!.endpoint}?token=${data.token}`;
  };
  const greeting = async (url: string): Promise<string> => {
    const socket = new WebSocket(url);
    const text = await new Promise<string>((resolve) => {
      socket.once('message', (bytes) => resolve(String(bytes)));
    });
    socket.terminate();
    const { type, data } = JSON.parse(text) as { type: string; data?: string };
    return data ?? type;
  };
  const { id } = await call('POST', '/snapshots');
  await call('POST', '/clock/advance', { ms: HOUR_MS });
  const earlier = await bullet();
  await call('POST', `/snapshots/${id}/restore`);
  const later = await bullet();
  assert.deepEqual([await greeting(earlier), await greeting(later)], ['welcome', 'welcome']);
  await call('POST', '/clock/advance', { ms: 24 * HOUR_MS });
  assert.deepEqual([await greeting(earlier), await greeting(later)], ['welcome', 'token is expired']);
  await call('POST', '/clock/advance', { ms: HOUR_MS });
  assert.equal(await greeting(earlier), 'token is expired');
});
