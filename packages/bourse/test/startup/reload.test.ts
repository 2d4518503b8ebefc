/** Tokens and settings change while a venue runs. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { loadSettings } from '../../src/config/load.ts';
import { makeLog } from '../../../api/src/gateway/http/log.ts';
import { startExchange } from '../../src/startup/start.ts';
import { openFor, Operator } from './exchange.ts';

const BIN = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));
const OLD = 'the-old-token-of-this-venue';
const NEW = 'the-new-token-of-this-venue';
const key = { BOURSE_SECRET_KEY: 'ab'.repeat(32) };
const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

test('a sandbox reads its settings only at its start', async (t) => {
  const { status, body } = await new Operator(await openFor(t)).post('/v1/reload', {});
  assert.deepEqual([status, (body as { code: string }).code], [409, 'reload-unavailable']);
});

test('a reloaded token file replaces the old token, and an invalid file changes nothing', async (t) => {
  const dir = makeDirectory(t);
  const operatorTokenFile = join(dir, 'token');
  writeFileSync(operatorTokenFile, OLD, { mode: 0o600 });
  const running = await openFor(t, { flags: { venue: true, operatorTokenFile }, env: key });
  const before = new Operator(running, withToken(OLD));
  const after = new Operator(running, withToken(NEW));

  writeFileSync(operatorTokenFile, 'short');
  const refused = await before.post('/v1/reload', {});
  assert.deepEqual([refused.status, (refused.body as { code: string }).code], [400, 'settings-wrong']);
  assert.match((refused.body as { msg: string }).msg, /operatorTokenFile/);
  assert.equal((await before.get('/v1/status')).status, 200);

  writeFileSync(operatorTokenFile, NEW);
  const reloaded = await before.post('/v1/reload', {});
  assert.deepEqual(reloaded, { status: 200, body: { changed: ['operatorToken'], restart: [] } });
  assert.equal((await before.get('/v1/status')).status, 401);
  assert.equal((await after.get('/v1/status')).status, 200);
  assert.deepEqual((await after.post('/v1/reload', {})).body, { changed: [], restart: [] });
  const rows = (await after.get('/v1/audit?limit=10')).body as { action: string; details: object }[];
  const noted = rows.filter(({ action }) => action === 'note-call');
  assert.deepEqual(
    noted.map(({ details }) => details),
    [{ noted: 'reload' }, { noted: 'reload' }],
  );
});

test('files of other secrets are reloaded, too', async (t) => {
  const dir = makeDirectory(t);
  const operatorReadTokenFile = join(dir, 'read-token');
  const smtpUrlFile = join(dir, 'smtp-url');
  writeFileSync(operatorReadTokenFile, OLD, { mode: 0o600 });
  writeFileSync(smtpUrlFile, 'smtp://127.0.0.1:1\n', { mode: 0o600 });
  const running = await openFor(t, { flags: { venue: true, operatorReadTokenFile, smtpUrlFile }, env: key });
  const before = new Operator(running, withToken(OLD));
  assert.equal((await before.get('/v1/status')).status, 200);
  assert.equal((await before.post('/v1/users', { name: 'somebody' })).status, 403);
  writeFileSync(operatorReadTokenFile, NEW);
  const reloaded = await new Operator(running).post('/v1/reload', {});
  assert.deepEqual(reloaded, { status: 200, body: { changed: ['operatorReadToken'], restart: [] } });
  writeFileSync(smtpUrlFile, 'smtp://127.0.0.1:2');
  const again = await new Operator(running).post('/v1/reload', {});
  assert.deepEqual(again, { status: 200, body: { changed: [], restart: ['smtpUrl'] } });
  assert.equal((await before.get('/v1/status')).status, 401);
  assert.equal((await new Operator(running, withToken(NEW)).get('/v1/status')).status, 200);
});

test('log lines of operator requests follow a reloaded log level', async (t) => {
  const lines: string[] = [];
  const log = makeLog('warn', { write: (line: string) => void lines.push(line) });
  const settingsOf = (logLevel: string) =>
    loadSettings({ flags: { venue: true, port: '0', data: `${dir}/data`, logLevel }, env: key }).settings;
  const dir = makeDirectory(t);
  let level = 'warn';
  const running = await startExchange(settingsOf(level), { log, reread: async () => settingsOf(level) });
  t.after(() => running.close());
  const operator = new Operator(running);
  const linesOf = async (path: string): Promise<number> => {
    await operator.get(path);
    return lines.filter((line) => line.includes(`"path":"/operator${path}"`)).length;
  };
  assert.equal(await linesOf('/v1/users'), 1, 'at the level of a venue');
  level = 'error';
  assert.equal((await operator.post('/v1/reload', {})).status, 200);
  assert.equal(await linesOf('/v1/users'), 1, 'no more of them');
  level = 'warn';
  assert.equal((await operator.post('/v1/reload', {})).status, 200);
  assert.equal(await linesOf('/v1/users'), 2);
});

test('SIGHUP without a terminal reads the settings file again, and names what needs a restart', async (t) => {
  const dir = makeDirectory(t);
  const config = join(dir, 'bourse.json');
  const settings = { venue: true, port: 0, data: join(dir, 'data'), operatorReadToken: OLD };
  writeFileSync(config, JSON.stringify(settings));
  // A separate session has no terminal.
  const child = spawn(process.execPath, [BIN, 'start', '--json', '--config', config], {
    env: { ...process.env, ...key, BOURSE_OPERATOR_TOKEN: 'the-token-that-stays-as-it-is' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  for await (const chunk of child.stdout) {
    out += String(chunk);
    if (out.endsWith('}\n')) break;
  }
  const { operatorUrl } = JSON.parse(out) as { operatorUrl: string };
  const statusWith = async (token: string): Promise<number> =>
    (await fetch(`${operatorUrl}/v1/status`, { headers: withToken(token) })).status;
  assert.equal(await statusWith(OLD), 200);

  writeFileSync(
    config,
    JSON.stringify({ ...settings, operatorReadToken: NEW, creditMax: { '*': '5' }, sessionMaxMs: 9e8 }),
  );
  child.kill('SIGHUP');
  while (!err.includes('reloaded')) await once(child.stderr, 'data');
  assert.match(err, /reloaded; changed: operatorReadToken, creditMax; need a restart: sessionMaxMs/);
  assert.deepEqual([await statusWith(OLD), await statusWith(NEW)], [401, 200]);

  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

test('SIGHUP during the start reloads when the venue is ready', async (t) => {
  const dir = makeDirectory(t);
  const connection = join(dir, 'connection.json');
  // The start removes this file when it has the directory, before it recovers.
  writeFileSync(connection, '{}');
  const args = ['--venue', '--port', '0', '--data', join(dir, 'data'), '--config-out', connection];
  const child = spawn(process.execPath, [BIN, 'start', '--json', ...args], {
    env: { ...process.env, ...key, BOURSE_OPERATOR_TOKEN: OLD },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  t.after(() => child.kill('SIGKILL'));
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = once(child, 'exit');
  while (existsSync(connection) && child.exitCode === null) await wait(1);
  child.kill('SIGHUP');
  while (!err.includes('reloaded') && child.exitCode === null && child.signalCode === null) await wait(20);
  assert.match(err, /reloaded; changed: nothing/, `ended by ${child.signalCode}`);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
