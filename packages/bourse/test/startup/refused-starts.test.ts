import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Exchange } from '@bourse/core';
import { hasSandboxUsers, SANDBOX_SECRET_KEY, seedCommands } from '../../../sandbox/src/seed.ts';
import { KEYS, SANDBOX_OPERATOR_TOKEN } from '../../../sandbox/src/users.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { open, openFor, Operator } from './exchange.ts';
import { run, serve } from './process.ts';

const SECRET_KEY = '0123456789abcdef'.repeat(4);
const VENUE = { venue: true };
const TOKEN = 'a-token-of-this-venue-alone';
/** Without a market, which would take longer than the test itself. */
const QUIET = ['start', '--port', '0', '--market', 'quiet'];

describe('a venue rejects the published keys and tokens of a sandbox', () => {
  test('its secret key and its operator token, from any source, and starts nothing', async (t) => {
    const dir = makeDirectory(t);
    writeFileSync(`${dir}/key`, `${SANDBOX_SECRET_KEY.toUpperCase()}\n`);
    writeFileSync(`${dir}/token`, SANDBOX_OPERATOR_TOKEN);
    const key = { BOURSE_SECRET_KEY: SECRET_KEY };
    const published = SANDBOX_OPERATOR_TOKEN;
    const cases: [RegExp, Record<string, string>, Record<string, string>][] = [
      [/^SecretUnfit: secretKey: .*openssl rand/, {}, { BOURSE_SECRET_KEY: SANDBOX_SECRET_KEY }],
      [/^SecretUnfit: secretKey: .*openssl rand/, { secretKeyFile: `${dir}/key` }, {}],
      [/^SecretUnfit: operatorToken: .*openssl rand/, {}, { ...key, BOURSE_OPERATOR_TOKEN: published }],
      [/^SecretUnfit: operatorToken: .*openssl rand/, { operatorTokenFile: `${dir}/token` }, key],
      [/^SecretUnfit: operatorReadToken: .*published/, {}, { ...key, BOURSE_OPERATOR_READ_TOKEN: published }],
    ];
    for (const [sentence, flags, env] of cases) {
      const opening = openFor(t, { data: `${dir}/data`, flags: { ...VENUE, ...flags }, env });
      await assert.rejects(opening, sentence);
    }
    assert.ok(!existsSync(`${dir}/data`), 'no directory is left behind');
  });

  test('its directory, even if the published keys were removed', async (t) => {
    const data = makeDirectory(t);
    const sandbox = await open({ data });
    const operator = new Operator(sandbox);
    for (const { apiKey } of KEYS) {
      const { status } = await operator.send('DELETE', `/v1/keys/${apiKey}?reason=test`);
      assert.equal(status, 200);
    }
    await sandbox.close();
    const env = { BOURSE_SECRET_KEY: SECRET_KEY };
    await assert.rejects(openFor(t, { data, flags: VENUE, env }), /holds a sandbox/);
  });

  test('its directory, even if its seeding was interrupted, but not a venue with the same currencies', () => {
    const commands = seedCommands(() => 'sealed');
    const after = (kind: string): Exchange => {
      const exchange = new Exchange();
      const until = commands.findLastIndex((command) => command.kind === kind) + 1;
      exchange.apply({ seq: 1, time: 1, commands: commands.slice(0, until) });
      return exchange;
    };
    const begun = (['add-user', 'report-deposit', 'add-key'] as const).map((kind) =>
      hasSandboxUsers(after(kind)),
    );
    assert.deepEqual(begun, [true, true, true]);
    assert.equal(hasSandboxUsers(after('add-symbol')), false);
    assert.equal(hasSandboxUsers(new Exchange()), false);
    const venue = new Exchange();
    const customer = { kind: 'add-user', name: 'alice', by: 'operator', why: 'a customer' } as const;
    venue.apply({ seq: 1, time: 1, commands: [commands[0], commands[1], customer] });
    assert.equal(hasSandboxUsers(venue), false, 'BTC, ETH and a customer called alice');
  });
});

test('a read token equal to the operator token is rejected, in a venue and in a sandbox', async (t) => {
  const same = { BOURSE_OPERATOR_TOKEN: TOKEN, BOURSE_OPERATOR_READ_TOKEN: TOKEN };
  const wrong = /operatorReadToken: it is the same as operatorToken/;
  await assert.rejects(openFor(t, { env: same }), wrong);
  await assert.rejects(openFor(t, { env: { BOURSE_OPERATOR_READ_TOKEN: SANDBOX_OPERATOR_TOKEN } }), wrong);
  const env = { ...same, BOURSE_SECRET_KEY: SECRET_KEY };
  await assert.rejects(openFor(t, { flags: VENUE, env }), wrong);
});

test('a key that is outside the data directory only by a link counts as inside', async (t) => {
  const dir = makeDirectory(t);
  mkdirSync(`${dir}/data`);
  writeFileSync(`${dir}/data/key`, SECRET_KEY);
  symlinkSync(`${dir}/data`, `${dir}/linked`);
  symlinkSync(`${dir}/data/key`, `${dir}/key`);
  const inside = /inside the data directory/;
  const from = (data: string, secretKeyFile: string) =>
    openFor(t, { data, flags: { ...VENUE, secretKeyFile } });
  await assert.rejects(from(`${dir}/data`, `${dir}/linked/key`), inside);
  await assert.rejects(from(`${dir}/data`, `${dir}/key`), inside);
  await assert.rejects(from(`${dir}/linked`, `${dir}/data/key`), inside);
  // The directory does not exist yet, but its parent does.
  mkdirSync(`${dir}/data/key-dir`);
  writeFileSync(`${dir}/data/key-dir/key`, 'not a key');
  await assert.rejects(from(`${dir}/linked/new`, `${dir}/data/key-dir/key`), /does not hold 64 hex digits/);
});

test('a venue whose key file is missing leaves no directory behind', async (t) => {
  const dir = makeDirectory(t);
  const { code, err } = await run([
    'start',
    '--venue',
    '--port',
    '0',
    '--data',
    `${dir}/data`,
    '--secret-key-file',
    `${dir}/none`,
  ]);
  assert.equal(code, 2, err);
  assert.match(err, /^secretKeyFile: /);
  assert.deepEqual(readdirSync(dir), []);
});

describe('an unusable listen address is reported as a wrong setting, not as a damaged directory', () => {
  for (const host of ['192.0.2.77', 'no-such-name.invalid']) {
    test(host, async (t) => {
      const { code, err } = await run([...QUIET, '--host', host, '--data', makeDirectory(t)]);
      assert.equal(code, 2, err);
      assert.match(err, /cannot be used \([A-Z_]+\)\. .*--host/);
      assert.doesNotMatch(err, /\n {4}at /);
    });
  }
});

describe('the connection file', () => {
  test('of a running service is kept when a second start fails', async (t) => {
    const dir = makeDirectory(t);
    const args = ['--data', `${dir}/data`, '--config-out', `${dir}/connection.json`];
    const { connection } = await serve(t, args);
    const second = await run([...QUIET, ...args]);
    assert.equal(second.code, 4, second.err);
    assert.deepEqual(JSON.parse(readFileSync(`${dir}/connection.json`, 'utf8')), connection);
  });

  test('that cannot be written ends the service with an error message', async (t) => {
    const dir = makeDirectory(t);
    // A valid name, but too long with the suffix of its temporary file.
    const path = `${dir}/${'c'.repeat(254)}`;
    const { code, err, out } = await run([...QUIET, '--data', `${dir}/data`, '--config-out', path]);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, /^configOut: .* cannot be written \(.* \(ENAMETOOLONG\)\),.*--config-out/);
    assert.doesNotMatch(err, /\n {4}at /);
    // It was closed, not dropped: another may have the directory.
    await (await open({ data: `${dir}/data` })).close();
  });

  test('that is a directory ends the start before anything is served', async (t) => {
    const dir = makeDirectory(t);
    const files = ['--data', `${dir}/data`, '--config-out', dir];
    const { code, err, out } = await run([...QUIET, ...files]);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, /^configOut: .* cannot be removed /);
    assert.deepEqual(readdirSync(dir), ['data']);
  });

  test('names an address that serves operators, even behind a proxy', async (t) => {
    const publicUrl = 'https://exchange.example';
    const behind = await openFor(t, { flags: { publicUrl } });
    assert.equal(behind.connection.baseUrl, publicUrl);
    assert.match(behind.connection.operatorUrl, /^http:\/\/127\.0\.0\.1:\d+\/operator$/);
    assert.equal((await new Operator(behind).get('/v1/status')).status, 200);
    const remote = await openFor(t, { flags: { publicUrl, operatorRemote: true } });
    assert.equal(remote.connection.operatorUrl, `${publicUrl}/operator`);
  });
});

test('a cap for an unknown currency causes a warning', async (t) => {
  const lines: string[] = [];
  const flags = { creditMax: '{"*":"5","BTC":"1","btc":"2"}' };
  await openFor(t, { flags, logLines: (line) => lines.push(line) });
  const warned = lines.filter((line) => line.includes('creditMax'));
  assert.equal(warned.length, 1);
  assert.match(warned[0], /unknown currency 'btc'/);
});
