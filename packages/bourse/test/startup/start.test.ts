import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { open } from './exchange.ts';
import { banner, run, serve } from './process.ts';

const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '10000', size: '0.01' };
const SECRET_KEY = '0123456789abcdef'.repeat(4);

test('start --config-out writes what a client needs to a file that only its owner can read', async (t) => {
  const dir = makeDirectory(t);
  const served = await serve(t, ['--data', `${dir}/data`, '--config-out', `${dir}/out/connection.json`]);
  const path = `${dir}/out/connection.json`;
  const file = JSON.parse(readFileSync(path, 'utf8')) as typeof served.connection;
  assert.deepEqual(file, served.connection);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const { baseUrl, compatUrl, operatorUrl, operatorToken, users } = file;
  assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.deepEqual([compatUrl, operatorUrl], [`${baseUrl}/compat`, `${baseUrl}/operator`]);
  assert.ok(operatorToken.length >= 24);
  assert.deepEqual(
    users.map(({ name, parent, permissions }) => [name, parent, permissions.join(' ')]),
    [
      ['alice', null, 'General Spot FlexTransfers Withdrawal'],
      ['bob', null, 'General Spot FlexTransfers Withdrawal'],
      ['carol', null, 'General Spot FlexTransfers Withdrawal'],
      ['alice-sub', 'alice', 'General Spot FlexTransfers'],
      ['alice-viewer', null, 'General'],
    ],
  );
  assert.equal(users[4].userId, users[0].userId);
  for (const user of users) {
    assert.deepEqual(Object.keys(user), [
      'name',
      'userId',
      'parent',
      'apiKey',
      'apiSecret',
      'apiPassphrase',
      'permissions',
    ]);
    const reply = await new Client(baseUrl, user.name).get('/api/v1/accounts');
    assert.equal(reply.status, 200, `${user.name}: ${reply.text}`);
  }
  assert.equal((await served.stop('SIGTERM')).code, 0);
});

test('after SIGTERM under load, every acknowledged order exists after the next start', async (t) => {
  const data = makeDirectory(t);
  const first = await serve(t, ['--data', data]);
  const alice = new Client(first.connection.baseUrl, 'alice');
  const answered: string[] = [];
  let refused = 0;
  const place = async (worker: number): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      try {
        const reply = await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: `o-${worker}-${i}` });
        if (reply.json.code === '200000') answered.push((reply.json.data as { orderId: string }).orderId);
        else refused++;
      } catch {
        refused++;
      }
    }
  };
  const placing = Promise.all([0, 1, 2, 3].map(place));
  while (answered.length < 20 && answered.length + refused < 160)
    await new Promise((resolve) => setTimeout(resolve, 1));
  const ended = await first.stop('SIGTERM');
  await placing;
  assert.equal(ended.code, 0, ended.err);
  assert.match(ended.err, /^stopping/);
  assert.ok(answered.length >= 20);

  const second = await serve(t, ['--data', data]);
  const again = new Client(second.connection.baseUrl, 'alice');
  for (const id of answered) {
    const reply = await again.get(`/api/v1/hf/orders/${id}?symbol=BTC-USDT`);
    assert.equal((reply.json.data as { id?: string }).id, id, reply.text);
  }
  t.diagnostic(`${answered.length} answered, ${refused} cut off or refused`);
  assert.deepEqual(second.connection.users, first.connection.users);
  assert.equal((await second.stop('SIGINT')).code, 0);
});

test('a restart keeps trades, balances, open orders and the audit trail', async (t) => {
  const data = makeDirectory(t);
  const look = async ({ connection }: RunningExchange): Promise<unknown[]> => {
    const alice = new Client(connection.baseUrl, 'alice');
    const paths = [
      '/api/v1/market/histories?symbol=BTC-USDT',
      '/api/v1/market/orderbook/level1?symbol=BTC-USDT',
      '/api/v1/accounts',
      '/api/v1/hf/orders/client-order/rest?symbol=BTC-USDT',
      '/api/v1/hf/orders/client-order/done?symbol=BTC-USDT',
      '/api/v1/trade-fees?symbols=BTC-USDT,ETH-BTC',
    ];
    const seen: unknown[] = [];
    for (const path of paths) seen.push((await alice.get(path)).json);
    const headers = { authorization: `Bearer ${connection.operatorToken}` };
    for (const path of ['/v1/audit?limit=500', '/v1/ledger', '/v1/users']) {
      seen.push(await (await fetch(connection.operatorUrl + path, { headers })).json());
    }
    return seen;
  };
  const first = await open({ data });
  const [alice, bob] = ['alice', 'bob'].map((name) => new Client(first.connection.baseUrl, name));
  await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'rest', size: '0.03' });
  await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'done', price: '10001' });
  await bob.post('/api/v1/hf/orders', { ...ORDER, side: 'sell', size: '0.02' });
  const before = await look(first);
  assert.equal((before[0] as unknown[]).length, 2);
  await first.close();
  const second = await open({ data });
  t.after(() => second.close());
  assert.deepEqual(await look(second), before);
});

test('a signal that arrives twice, from the terminal and from npm, counts once', async (t) => {
  const served = await serve(t, ['--data', makeDirectory(t)]);
  served.signal('SIGINT');
  served.signal('SIGINT');
  served.signal('SIGTERM');
  const { code, err } = await served.ended;
  assert.equal(code, 0, err);
});

test('a second signal ends at once', async (t) => {
  const served = await serve(t, ['--data', makeDirectory(t)]);
  // It does not stop while it answers a request, and this one never ends.
  const socket = connect(Number(new URL(served.connection.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  socket.write('POST /api/v1/hf/orders HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n{');
  await new Promise((resolve) => setTimeout(resolve, 200));
  served.signal('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  served.signal('SIGINT');
  const { code } = await served.ended;
  // Where the first was faster than the second, it ended well.
  assert.ok(code === 130 || code === 0, `exit code ${code}`);
});

test('a directory in use and a port in use are reported in one sentence', async (t) => {
  const data = makeDirectory(t);
  await serve(t, ['--data', data]);
  const taken = await run(['start', '--port', '0', '--data', data]);
  assert.equal(taken.code, 4);
  assert.match(taken.err, /in use by another process/);

  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const dir = makeDirectory(t);
  writeFileSync(`${dir}/connection.json`, '{"of":"an earlier start"}');
  const files = ['--data', `${dir}/data`, '--config-out', `${dir}/connection.json`];
  const busy = await run(['start', '--port', String(port), ...files]);
  assert.ok(!existsSync(`${dir}/connection.json`), 'nobody takes the old connection file for a new one');
  assert.equal(busy.code, 2);
  assert.match(busy.err, new RegExp(`127\\.0\\.0\\.1:${port} is in use`));
});

test('the banner shows what a user needs, and that this is a sandbox', async (t) => {
  const data = makeDirectory(t);
  const said = await banner(t, ['--data', data]);
  for (const part of [
    /SANDBOX/,
    /http:\/\/127\.0\.0\.1:\d+\/compat/,
    /\/operator/,
    /65a0b0c0d0e0f00000a11ce1/,
    /operator token: /,
  ]) {
    assert.match(said, part);
  }
  assert.ok(said.includes(data));
});

test('a new venue has no users, shows its token once, and encrypts keys with an external key', async (t) => {
  const dir = makeDirectory(t);
  const data = `${dir}/data`;
  const keyFile = `${dir}/key`;
  writeFileSync(keyFile, `${SECRET_KEY}\n`);
  const flags = { venue: true, secretKeyFile: keyFile };
  const first = await open({ data, flags });
  assert.deepEqual([first.isSandbox, first.isTokenNew, first.connection.users], [false, true, []]);
  const call = (path: string, body?: object) =>
    fetch(first.connection.operatorUrl + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${first.connection.operatorToken}`,
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify({ reason: 'a test', ...body }) } : {}),
    });
  assert.deepEqual(await (await call('/v1/users')).json(), []);
  assert.deepEqual(await (await call('/v1/symbols')).json(), []);
  await call('/v1/users', { name: 'ann' });
  const key = await (await call('/v1/users/ann/keys', { permissions: ['General'] })).json();
  assert.equal(typeof (key as { apiSecret: unknown }).apiSecret, 'string');
  await first.close();

  const second = await open({ data, flags, env: { BOURSE_OPERATOR_TOKEN: 'given-given-given-given-given' } });
  assert.deepEqual(
    [second.isTokenNew, second.connection.operatorToken],
    [false, 'given-given-given-given-given'],
  );
  await second.close();

  writeFileSync(keyFile, 'f'.repeat(64));
  await assert.rejects(open({ data, flags }), /encrypted with a different secret/);
  await assert.rejects(open({ data }), /is not a sandbox/);
});

test('a venue rejects the directory of a sandbox, and a key inside its own directory', async (t) => {
  const dir = makeDirectory(t);
  const data = `${dir}/data`;
  await (await open({ data })).close();
  const env = { BOURSE_SECRET_KEY: SECRET_KEY };
  await assert.rejects(open({ data, flags: { venue: true }, env }), /holds a sandbox/);
  writeFileSync(`${data}/key`, SECRET_KEY);
  const inside = { venue: true, secretKeyFile: `${data}/key` };
  await assert.rejects(open({ data, flags: inside }), /inside the data directory/);
  writeFileSync(`${dir}/key`, 'not a key');
  const rubbish = { venue: true, secretKeyFile: `${dir}/key` };
  await assert.rejects(open({ data: `${dir}/other`, flags: rubbish }), /does not hold 64 hex digits/);
});

test('a start names a secret file that everybody can read, with the command that fixes it', {
  skip: process.platform === 'win32' && 'Windows has no modes of files',
}, async (t) => {
  const dir = makeDirectory(t);
  const secretKeyFile = `${dir}/key`;
  const operatorTokenFile = `${dir}/token`;
  writeFileSync(secretKeyFile, SECRET_KEY);
  writeFileSync(operatorTokenFile, 'given-given-given-given-given');
  const flags = { venue: true, secretKeyFile, operatorTokenFile };
  const warned = async (mode: number): Promise<string> => {
    for (const path of [secretKeyFile, operatorTokenFile]) chmodSync(path, mode);
    const said: string[] = [];
    await (await open({ data: `${dir}/data`, flags, logLines: (line) => said.push(line) })).close();
    return said.filter((line) => line.includes('every user')).join('');
  };
  assert.equal(await warned(0o600), '');
  assert.equal(await warned(0o640), '', 'a group may be meant to read it');
  const said = await warned(0o644);
  assert.ok(
    said.includes(`secretKeyFile: every user of this machine may read ${secretKeyFile}. Run \`chmod o= `),
  );
  assert.ok(said.includes(`operatorTokenFile: every user of this machine may read ${operatorTokenFile}. `));
  assert.ok(!said.includes(SECRET_KEY) && !said.includes('given-given'));
});
