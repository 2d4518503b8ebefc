/** Logs and counts of operators' requests, and the response to guessed tokens. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFor, Operator } from './exchange.ts';

const TOKEN = 'a-token-of-a-venue-for-this-test';
const READ_TOKEN = 'a-token-that-only-reads-for-this-test';
const ENV = {
  BOURSE_SECRET_KEY: 'ab'.repeat(32),
  BOURSE_OPERATOR_TOKEN: TOKEN,
  BOURSE_OPERATOR_READ_TOKEN: READ_TOKEN,
};

type Line = Readonly<Record<string, unknown>>;

test('each request of an operator has a log line, even if rejected, and never a secret', async (t) => {
  const texts: string[] = [];
  const running = await openFor(t, {
    flags: { venue: true, logLevel: 'warn' },
    env: ENV,
    logLevel: 'warn',
    logLines: (line) => texts.push(line),
  });
  const ann = new Operator(running, { 'x-operator': 'ann' });
  assert.equal((await ann.get('/v1/users?secret=canary')).status, 400);
  assert.equal((await ann.post('/v1/users', { name: 'dave' })).status, 200);
  assert.equal((await ann.post('/v1/users/dave/keys', { permissions: ['General'] })).status, 200);
  assert.equal((await ann.get('/v1/nothing')).status, 404);
  const wrong = new Operator(running, {
    authorization: 'Bearer canary-canary-canary-canary',
    'x-operator': 'eve',
  });
  assert.equal((await wrong.get('/v1/users')).status, 401);
  assert.equal((await new Operator(running, { authorization: '' }).get('/v1/users')).status, 401);
  const reader = new Operator(running, { authorization: `Bearer ${READ_TOKEN}`, 'x-operator': 'bo' });
  assert.equal((await reader.post('/v1/users', { name: 'x' })).status, 403);

  const lines = texts.map((text) => JSON.parse(text) as Line).filter(({ msg }) => msg === 'operator request');
  assert.deepEqual(
    lines.map(({ operator, method, path, status, code, ip }) => [operator, method, path, status, code, ip]),
    [
      ['ann', 'GET', '/operator/v1/users', 400, 'field-unknown', '127.0.0.1'],
      ['ann', 'POST', '/operator/v1/users', 200, undefined, '127.0.0.1'],
      ['ann', 'POST', '/operator/v1/users/dave/keys', 200, undefined, '127.0.0.1'],
      [undefined, 'GET', '/operator/v1/nothing', 404, 'route-unknown', '127.0.0.1'],
      [undefined, 'GET', '/operator/v1/users', 401, 'token-wrong', '127.0.0.1'],
      [undefined, 'GET', '/operator/v1/users', 401, 'token-missing', '127.0.0.1'],
      [undefined, 'POST', '/operator/v1/users', 403, 'read-only', '127.0.0.1'],
    ],
  );
  assert.ok(lines.every(({ ms }) => typeof ms === 'number'));
  for (const secret of [TOKEN, READ_TOKEN, 'canary']) assert.ok(!texts.some((text) => text.includes(secret)));

  const at = new URL(running.connection.operatorUrl).origin;
  const metrics = await (await fetch(`${at}/metrics`)).text();
  for (const [outcome, count] of Object.entries({
    ok: 2,
    'token-wrong': 1,
    'token-missing': 1,
    'read-only': 1,
  })) {
    assert.ok(metrics.includes(`bourse_operator_requests_total{outcome="${outcome}"} ${count}\n`), outcome);
  }
});

test('guessing the token raises one alarm, gets slow responses, and does not lock out the right token', async (t) => {
  const texts: string[] = [];
  const running = await openFor(t, {
    flags: { venue: true },
    env: ENV,
    logLevel: 'warn',
    logLines: (line) => texts.push(line),
  });
  const wrong = new Operator(running, { authorization: 'Bearer wrong-wrong-wrong-wrong-wrong' });
  const right = new Operator(running);
  const guesses = Array.from({ length: 200 }, () =>
    wrong.get('/v1/users').then(
      ({ status }) => status,
      () => 'closed',
    ),
  );
  let open = guesses.length;
  for (const guess of guesses) void guess.then(() => open--);
  const answers = await Promise.all(Array.from({ length: 20 }, () => right.get('/v1/status')));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(open > 0, 'the right token was answered while wrong ones waited');
  const ended = await Promise.all(guesses);
  assert.ok(ended.every((each) => each === 401 || each === 'closed'));
  assert.ok(ended.includes(401));
  const alarms = texts.map((text) => JSON.parse(text) as Line).filter(({ level }) => level === 40);
  assert.deepEqual(
    alarms.map(({ ip, wrongTokens }) => [ip, wrongTokens]),
    [['127.0.0.1', 5]],
  );
  const at = new URL(running.connection.operatorUrl).origin;
  assert.match(await (await fetch(`${at}/metrics`)).text(), /^bourse_operator_guessing 1$/m);
});

test('the metrics of a venue need no token on this machine, and one for remote access', async (t) => {
  const near = await openFor(t, { flags: { venue: true }, env: ENV });
  const at = new URL(near.connection.operatorUrl).origin;
  assert.equal((await fetch(`${at}/metrics`)).status, 200);
  const proxied = await fetch(`${at}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  assert.deepEqual([proxied.status, ((await proxied.json()) as Line)['code']], [403, 'remote-denied']);

  const open = await openFor(t, { flags: { venue: true, operatorRemote: true }, env: ENV });
  const url = `${new URL(open.connection.operatorUrl).origin}/metrics`;
  assert.equal((await fetch(url)).status, 401);
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${READ_TOKEN}` } })).status, 200);
});
