import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { DIALECTS } from '../../src/gateway/route.ts';
import { probeRoutes } from './probe-routes.ts';
import { POOL_HEADERS, refused } from './refused.ts';
import { Client, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { sendBytes, splitAnswers } from '@bourse/test-kit/wire/requests.ts';

describe('HTTP', () => {
  let server: TestServer;
  let alice: Client;
  let nobody: Client;
  before(async () => {
    server = await startServer({ routes: probeRoutes });
    alice = new Client(server.url, 'alice');
    nobody = new Client(server.url);
  });
  after(() => server.close());

  test('an unknown route is 404000, in each dialect', async () => {
    refused(await nobody.get('/nope'), 404, '404000', /^Url Not Found/);
    const family = await new Client(server.url, undefined, 'family').get('/nope');
    refused(family, 404, '404000');
    assert.equal(family.json.msg, 'Url Not Found');
    assert.equal(typeof family.json['detail'], 'string');
  });

  test('a path without its parameter is unknown', async () => {
    refused(await alice.get('/probe/things/'), 404, '404000', /Unknown path \/probe\/things\//);
  });

  test('a wrong method gets 405000 with the allowed methods', async () => {
    const reply = await nobody.post('/probe/things/8', {});
    refused(reply, 405, '405000');
    assert.equal(reply.headers.get('allow'), 'GET, DELETE');
    const head = await nobody.send('HEAD', '/probe/things/8');
    assert.equal(head.status, 405);
    refused(await nobody.send('PUT', '/compat/probe/things', '{}'), 405, '405000');
    refused(await nobody.send('OPTIONS', '/probe/things'), 405, '405000');
  });

  test('a request without Host is rejected with the reason, except in HTTP/1.0', async () => {
    const [bare] = splitAnswers(await sendBytes(server.port, 'GET /probe/public HTTP/1.1\r\n\r\n', 1));
    assert.equal(bare.status, 400);
    assert.match(bare.body, /^\{"code":"400000","msg":"Bad Request: The Host header is missing\."/);
    const [old] = splitAnswers(await sendBytes(server.port, 'GET /probe/public HTTP/1.0\r\n\r\n', 1));
    assert.equal(old.status, 200);
  });

  test('an unknown route is reported before a wrong content type and a large body', async () => {
    const big = 'x'.repeat(200_000);
    refused(await nobody.send('POST', '/nope', big, { 'content-type': 'text/plain' }), 404, '404000');
    refused(await nobody.send('PUT', '/probe/things', big, { 'content-type': 'a;;b' }), 405, '405000');
  });

  test('unknown fields in a body or query are ignored', async () => {
    assert.equal((await alice.post('/probe/things', { text: 'a', constructor: 1, unknown: {} })).status, 200);
    assert.equal((await alice.get('/probe/things/1?unknown=1')).status, 200);
  });

  test('a query parameter that is repeated, empty though it needs a value, or undecodable gets 400100', async () => {
    refused(
      await alice.get('/probe/things/1?symbol=A&symbol=A'),
      400,
      '400100',
      /Duplicate query parameter 'symbol'/,
    );
    refused(
      await alice.get('/probe/things/1?symbol=A&s%79mbol=B'),
      400,
      '400100',
      /Duplicate query parameter/,
    );
    refused(
      await alice.get('/probe/things/1?unknown=1&unknown=2'),
      400,
      '400100',
      /Duplicate query parameter/,
    );
    refused(await alice.get('/probe/things/1?symbol='), 400, '400100', /symbol must not be empty/);
    refused(await alice.get('/probe/things/1?symbol=%ff'), 400, '400100', /percent-encoded/);
    refused(
      await alice.get('/probe/things/1?__proto__=1&__proto__=2'),
      400,
      '400100',
      /Duplicate query parameter/,
    );
  });

  test('the family dialect accepts numbers for strings with all their digits, and null as unset', async () => {
    const family = new Client(server.url, 'alice', 'family');
    const reply = await family.send(
      'POST',
      '/probe/things',
      '{"text":"a","size":0.00000010,"side":null,"list":[{"price":1e2}]}',
    );
    assert.deepEqual(reply.json.data, {
      body: { text: 'a', size: '0.00000010', list: [{ price: '1e2' }] },
      user: 0,
    });
    refused(
      await alice.send('POST', '/probe/things', '{"text":"a","size":1}'),
      400,
      '400100',
      /size must be a string; 1 was sent/,
    );
  });

  test('each dialect has its envelopes', async () => {
    const family = new Client(server.url, 'alice', 'family');
    assert.deepEqual((await alice.get('/probe/things/1')).json, {
      code: '200000',
      data: { id: '1', query: {}, user: 0, once: false },
    });
    assert.deepEqual(Object.keys((await alice.post('/probe/things', { text: 'a' })).json), [
      'success',
      'code',
      'msg',
      'retry',
      'data',
    ]);
    assert.deepEqual(Object.keys((await family.post('/probe/things', { text: 'a' })).json), ['code', 'data']);
    assert.deepEqual(Object.keys((await nobody.get('/probe/public')).json), ['query', 'ip', 'user', 'once']);
    assert.deepEqual(Object.keys((await family.get('/probe/public')).json), ['code', 'data']);
    const wrong = await family.post('/probe/things', { text: 'a', side: 'x' });
    assert.equal(wrong.status, 200);
    assert.deepEqual(wrong.json, {
      code: '400100',
      msg: 'Parameter Error',
      detail: 'side must be one of buy, sell; "x" was sent.',
    });
  });

  test('a defect gets 500000, and the response does not reveal what broke', async () => {
    const reply = await nobody.get('/probe/broken');
    refused(reply, 500, '500000');
    assert.ok(!reply.text.includes('canary'));
  });

  test('a path that cannot be decoded is rejected', async () => {
    refused(await nobody.get('/probe/things/%E0%A4%A'), 400, '400000');
  });

  test('a long path reaches its route', async () => {
    const id = 'x'.repeat(9000);
    const { json } = await alice.get(`/probe/things/${id}`);
    assert.equal((json['data'] as { id: string }).id, id);
  });

  test('too many headers, or too many bytes of headers, get 431', async () => {
    const many = Array.from({ length: 101 }, (_, i) => `x-${i}: 1\r\n`).join('');
    const wide = `x: ${'y'.repeat(17_000)}\r\n`;
    for (const headers of [many, wide]) {
      const [answer] = splitAnswers(
        await sendBytes(server.port, `GET /probe/public HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`, 1),
      );
      assert.equal(answer.status, 431);
      assert.equal(JSON.parse(answer.body).code, '431000');
      for (const name of POOL_HEADERS) assert.ok(answer.head.includes(`${name}: `), name);
    }
  });

  test('health, readiness and metrics respond', async () => {
    assert.equal((await nobody.get('/healthz')).status, 200);
    assert.equal((await nobody.get('/readyz')).json['status'], 'open');
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    for (const name of [
      'bourse_http_requests_total{route="probe-public",dialect="literal",status="200"}',
      'bourse_http_request_seconds_bucket',
      'bourse_queue_commands',
      'bourse_log_seq',
      'bourse_history_lag_records',
      'bourse_throttle_windows{pool="spot"}',
      'process_cpu_user_seconds_total',
    ]) {
      assert.ok(metrics.includes(name), name);
    }
  });

  test('a dialect that is mounted twice appears once in the metrics', async () => {
    const dialects = [...DIALECTS, { ...DIALECTS[1], mount: '/other' }];
    const twice = await startServer({ routes: probeRoutes, settings: { dialects } });
    try {
      const client = new Client(twice.url);
      for (const mount of ['/compat', '/other'])
        assert.equal((await client.get(`${mount}/probe/public`)).status, 200);
      const metrics = await (await fetch(`${twice.url}/metrics`)).text();
      const counts = metrics.match(/^bourse_http_requests_total\{route="probe-public".*$/gm);
      assert.deepEqual(counts, [
        'bourse_http_requests_total{route="probe-public",dialect="family",status="200"} 2',
      ]);
    } finally {
      await twice.close();
    }
  });
});

describe('HTTP limits', () => {
  async function withServer(limits: object, body: (server: TestServer) => Promise<void>): Promise<void> {
    const server = await startServer({ routes: probeRoutes, limits });
    try {
      await body(server);
    } finally {
      await server.close();
    }
  }

  test('a client that sends too slowly gets 408 and is disconnected', async () =>
    withServer({ headersTimeoutMs: 300, requestTimeoutMs: 600 }, async ({ port }) => {
      const slowHead = splitAnswers(
        await sendBytes(port, 'GET /probe/public HTTP/1.1\r\nhost: localhost\r\n'),
      );
      const slowBody = async (path: string) => {
        const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9`;
        return splitAnswers(await sendBytes(port, `${head}\r\n\r\n{`))[0].status;
      };
      assert.deepEqual([slowHead[0].status, await slowBody('/probe/things')], [408, 408]);
      assert.equal(await slowBody('/nope'), 408);
      assert.equal(JSON.parse(slowHead[0].body).code, '408000');
    }));

  test('connections beyond the limit per address are closed at once, and others are served', async () =>
    withServer({ connectionsPerAddressMax: 3 }, async ({ port }) => {
      const request = 'GET /probe/public HTTP/1.1\r\nhost: localhost\r\n\r\n';
      const idle = await Promise.all(
        Array.from(
          { length: 3 },
          () =>
            new Promise<ReturnType<typeof connect>>((resolve) => {
              const socket = connect(port, '127.0.0.1', () => resolve(socket));
            }),
        ),
      );
      assert.equal(await sendBytes(port, request, 1), '');
      idle[0].destroy();
      const deadline = Date.now() + 20_000;
      let answer = '';
      while (answer === '' && Date.now() < deadline) answer = await sendBytes(port, request, 1);
      assert.equal(splitAnswers(answer)[0].status, 200);
      for (const socket of idle) socket.destroy();
    }));

  test('pipelined requests are answered in order, and those beyond the limit are rejected', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const asked = Promise.withResolvers<void>();
    const server = await startServer({
      limits: { pipelinedRequestsMax: 4 },
      routes: (services) => [
        ...probeRoutes(services),
        {
          ...probeRoutes(services)[0],
          id: 'slow',
          path: '/probe/slow',
          handle: () => {
            asked.resolve();
            return gate.then(() => ({ slow: true }));
          },
        },
      ],
    });
    try {
      const slow = 'GET /probe/slow HTTP/1.1\r\nhost: localhost\r\n\r\n';
      const pending = sendBytes(server.port, slow.repeat(8), 8);
      // All arrived in one chunk, so those after the first are already read.
      await asked.promise;
      setTimeout(release, 200);
      const statuses = splitAnswers(await pending).map(({ status }) => status);
      assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429, 429, 429]);
    } finally {
      release();
      await server.close();
    }
  });

  test('closing does not wait for clients that sent nothing or half a request, or are idle', async () => {
    const server = await startServer({ routes: probeRoutes });
    const begun = [
      '',
      'GET /probe/public HTTP/1.1\r\nhost',
      'GET /probe/public HTTP/1.1\r\nhost: localhost\r\n\r\n',
    ];
    const sockets = begun.map(() => connect(server.port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answered = once(sockets[2], 'data');
    for (const [at, bytes] of begun.entries()) if (bytes !== '') sockets[at].write(bytes);
    await answered;
    const ended = sockets.map((socket) => once(socket.resume(), 'close'));
    await server.close();
    await Promise.all(ended);
  });

  test('closing finishes the requests in flight and accepts no new ones', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const server = await startServer({
      routes: (services) => [
        { ...probeRoutes(services)[0], handle: () => gate.then(() => ({ done: true })) },
      ],
    });
    const pending = new Client(server.url).get('/probe/public');
    const deadline = Date.now() + 20_000;
    while (
      !(await fetch(`${server.url}/metrics`).then((r) => r.text())).includes('bourse_http_connections 2') &&
      Date.now() < deadline
    );
    const closed = server.close();
    release();
    assert.deepEqual((await pending).json, { done: true });
    await closed;
    await assert.rejects(fetch(`${server.url}/healthz`));
  });
});
