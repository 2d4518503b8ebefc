/** Promise 15 in the gateway: what is logged of requests, and what never is. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLog } from '../../src/gateway/http/log.ts';
import { probeRoutes } from './probe-routes.ts';
import { Client, credentials, sign, startServer } from '@bourse/test-tools/server.ts';

test('promise 15: a line for each request, with its id and without anything secret', async () => {
  const lines: string[] = [];
  const server = await startServer({ routes: probeRoutes, logLines: (line) => lines.push(line) });
  const alice = credentials('alice');
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

test('promise 15: should a secret be logged by mistake, it cannot be read', () => {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line) => lines.push(line) });
  log.info(
    { secret: 'canary', key: { passphrase: 'canary', signature: 'canary' }, headers: { a: 'canary' } },
    'oops',
  );
  assert.equal(lines.length, 1);
  assert.ok(!lines[0].includes('canary'), lines[0]);
});
