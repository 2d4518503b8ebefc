import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { Command } from '@bourse/core';
import { WebSocket } from 'ws';
import { FeedTokens, NOBODY, TOKEN_MS_MAX } from '../../src/gateway/access/feed-tokens.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { Client, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { type Bullet, FeedClient, fetchToken } from './feed-client.ts';
import { submit } from '@bourse/test-kit/submit.ts';

test('a token works only for its user, can be used again, and expires after 24 hours', () => {
  const clock = new ManualClock();
  const tokens = new FeedTokens(clock);
  const token = tokens.issue({ user: 7, key: 'some-key' });
  assert.match(token, /^[\w.-]+$/, 'clients put it into a URL as it is');
  assert.deepEqual(tokens.open(token), { user: 7, key: 'some-key' });
  assert.deepEqual(tokens.open(token), { user: 7, key: 'some-key' });
  assert.notEqual(tokens.issue(NOBODY), tokens.issue(NOBODY));
  clock.jump(TOKEN_MS_MAX - 1);
  assert.deepEqual(tokens.open(token), { user: 7, key: 'some-key' });
  clock.jump(1);
  assert.equal(tokens.open(token), 'expired');
});

test('a changed token is invalid, and one of an earlier run has expired', () => {
  const clock = new ManualClock();
  const tokens = new FeedTokens(clock);
  const token = tokens.issue({ user: 1, key: 'k' });
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A';
    const changed = token.slice(0, at) + other + token.slice(at + 1);
    // The last character of base64 may hold bits that mean nothing.
    if (at === token.length - 1) continue;
    assert.equal(typeof tokens.open(changed), 'string', changed);
  }
  const claims = Buffer.from(JSON.stringify([2, 'k', Number.MAX_SAFE_INTEGER, ''])).toString('base64url');
  const [run, , signature] = token.split('.');
  assert.equal(tokens.open(`${run}.${claims}.${signature}`), 'invalid');
  for (const wrong of [
    '',
    '.',
    '..',
    'x',
    'a.b.c',
    '\0',
    token.repeat(9),
    `${token}.x`,
    token.slice(0, -4),
  ]) {
    assert.equal(tokens.open(wrong), 'invalid', wrong);
  }
  assert.equal(new FeedTokens(clock).open(token), 'expired');
});

test('both dialects issue tokens, with an empty body and with {}', async () => {
  const server = await startServer();
  try {
    for (const dialect of ['literal', 'family'] as const) {
      for (const body of [undefined, {}]) {
        const open = await new Client(server.url, undefined, dialect).post('/api/v1/bullet-public', body);
        const own = await new Client(server.url, 'alice', dialect).post('/api/v1/bullet-private', body);
        for (const { status, json, text } of [open, own]) {
          assert.equal(status, 200, text);
          assert.equal(json.code, '200000');
          const [place] = (json.data as Bullet).instanceServers;
          assert.deepEqual(place, {
            endpoint: `ws://127.0.0.1:${server.port}/feed`,
            encrypt: false,
            protocol: 'websocket',
            pingInterval: 18000,
            pingTimeout: 10000,
          });
        }
      }
    }
    const unsigned = await new Client(server.url).post('/api/v1/bullet-private');
    assert.equal(unsigned.json.code, '400001', unsigned.text);
  } finally {
    await server.close();
  }
});

test('a connection with an invalid token, or one whose key was removed, gets an error frame and is closed', async () => {
  const server = await startServer();
  try {
    for (const [token, text] of [
      ['', 'token is invalid'],
      ['rubbish', 'token is invalid'],
      [new FeedTokens(server.services.clock).issue(NOBODY), 'token is expired'],
    ]) {
      const client = new FeedClient(`ws://127.0.0.1:${server.port}/feed?token=${token}&connectId=mine`);
      assert.deepEqual(await client.next(), { id: 'mine', type: 'error', code: 401, data: text });
      await client.until(() => client.closed !== undefined, 'the end');
      assert.deepEqual(client.closed, { code: 1008, reason: text });
    }
    const { token } = await fetchToken(server.url, 'bob');
    const key = server.services.catalogue
      .keys()
      .find(({ user }) => server.services.catalogue.user(user)?.name === 'bob');
    assert.ok(key);
    const open = await FeedClient.connect(server.url, 'bob');
    await submit(server.services.port, { kind: 'remove-key', key: key.key, by: 'test', why: 'test' });
    await open.until(() => open.closed !== undefined, 'the end');
    assert.equal(open.closed?.code, 1008);
    const late = new FeedClient(`ws://127.0.0.1:${server.port}/feed?token=${token}`);
    assert.equal((await late.next()).code, 401);
  } finally {
    await server.close();
  }
});

test('a path that is not a websocket is answered by HTTP', async () => {
  const server = await startServer();
  try {
    const status = await new Promise((resolve) => {
      new WebSocket(`ws://127.0.0.1:${server.port}/elsewhere`)
        .on('unexpected-response', (_, response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', resolve);
    });
    assert.equal(status, 404);
  } finally {
    await server.close();
  }
});

describe('a private token lasts as long as the access it was requested with', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const secret = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex')).seal('s', 'p');
  const act = async (command: Command): Promise<void> => {
    const { outcome } = await submit(server.services.port, command);
    assert.notEqual(outcome.kind, 'rejected', JSON.stringify(outcome));
  };
  const addKey = (key: string): Promise<void> =>
    act({ kind: 'add-key', key, user: 0, version: 2, secret, permissions: ['general'], ipAllowList: [] });
  /** The first frame of a new connection, and its closing. */
  const enter = async (
    token: string,
  ): Promise<{ socket: WebSocket; first: string; closed: Promise<number> }> => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/feed?token=${token}`);
    const closed = once(socket, 'close').then(([code]) => Number(code));
    const [first] = (await once(socket, 'message')) as [Buffer];
    return { socket, first: first.toString(), closed };
  };

  const ends: Record<string, (key: string) => Command> = {
    'the key is removed': (key) => ({ kind: 'remove-key', key }),
    'the key loses General': (key) => ({ kind: 'change-key', key, permissions: ['spot'] }),
    'the address is not allowed any more': (key) => ({ kind: 'change-key', key, ipAllowList: ['10.0.0.1'] }),
  };
  for (const [at, [name, end]] of Object.entries(ends).entries()) {
    test(`${name}: its connections end at once, and it opens no other`, async () => {
      const key = `brief-${at}`;
      await addKey(key);
      const token = server.tokens.issue({ user: 0, key });
      const { socket, first, closed } = await enter(token);
      assert.match(first, /"welcome"/);
      socket.send('{"id":"1","type":"subscribe","topic":"/account/balance","response":true}');
      await once(socket, 'message');
      const said = once(socket, 'message') as Promise<[Buffer]>;
      await act(end(key));
      assert.match((await said)[0].toString(), /"code":401,"data":"token is invalid: /);
      assert.equal(await closed, 1008);
      const again = await enter(token);
      assert.match(again.first, /"code":401,"data":"token is invalid: /);
      assert.equal(await again.closed, 1008);
    });
  }

  test('a change of the key that takes nothing away leaves its connections', async () => {
    await addKey('lasting');
    const { socket, closed } = await enter(server.tokens.issue({ user: 0, key: 'lasting' }));
    await act({
      kind: 'change-key',
      key: 'lasting',
      permissions: ['general', 'spot'],
      ipAllowList: ['127.0.0.1'],
    });
    socket.send('{"id":"1","type":"ping"}');
    const [pong] = (await once(socket, 'message')) as [Buffer];
    assert.match(pong.toString(), /"pong"/);
    socket.close();
    await closed;
  });
});
