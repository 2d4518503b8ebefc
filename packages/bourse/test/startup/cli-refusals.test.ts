import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { test } from 'node:test';
import { OperatorClient } from '../../src/cli/operator-client.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openFor, Operator } from './exchange.ts';
import { run } from './process.ts';

test('a name or a token that is invalid in a header is rejected before anything is sent', async () => {
  const nowhere = ['--url', 'http://127.0.0.1:9/operator'];
  for (const by of ['Жан', 'Jean Luc', '', 'x'.repeat(65)]) {
    const { code, err } = await run(['users', 'list', '--by', by, ...nowhere]);
    assert.equal(code, 2, err);
    assert.match(err, /^--by: .*printable ASCII characters/);
  }
  const { code, err } = await run(['users', 'list', '--token', 'Жетон', ...nowhere]);
  assert.equal(code, 2, err);
  assert.match(err, /^The operator token /);
  assert.doesNotMatch(err, /Жетон/);
});

test('a tier that is not a number from 0 to 12 is rejected and changes nothing', async (t) => {
  const running = await openFor(t);
  const file = `${makeDirectory(t)}/connection.json`;
  writeFileSync(file, JSON.stringify(running.connection));
  const operator = new Operator(running);
  await operator.post('/v1/users/carol', { tier: 5 });
  for (const tier of ['', ' ', '0x1', '13', '1.0']) {
    const { code, err } = await run(['users', 'tier', 'carol', tier, '--reason', 'test', '--connect', file]);
    assert.equal(code, 2, err);
    assert.match(err, /^tier: '.*' is not an integer from 0 to 12\.$/m);
  }
  assert.equal(((await operator.get('/v1/users/carol')).body as { tier: number }).tier, 5);
});

test('a process whose user id has no name signs with the number', async (t) => {
  const running = await openFor(t);
  t.mock.method(os, 'userInfo', () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const { operatorUrl: url, operatorToken: token } = running.connection;
  const client = await OperatorClient.open({ url, token });
  await client.post('/v1/users', { name: 'dave', reason: 'test' });
  const [entry] = (await client.get('/v1/audit?limit=1')) as { by: string }[];
  assert.equal(JSON.stringify(entry).includes(`"uid-${process.getuid?.()}"`), true, JSON.stringify(entry));
});

test('a connection file that is not JSON is rejected without printing a part of its token', async (t) => {
  const file = `${makeDirectory(t)}/connection.json`;
  writeFileSync(file, '{\n  "operatorToken": canary-canary\n}\n');
  const { code, err } = await run(['users', 'list', '--connect', file]);
  assert.equal(code, 2, err);
  assert.match(err, /: not JSON from line 2, column 20 on\.$/m);
  assert.doesNotMatch(err, /canary/);
});

test('a connection file without an address is rejected, because the command would go to another exchange', async (t) => {
  const file = `${makeDirectory(t)}/connection.json`;
  for (const text of ['{}', 'null', '[]', '{"nodes":[]}', '{"operatorToken":"x"}']) {
    writeFileSync(file, text);
    const { code, err } = await run(['users', 'list', '--connect', file]);
    assert.equal(code, 2, err);
    assert.match(err, /: no operatorUrl in it; give a file that /);
  }
});

test('the error for a wrong token says where the right one comes from', async (t) => {
  const token = 'a-token-of-this-exchange-alone';
  const { connection } = await openFor(t, { env: { BOURSE_OPERATOR_TOKEN: token } });
  const ask = (...args: string[]) => run(['users', 'list', '--url', connection.operatorUrl, ...args]);
  assert.match(
    (await ask()).err,
    /^This is not the operator token\. None was given, .* BOURSE_OPERATOR_TOKEN/,
  );
  assert.match(
    (await ask('--token', 'x')).err,
    /^This is not the operator token\. Give the token that this /,
  );
  assert.equal((await ask('--token', token)).code, 0);
});

test('the connection file of a cluster leads to its first node', async (t) => {
  const { connection } = await openFor(t);
  const { operatorUrl, operatorToken } = connection;
  const file = `${makeDirectory(t)}/cluster.json`;
  writeFileSync(file, JSON.stringify({ nodes: [{ name: 'n1', operatorUrl }], operatorToken }));
  const { code, out, err } = await run(['users', 'list', '--connect', file]);
  assert.equal(code, 0, err);
  assert.match(out, /alice-sub/);
});

test('a venue rejects a sandbox command and says that it is a venue', async (t) => {
  const env = {
    BOURSE_SECRET_KEY: '5a'.repeat(32),
    BOURSE_OPERATOR_TOKEN: 'a-token-of-a-venue-for-this-test',
  };
  const { connection } = await openFor(t, { flags: { venue: true }, env });
  const { baseUrl, operatorToken: token } = connection;
  const { code, err } = await run(['sandbox', 'show', '--url', baseUrl, '--token', token]);
  assert.equal(code, 1, err);
  assert.match(err, /is not a sandbox on one machine: venues and clusters have no control API\.$/m);
});

test('tools for a stopped exchange say what to do about a running one, and which records exist', async (t) => {
  const data = makeDirectory(t);
  const running = await openFor(t, { data });
  for (const tool of [['ledger', 'check'], ['snapshot'], ['fork', '--at', '1']]) {
    const { code, err } = await run([...tool, data]);
    assert.equal(code, 4, err);
    assert.match(err, /in use by another process\. Stop that one first, or name a copy that was made while /);
  }
  await running.close();
  const { code, err } = await run(['fork', data, '--at', '999999']);
  assert.equal(code, 2, err);
  assert.match(err, /^Record 999999 is not in the log: the newest is \d+\.$/m);
});

test('a change without fields is rejected, and leaves no command in the audit trail', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const [key] = (await operator.get('/v1/users/carol/keys')).body as {
    apiKey: string;
    permissions: string[];
  }[];
  const audit = async () => (await operator.get('/v1/audit?limit=1')).body;
  const before = await audit();
  for (const path of [`keys/${key.apiKey}`, 'symbols/BTC-USDT', 'currencies/BTC', 'users/carol', 'limits']) {
    const { status, body } = await operator.post(`/v1/${path}`, {});
    assert.equal(status, 400, path);
    assert.match(JSON.stringify(body), /nothing-to-change.*Nothing to change\. Give at least one of /);
  }
  const connect = ['--url', running.connection.operatorUrl, '--reason', 'test'];
  for (const command of [
    ['change', key.apiKey],
    ['add', 'carol'],
  ]) {
    const { code, err } = await run(['keys', ...command, '--permissions', '', ...connect]);
    assert.equal(code, 2, err);
    assert.match(err, /^--permissions: name at least one of General,Spot,FlexTransfers,Withdrawal\.$/m);
  }
  assert.deepEqual(await audit(), before);
});

test('tools for a log report an unknown user, symbol or record before they print anything', async (t) => {
  const data = makeDirectory(t);
  await openFor(t, { data });
  for (const [args, said] of [
    [['log', 'dump', data, '--user', 'nobody'], /^Unknown user 'nobody' in .*\. Give a number or a name\.$/m],
    [['log', 'dump', data, '--user', '99999'], /^Unknown user '99999' in /m],
    [
      ['log', 'dump', data, '--symbol', 'WRONG'],
      /^Unknown symbol 'WRONG' in .*\. Expected one of: BTC-USDT, /m,
    ],
    [['log', 'dump', data, '--from', '99999'], /^Record 99999 is not in the log: the newest is \d+\.$/m],
    [['log', 'dump', data, '--from', '5', '--to', '3'], /^No record from 5 to 3\.$/m],
    [
      ['export', data, 'trades', '--symbol', 'WRONG'],
      /^Unknown symbol 'WRONG' in .*\. Expected one of: BTC-USDT, /m,
    ],
  ] as const) {
    assert.deepEqual(await run(args).then(({ code, out, err }) => [code, out, said.test(err) || err]), [
      2,
      '',
      true,
    ]);
  }
  const { out } = await run(['export', data, 'trades', '--symbol', 'BTC-USDT']);
  assert.match(out, /^exchange,symbol,[^\n]*\n$/, 'the head alone, where nothing was traded');
});
