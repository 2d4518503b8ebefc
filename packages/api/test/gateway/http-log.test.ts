/** Promise 15 in the gateway: which parts of a request are logged, and which never are. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { Unavailable } from '../../../engine/src/exchange-port.ts';
import { userId } from '../../src/gateway/ids.ts';
import { makeLog, RequestLog } from '../../src/gateway/http/log.ts';
import { probeRoutes } from './probe-routes.ts';
import { Client, credentials, sign, startServer } from '@bourse/test-kit/server.ts';

test('promise 15: each request has a log line with its id and without secrets', async () => {
  const lines: string[] = [];
  const server = await startServer({ routes: probeRoutes, logLines: (line) => lines.push(line) });
  const alice = credentials('alice');
  const userNumber = await server.services.port.read(({ reference }) =>
    reference.users.findIndex(({ name }) => name === 'alice'),
  );
  const signed = sign(alice, 'GET', '/probe/things/1?symbol=canary-query');
  try {
    const client = new Client(server.url);
    const good = await client.send('GET', '/probe/things/1?symbol=canary-query', undefined, signed);
    assert.equal(good.status, 200);
    await client.send('GET', '/probe/things/2', undefined, signed);
    await client.send('GET', '/probe/things/2', undefined, {
      ...signed,
      'SVC-API-PASSPHRASE': alice.apiPassphrase,
    });
    await new Client(server.url, 'alice').post('/probe/things', { text: 'canary-body' });
    await client.get('/probe/broken');
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const answered = logged.filter(({ msg }) => msg === 'answered');
    assert.equal(answered.length, 4);
    assert.ok(answered.some(({ request }) => request === good.headers.get('x-request-id')));
    assert.deepEqual(
      Object.keys(answered[0]).filter((name) => name !== 'hostname'),
      ['level', 'time', 'pid', 'request', 'route', 'dialect', 'status', 'user', 'ip', 'ms', 'msg'],
    );
    assert.ok(
      answered.some(({ user }) => user === userId(userNumber)),
      'users are named by their public id',
    );
    const [failed] = logged.filter(({ msg }) => msg === 'failed');
    assert.equal(failed['status'], 500);
    assert.match(String((failed['err'] as { stack: string }).stack), /probe-routes/);
  } finally {
    await server.close();
  }
  const secrets = [
    alice.apiSecret,
    alice.apiPassphrase,
    signed['SVC-API-SIGN'],
    signed['SVC-API-PASSPHRASE'],
  ];
  for (const secret of [...secrets, 'canary-body', 'canary-query']) {
    assert.ok(!lines.some((line) => line.includes(secret)), secret);
  }
});

test('bidirectional control characters are escaped in a log line, without changing its meaning', () => {
  const lines: string[] = [];
  const name = 'a\u202eb\u2066c\u200fd\u009b31m\u2028e';
  makeLog('info', { write: (line: string) => void lines.push(line) })
    .child({ name })
    .warn({ why: name }, name);
  const [line = ''] = lines;
  assert.doesNotMatch(line.trimEnd(), /[\p{Cc}\p{Bidi_Control}\u2028]/u);
  const { name: one, why, msg } = JSON.parse(line) as Record<string, string>;
  assert.deepEqual([one, why, msg], [name, name, name]);
});

test('promise 15: a secret that is logged by mistake is unreadable', () => {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line) => lines.push(line) });
  log.info(
    { secret: 'canary', key: { passphrase: 'canary', signature: 'canary' }, headers: { a: 'canary' } },
    'oops',
  );
  assert.equal(lines.length, 1);
  assert.ok(!lines[0].includes('canary'), lines[0]);
});

test('a fault that every request hits is logged once, not once per request', async () => {
  const lines: string[] = [];
  const server = await startServer({ routes: probeRoutes, logLines: (line) => lines.push(line) });
  try {
    const client = new Client(server.url);
    for (let sent = 0; sent < 50; sent++) assert.equal((await client.get('/probe/broken')).status, 500);
  } finally {
    await server.close();
  }
  assert.equal(lines.filter((line) => line.includes('"failed"')).length, 1);
});

test('a full disk is logged as one line without a stack, and after a minute again with the number of omitted lines', () => {
  const lines: string[] = [];
  let now = 0;
  const clock = { ...nodeClock, elapsed: () => now };
  const log = new RequestLog(makeLog('warn', { write: (line) => lines.push(line) }), {
    ...clock,
    machine: clock,
  });
  const line = { request: 'r', route: 'x', dialect: 'literal', status: 503, user: 7, ip: '192.0.2.1', ms: 1 };
  const full = () => log.failed(line, new Unavailable('disk-full', 'no space left on the disk for the log'));
  for (let sent = 0; sent < 10_000; sent++) full();
  assert.equal(lines.length, 1);
  assert.ok(!lines[0].includes('stack') && lines[0].includes('no space left on the disk'), lines[0]);
  assert.ok(lines[0].includes(userId(7)) && !lines[0].includes('"user":7'), lines[0]);
  now = 60_000;
  full();
  assert.equal((JSON.parse(lines[1]) as { leftOut: number }).leftOut, 9_999);
  for (let each = 0; each < 1000; each++) log.failed(line, new Error(`cause ${each}`));
  assert.ok(lines.length < 110, `${lines.length} lines: causes without end share one`);
});
