/** Order entry with unauthorised and hostile clients: each gets an error frame, and nothing crashes. */

import assert from 'node:assert/strict';
import type { Command } from '@bourse/core';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { hmac, Peer, sessionQuery, startEntry } from './peer.ts';
import { credentials, type TestServer } from '@bourse/test-kit/server.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const LIMIT = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };
const ALICE = credentials('alice');

describe('access to order entry', () => {
  let server: TestServer;
  before(async () => {
    server = await startEntry({ orderEntrySessionsPerUserMax: 3 });
  });
  after(() => server.close());

  const refusal = async (asked: string): Promise<string | undefined> => {
    const peer = new Peer(`${server.url}/v1/private${asked}`);
    const { code } = await peer.next();
    assert.equal((await peer.ended()).code, 1008);
    return code;
  };

  const query = (changes: Record<string, string> = {}): string => `?${sessionQuery(ALICE, changes)}`;
  const attempts: Record<string, readonly [string, () => string]> = {
    'no query': ['400001', () => ''],
    'no passphrase': ['400001', () => query({ passphrase: '' })],
    'an unknown key': ['400003', () => query({ apikey: 'nobody' })],
    'an old timestamp': ['400002', () => query({ timestamp: String(Date.now() - 60_000) })],
    'a wrong passphrase': ['400004', () => query({ passphrase: hmac(ALICE.apiSecret, 'x') })],
    'a wrong signature': ['400005', () => query({ sign: hmac('x', 'x') })],
    'a parameter twice': ['400100', () => `${query()}&sign=x`],
  };
  for (const [name, [code, make]] of Object.entries(attempts)) {
    test(`${name}: ${code}, then closed`, async () => assert.equal(await refusal(make()), code));
  }

  test('a wrong answer to the challenge: 400011, then closed', async () => {
    const peer = new Peer(`${server.url}/v1/private?${sessionQuery(ALICE)}`);
    await peer.nextText();
    peer.ws.send(hmac(ALICE.apiSecret, 'something else'));
    assert.equal((await peer.next()).code, '400011');
    assert.equal((await peer.ended()).code, 1008);
  });

  test('a session with a key without the permission opens, but cannot trade', async () => {
    const peer = await Peer.open(server, 'alice-viewer');
    assert.equal((await peer.ask('spot.order', LIMIT)).code, '400007');
    peer.close();
  });

  test('a client address that is not on the IP allow list of the key is rejected', async () => {
    const secret = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex')).seal('s', 'p');
    const key = { kind: 'add-key', key: 'fenced', user: 0, version: 2, secret } as const;
    await submit(server.services.port, { ...key, permissions: ['spot'], ipAllowList: ['10.0.0.1'] });
    const who = { apiKey: 'fenced', apiSecret: 's', apiPassphrase: 'p' };
    assert.equal(await refusal(`?${sessionQuery(who)}`), '400006');
  });

  const ends: Record<string, readonly [code: string, command: Command]> = {
    removed: ['400003', { kind: 'remove-key', key: 'brief' }],
    'without Spot': ['400007', { kind: 'change-key', key: 'brief', permissions: ['general'] }],
    'for another address': ['400006', { kind: 'change-key', key: 'brief', ipAllowList: ['10.0.0.1'] }],
  };
  for (const [name, [code, command]] of Object.entries(ends)) {
    test(`a key that becomes ${name} ends its sessions at once`, async () => {
      const secret = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex')).seal('s', 'p');
      const key = { kind: 'add-key', key: 'brief', user: 1, version: 2, secret } as const;
      await submit(server.services.port, { ...key, permissions: ['spot'], ipAllowList: [] });
      const who = { apiKey: 'brief', apiSecret: 's', apiPassphrase: 'p' };
      const peer = new Peer(`${server.url}/v1/private?${sessionQuery(who)}`);
      peer.ws.send(hmac('s', await peer.nextText()));
      await peer.next();
      assert.equal((await peer.ask('spot.order', LIMIT)).code, '200000');
      const other = await Peer.open(server, 'bob');
      await submit(server.services.port, command);
      assert.equal((await peer.next()).code, code);
      assert.equal((await peer.ended()).code, 1008);
      assert.equal((await other.ask('spot.order', LIMIT)).code, '200000', 'other keys stay');
      other.close();
      if (command.kind !== 'remove-key')
        await submit(server.services.port, { kind: 'remove-key', key: 'brief' });
    });
  }

  test('one connection beyond the limit per user: 429002, then closed', async () => {
    const peers = await Promise.all([1, 2, 3].map(() => Peer.open(server, 'carol')));
    assert.equal(await refusal(`?${sessionQuery(credentials('carol'))}`), '429002');
    for (const peer of peers) peer.close();
  });
});

describe('misuse of order entry', () => {
  let server: TestServer;
  before(async () => {
    server = await startEntry({ orderEntryErrorsMax: 20, orderEntryMessageBytesMax: 4096 });
  });
  after(() => server.close());

  const lives = async (): Promise<void> => {
    const peer = await Peer.open(server, 'bob');
    assert.equal((await peer.ask('spot.order', LIMIT)).code, '200000');
    peer.close();
  };

  const rubbish: readonly (string | Buffer)[] = [
    'no json',
    '[]',
    'null',
    '{}',
    '{"id":5,"op":"ping"}',
    '{"id":"","op":"ping"}',
    `{"id":"${'x'.repeat(200)}","op":"ping"}`,
    '{"id":"a"}',
    '{"id":"a","op":"spot.nothing","args":{}}',
    '{"id":"a","id":"b","op":"ping"}',
    '{"id":"a","op":{"toString":null},"args":{}}',
    '{"id":"a","__proto__":{},"op":"ping"}',
    Buffer.from([0xff, 0xfe, 0x00]),
  ];

  test('invalid messages get 4001002, and the session continues', async () => {
    const peer = await Peer.open(server, 'alice');
    for (const message of rubbish) {
      peer.ws.send(message);
      const { code, msg } = await peer.next();
      assert.equal(code, '4001002', String(message));
      assert.match(msg!, /^Please check the param of your request: /);
    }
    for (const args of ['[]', '"x"', 'null', '5']) {
      peer.ws.send(`{"id":"args-${args.length}-${args[0] === '"'}","op":"spot.order","args":${args}}`);
      assert.equal((await peer.next()).code, '400100');
    }
    assert.equal((await peer.ask('spot.order', LIMIT)).code, '200000');
    peer.close();
  });

  test('the error for an unknown operation has its id and its name', async () => {
    const peer = await Peer.open(server, 'alice');
    peer.ws.send('{"id":"mine","op":"spot.buy","args":{}}');
    const { id, op, code, msg } = await peer.next();
    assert.deepEqual([id, op, code], ['mine', 'spot.buy', '4001002']);
    assert.match(msg!, /Field 'op' must be one of ping, spot\.order/);
    peer.ws.send(JSON.stringify({ id: 'mine', op: `"${'x'.repeat(1000)}` }));
    assert.equal((await peer.next()).op, `"${'x'.repeat(127)}`);
    peer.ws.send('{"id":7,"op":5}');
    assert.deepEqual(Object.keys(await peer.next()), ['id', 'code', 'msg', 'inTime', 'outTime']);
    peer.close();
  });

  test('too many invalid messages in a row: 420001, then closed', async () => {
    const peer = await Peer.open(server, 'alice');
    for (let i = 0; i < 20; i++) peer.ws.send(i % 2 ? 'rubbish' : '{"id":"mine","op":"spot.buy"}');
    for (let i = 0; i < 20; i++) assert.equal((await peer.next()).code, '4001002');
    assert.equal((await peer.next()).code, '420001');
    assert.equal((await peer.ended()).code, 1008);
  });

  test('a message that is too large closes with 1009', async () => {
    const peer = await Peer.open(server, 'alice');
    peer.ws.send('x'.repeat(5000));
    assert.equal((await peer.ended()).code, 1009);
    await lives();
  });

  test('a session that is silent, or does not sign in time, is closed', async () => {
    const hasty = await startEntry({ orderEntryIdleMsMax: 100, orderEntryChallengeMs: 100 });
    const silent = await Peer.open(hasty, 'bob');
    assert.equal((await silent.ended()).reason, 'ping timeout');
    const late = new Peer(`${hasty.url}/v1/private?${sessionQuery(ALICE)}`);
    await late.nextText();
    assert.equal((await late.next()).code, '400012');
    await late.ended();
    await hasty.close();
  });

  const floods: readonly (readonly [string, (peer: Peer, i: number) => void])[] = [
    ['answers', ({ ws }, i) => ws.send(`{"id":"${'x'.repeat(120)}${i}","op":"ping"}`)],
    ["answers to the protocol's own pings", ({ ws }) => ws.ping('x'.repeat(125))],
  ];
  for (const [what, send] of floods) {
    test(`a client that does not read ${what} is disconnected, and the others are served`, async () => {
      const narrow = await startEntry({ orderEntryBufferedBytesMax: 65_536 });
      const peer = await Peer.open(narrow, 'alice');
      peer.ws.pause();
      const bob = await Peer.open(narrow, 'bob');
      try {
        const deadline = Date.now() + 45_000;
        for (let i = 0; peer.ws.readyState === WebSocket.OPEN && Date.now() < deadline; i++) {
          for (let j = 0; j < 200; j++) send(peer, i * 200 + j);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        assert.notEqual(peer.ws.readyState, WebSocket.OPEN, 'cut off before it is idle for a minute');
        assert.equal((await bob.ask('spot.order', LIMIT)).code, '200000');
      } finally {
        peer.close();
        bob.close();
        await narrow.close();
      }
    });
  }

  test('a valid message with changed bytes is either rejected or executed, and breaks nothing', async () => {
    const seed = 20_261_115;
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    let peer = await Peer.open(server, 'carol');
    const codes = new Map<string, number>();
    for (let i = 0; i < 1500; i++) {
      const bytes = Buffer.from(JSON.stringify({ id: `f${i}`, op: 'spot.order', args: LIMIT }));
      for (let changes = 1 + random(3); changes > 0; changes--) bytes[random(bytes.length)] = random(256);
      if (peer.closed) peer = await Peer.open(server, 'carol');
      peer.ws.send(bytes);
      const { code = 'none' } = await peer.next().catch(() => ({ code: 'closed' }));
      codes.set(code, (codes.get(code) ?? 0) + 1);
      assert.ok(!code.startsWith('5'), `seed ${seed}, turn ${i}: ${code} for ${bytes.toString('latin1')}`);
    }
    assert.ok(codes.size >= 4, `seed ${seed} met only ${JSON.stringify([...codes])}`);
    peer.close();
    await lives();
  });
});
