/** Pipelined requests of one connection: each gets its own response, in order, whatever follows it. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sendBytes, splitAnswers } from '@bourse/test-kit/wire/requests.ts';
import { startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { probeRoutes } from './probe-routes.ts';

const HOST = 'host: localhost\r\n';
const CLOSE = `${HOST}connection: close\r\n`;
const get = (path: string, headers = HOST): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const post = (path: string, body: string, headers = ''): string =>
  `POST ${path} HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;
const ask = (protocol: string): string => `connection: upgrade\r\nupgrade: ${protocol}\r\n`;
const WEBSOCKET = `${HOST}${ask('websocket')}sec-websocket-version: 13\r\nsec-websocket-key: ${btoa('sixteen bytes...')}\r\n`;

interface Slow {
  readonly server: TestServer;
  /** Completes the pending requests at /probe/public and at /slow. */
  readonly release: () => void;
  /** Resolves when something waits. */
  readonly asked: Promise<void>;
}

async function startSlow(context: TestContext): Promise<Slow> {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const handle = () => {
    asked.resolve();
    return gate.promise.then(() => ({ done: true }));
  };
  const server = await startServer({
    routes: (services) => {
      const [slow, ...others] = probeRoutes(services);
      return [{ ...slow, handle }, ...others];
    },
    extensions: [(app) => app.post('/slow', handle)],
  });
  context.after(async () => {
    gate.resolve();
    await server.close();
  });
  return { server, release: gate.resolve, asked: asked.promise };
}

/** Sends everything, and completes the first request when everything has arrived. */
async function answersTo({ server, release, asked }: Slow, bytes: string): Promise<string[]> {
  const received = sendBytes(server.port, bytes);
  await asked;
  await new Promise((resolve) => setTimeout(resolve, 50));
  release();
  return splitAnswers(await received).map(({ status, body }) => `${status} ${body}`);
}

const DONE = '200 {"done":true}';

for (const [name, first] of [
  ['a request of the interface', get('/probe/public')],
  ['a request outside it', post('/slow', '{}')],
] as const) {
  test(`${name} is answered before the invalid bytes behind it`, async (context) => {
    const [done, refused, ...more] = await answersTo(await startSlow(context), `${first}RUBBISH\r\n\r\n`);
    assert.equal(done, DONE);
    assert.match(refused, /^400 .*Bad Request/);
    assert.deepEqual(more, []);
  });

  test(`${name} is answered before a CONNECT behind it`, async (context) => {
    const bytes = `${first}CONNECT there:80 HTTP/1.1\r\n${HOST}\r\n`;
    const [done, refused, ...more] = await answersTo(await startSlow(context), bytes);
    assert.equal(done, DONE);
    assert.match(refused, /^405 .*not a proxy/);
    assert.deepEqual(more, []);
  });

  test(`${name} is answered before a websocket behind it is opened`, async (context) => {
    const bytes = `${first}${get('/v1/private', WEBSOCKET)}${get('/probe/hidden', CLOSE)}`;
    const [done, refused, ...more] = await answersTo(await startSlow(context), bytes);
    assert.equal(done, DONE);
    assert.match(refused, /^400 .*after the responses to all earlier requests of its connection/);
    assert.deepEqual(more, []);
  });
}

test('a client that keeps sending after an invalid request still receives the responses already sent', async (context) => {
  const { server, release, asked } = await startSlow(context);
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.pause();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${get('/probe/public')}RUBBISH\r\n\r\n`);
  await asked;
  release();
  // A connection that was closed at once would be reset by the first of these, and writing the second would fail.
  for (const more of ['more', 'and more', 'and more']) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(more);
  }
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('end', () => socket.end());
  socket.resume();
  await closed;
  const [done, refused] = splitAnswers(received).map(({ status, body }) => `${status} ${body}`);
  assert.equal(done, DONE);
  assert.match(refused, /^400 /);
});

test('two pending requests are both answered before the invalid bytes behind them', async (context) => {
  const answers = await answersTo(
    await startSlow(context),
    `${get('/probe/public').repeat(2)}RUBBISH\r\n\r\n`,
  );
  assert.deepEqual(answers.slice(0, 2), [DONE, DONE]);
  assert.match(answers[2], /^400 /);
  assert.equal(answers.length, 3);
});

test('the error for an invalid body is sent after the pending responses', async (context) => {
  const broken = post('/probe/things', '', 'transfer-encoding: chunked\r\n').replace(
    'content-length: 0\r\n',
    '',
  );
  const answers = await answersTo(await startSlow(context), `${get('/probe/public')}${broken}xyz\r\n`);
  assert.equal(answers[0], DONE);
  assert.match(answers[1], /^400 /);
  assert.equal(answers.length, 2);
});

test('a body that turns invalid after its request was rejected gets no second response', async (context) => {
  const { server } = await startSlow(context);
  const head = `POST /probe/things HTTP/1.1\r\n${HOST}content-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n`;
  const answers = splitAnswers(await sendBytes(server.port, `${head}1\r\na\r\nxyz\r\n`));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [415],
  );
});

test('a request with Connection: close gets its response, whatever follows it', async (context) => {
  const answers = await answersTo(
    await startSlow(context),
    `${get('/probe/public', CLOSE)}${get('/readyz')}`,
  );
  assert.deepEqual(answers, [DONE]);
});

for (const protocol of ['h2c', 'websocket']) {
  test(`a request for an upgrade to ${protocol} on a path without it is the last of its connection`, async (context) => {
    const { server } = await startSlow(context);
    const asking = get('/probe/nothing/1', HOST + ask(protocol));
    const withBody = post('/probe/things', '{}', ask(protocol));
    for (const last of [asking, withBody]) {
      const bytes = [get('/probe/broken'), last, get('/probe/hidden'), asking, withBody];
      const answers = splitAnswers(await sendBytes(server.port, bytes.join('')));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [500, last === asking ? 404 : 400],
      );
      assert.match(answers[1].head, /^connection: close$/im);
    }
  });

  test(`bytes after an upgrade request for ${protocol} are not read as a request`, async (context) => {
    const { server } = await startSlow(context);
    const hidden = get('/probe/hidden', CLOSE);
    const [head, body] = post('/probe/things', hidden).split(/(?<=\r\n\r\n)(?=GET)/);
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.write(get('/probe/nothing', HOST + ask(protocol)) + head);
    await once(socket, 'end');
    socket.end(body + get('/probe/last', CLOSE));
    await once(socket, 'close');
    const answers = splitAnswers(received);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404],
    );
  });
}

for (const [name, last] of [
  ['h2c', get('/probe/nothing', HOST + ask('h2c'))],
  ['a websocket', get('/v1/private', WEBSOCKET)],
  ['CONNECT', `CONNECT there:80 HTTP/1.1\r\n${HOST}\r\n`],
] as const) {
  test(`${name} behind the last accepted request is dropped like everything else`, async (context) => {
    const server = await startServer({ routes: probeRoutes, limits: { pipelinedRequestsMax: 2 } });
    context.after(() => server.close());
    // Three times as many are accepted, and the next one gets an error that closes the connection.
    const answers = splitAnswers(await sendBytes(server.port, get('/probe/nothing').repeat(7) + last));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 429, 429, 429, 429, 429],
    );
    assert.match(answers[6].body, /closing the connection/);
    assert.equal(splitAnswers(await sendBytes(server.port, get('/readyz'), 1))[0].status, 200);
  });
}

test('an upgrade request on a closed connection affects only that connection', async (context) => {
  const server = await startServer({ limits: { unreadBytesPerConnectionMax: 1000 } });
  context.after(() => server.close());
  // The kernel buffers an unknown number of responses before a write has to wait; the next request must be the one that
  // provokes it.
  for (let answers = 1; answers <= 6; answers++) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    socket.write(get('/openapi.json').repeat(answers) + get('/probe/nothing', CLOSE + ask('h2c')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resume();
    await once(socket, 'close');
  }
  assert.equal(splitAnswers(await sendBytes(server.port, get('/readyz'), 1))[0].status, 200);
});

test('a websocket request with a body is rejected, and the body is not read as a frame', async (context) => {
  const { server } = await startSlow(context);
  const asking = get('/v1/private', `${WEBSOCKET}content-length: 5\r\n`);
  const answers = splitAnswers(await sendBytes(server.port, `${asking}hello${get('/probe/hidden', CLOSE)}`));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400],
  );
});

test('an unknown Expect header is ignored', async (context) => {
  const { server } = await startSlow(context);
  const [{ status, body }] = splitAnswers(
    await sendBytes(server.port, get('/probe/nothing', `${CLOSE}expect: miracles\r\n`)),
  );
  assert.equal(status, 404);
  assert.match(body, /Unknown path \/probe\/nothing/);
});

test('a full URL in the request line is read as its path if it names the same host', async (context) => {
  const { server } = await startSlow(context);
  const target = async (url: string) => {
    const [{ status, body }] = splitAnswers(await sendBytes(server.port, get(url, CLOSE)));
    return `${status} ${body}`;
  };
  assert.match(await target('http://LOCALHOST/compat/api/v1/timestamp'), /^200 /);
  assert.match(await target('http://localhost/openapi.json'), /^200 /);
  assert.match(await target('http://localhost?a=b'), /^(?:200|404) /);
  for (const host of ['elsewhere', 'localhost:1', '', 'localhost@elsewhere']) {
    assert.match(await target(`http://${host}/api/v1/timestamp`), /^400 /, host);
    assert.match(await target(`https://${host}/operator/v1/users`), /^400 /, host);
  }
});
