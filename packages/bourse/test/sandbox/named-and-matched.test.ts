/** Snapshots by name, rules that can never match, users of public sockets, and time that follows a bot. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { SignedClient } from './client.ts';
import { sandboxFor } from './exchange.ts';

test('a snapshot can be named in every call', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  const { id, seq } = await call<{ id: string; seq: number }>('POST', '/snapshots', {
    name: 'before it all',
  });
  await alice.place({});
  const name = encodeURIComponent('before it all');
  const restored = await call<{ seq: number }>('POST', `/snapshots/${name}/restore`);
  assert.equal(restored.seq, seq);
  const fork = await call<{ id: string }>('POST', '/forks', { from: 'before it all' });
  await call('DELETE', `/forks/${fork.id}`);
  const unknown = await ask('POST', '/snapshots/other/restore');
  assert.equal(unknown.status, 404);
  assert.match(JSON.stringify(unknown.body), /s1 \(before it all\)/);
  const second = await call<{ id: string }>('POST', '/snapshots', { name: 'before it all' });
  const either = await ask('DELETE', `/snapshots/${name}`);
  assert.equal(either.status, 409);
  assert.match(JSON.stringify(either.body), /s1, s2/);
  assert.deepEqual(await call('DELETE', `/snapshots/${second.id}`), { id: second.id });
  assert.deepEqual(await call('DELETE', `/snapshots/${name}`), { id });
});

test('a rule that can never match is rejected with the reason', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  const keyOf = (name: string) => running.connection.users.find((user) => user.name === name)!.apiKey;
  const delay = { kind: 'delay', ms: 1 };
  for (const [match, effect, says] of [
    [{ route: 'place-order', method: 'GET' }, delay, /place-order is never a GET/],
    [{ user: 'alice', apiKey: keyOf('bob') }, delay, /is not one of alice/],
    [{ route: 'get-server-time', symbol: 'BTC-USDT' }, delay, /names no symbol/],
    [{ method: 'POST' }, { kind: 'stale-read', ms: 1 }, /never a POST/],
    [{ route: '/compat/api/v1/timestamp', dialect: 'literal' }, delay, /not in the literal dialect/],
    [{ topic: '/market/level2:BTC-USDT', symbol: 'ETH-USDT' }, { kind: 'feed-drop' }, /no messages of ETH/],
    [{ topic: '/account/balance', symbol: 'ETH-USDT' }, { kind: 'feed-drop' }, /name no symbol/],
    [{ symbol: 'ETH-USDT' }, { kind: 'feed-refuse-token' }, /before anything is subscribed/],
  ] as const) {
    const answer = await ask('POST', '/faults', { match, effect });
    assert.equal(answer.status, 400, JSON.stringify(match));
    assert.match((answer.body as { msg: string }).msg, says);
  }
  assert.deepEqual(await call('GET', '/faults'), []);
  for (const [match, effect] of [
    [{ route: 'place-order', method: 'post', symbol: 'BTC-USDT', dialect: 'family' }, delay],
    [{ user: 'alice', apiKey: keyOf('alice') }, delay],
    [{ route: '/api/v1/hf/*', symbol: 'BTC-USDT' }, delay],
    [{ topic: '/market/candles:BTC-USDT_1min', symbol: 'BTC-USDT' }, { kind: 'feed-drop' }],
  ] as const) {
    await call('POST', '/faults', { match, effect });
  }
});

test('feed-disconnect of a user ends the public sockets whose token the user signed for', async (context) => {
  const { running, call } = await sandboxFor(context);
  const open = async (user: string, kind: 'public' | 'private') => {
    const { body } = await new SignedClient(running.connection, user).send('POST', `/api/v1/bullet-${kind}`);
    const { token, instanceServers } = body.data as {
      token: string;
      instanceServers: { endpoint: string }[];
    };
    const socket = new WebSocket(`${instanceServers[0]!.endpoint}?token=${token}`);
    context.after(() => socket.terminate());
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('message', resolve));
    return { socket, closed };
  };
  const [open1, open2, others] = [
    await open('alice', 'public'),
    await open('alice', 'private'),
    await open('bob', 'public'),
  ];
  const { hits } = await call<{ hits: number }>('POST', '/faults', {
    match: { user: 'alice' },
    effect: { kind: 'feed-disconnect', code: 4001 },
  });
  assert.equal(hits, 2, 'the answer says what it met');
  assert.deepEqual(await Promise.all([open1.closed, open2.closed]), [4001, 4001]);
  assert.equal(others.socket.readyState, WebSocket.OPEN);
});

test('advance-until-idle moves the clock only while a bot has requests in flight', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  const bot = new SignedClient(running.connection, 'alice');
  const { time } = await call<{ time: number }>('GET', '/clock');
  const idle = await call<{ advancedMs: number; isIdle: boolean }>('POST', '/clock/advance-until-idle');
  assert.deepEqual([idle.advancedMs, idle.isIdle], [0, true]);
  const end = new AbortController();
  const asking = (async () => {
    while (!end.signal.aborted) await bot.get('/api/v1/timestamp');
  })();
  const stop = () => {
    end.abort();
    return asking;
  };
  // In one call, however slowly the bot asks.
  const busy = await call<{ advancedMs: number; isIdle: boolean; time: number }>(
    'POST',
    '/clock/advance-until-idle',
    { stepMs: 100, quietMs: 60_000, maxMs: 1000 },
  ).finally(stop);
  assert.deepEqual([busy.advancedMs, busy.isIdle, busy.time], [1000, false, time + 1000]);
  await stop();
  const over = await call<{ advancedMs: number; isIdle: boolean }>('POST', '/clock/advance-until-idle');
  assert.deepEqual([over.advancedMs, over.isIdle], [0, true]);
  await call('POST', '/faults', { match: { user: 'alice' }, effect: { kind: 'delay', ms: 3_600_000 } });
  const held = bot.get('/api/v1/accounts').catch(() => undefined);
  while ((await call<{ hits: number }[]>('GET', '/faults'))[0]!.hits === 0);
  const bounded = await call<{ advancedMs: number; isIdle: boolean }>('POST', '/clock/advance-until-idle', {
    stepMs: 400,
    maxMs: 1000,
  });
  assert.deepEqual([bounded.advancedMs, bounded.isIdle], [1000, false]);
  await call('POST', '/clock', { mode: 'real' });
  assert.equal((await ask('POST', '/clock/advance-until-idle')).status, 409);
  await call('DELETE', '/faults');
  void held;
});
