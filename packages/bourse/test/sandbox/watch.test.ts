import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { Condition, compilePattern, PatternBudget } from '../../../sandbox/src/watch/condition.ts';
import { type RequestEntry, RequestList } from '../../../sandbox/src/watch/requests.ts';
import { SignedClient } from './client.ts';
import { sandboxFor } from './exchange.ts';

const HOUR_MS = 3_600_000;

describe('patterns', () => {
  const cases: [pattern: string, fits: string[], not: string[]][] = [
    ['^o\\d+$', ['o1', 'o42'], ['o', 'xo1', 'o1x']],
    ['a(b|cd)*e', ['ae', 'xabcdbey'], ['ab', 'acb']],
    ['[A-C_]{2,3}', ['AB', 'x_A'], ['A1B', '']],
    ['^(?:ab?c+)?$', ['', 'ac', 'abccc'], ['abab']],
    ['[^x]$', ['a'], ['x', '']],
    ['.', ['a'], ['']],
  ];
  for (const [pattern, fits, not] of cases) {
    test(pattern, () => {
      const matches = compilePattern(pattern)!;
      for (const text of fits) assert.equal(matches(text), true, text);
      for (const text of not) assert.equal(matches(text), false, text);
      for (const text of [...fits, ...not]) assert.equal(matches(text), new RegExp(pattern).test(text), text);
    });
  }

  test('end, however they and the text are made, because they read no more than their budget', () => {
    const random = new Random(1);
    const mixed = Array.from({ length: 1 << 16 }, () => 'ab'[random.below(2)]).join('');
    for (const pattern of [
      '^(a+)+$x',
      '(a|a)*b',
      '.*.*.*.*.*b',
      '(a|a|a|a){100}b',
      '.{100}.{100}.{100}.{100}b',
      'a{0,100}a{0,100}b',
    ])
      assert.equal(compilePattern(pattern)!('a'.repeat(1 << 16)), false);
    for (const pattern of [
      'a[ab]{400}[cd]',
      '[ab]*a[ab]{200}[cd]',
      '(.*a.*b.*){30}[cd]',
      '(.*a.{100}){3}[cd]',
    ])
      assert.equal(compilePattern(pattern)!(mixed), false);
    // With 400 states, the budget ends before the only match.
    const late = `${mixed}c`;
    assert.deepEqual([/[ab]{400}c/.test(late), compilePattern('[ab]{400}c')!(late)], [true, false]);
  });

  test('share a budget: what is spent by one is not there for the next', () => {
    const [budget, matches] = [new PatternBudget(), compilePattern('[ab]{20}c$')!];
    assert.equal(matches(`${'ab'.repeat(20)}c`, budget), true);
    budget.left = 100;
    assert.equal(matches(`${'ab'.repeat(20)}c`, budget), false);
    assert.equal(budget.left, 0);
  });

  test('find words at the end of a long text', () => {
    const text = `${JSON.stringify({ list: Array(8000).fill('"code":') })}{"code":"900001"}`;
    assert.ok(text.length > 1 << 16);
    for (const pattern of ['"code":"9\\d{5}"', '(230003|900001)', '[0-9]+"}$'])
      assert.equal(compilePattern(pattern)!(text), true, pattern);
  });

  test('an invalid pattern is rejected', () => {
    for (const pattern of [
      '(',
      ')',
      '[',
      '*',
      'a**',
      '(?=a)',
      '\\1',
      'a{3,1}',
      'a{1,999}',
      'x'.repeat(201),
    ]) {
      assert.equal(compilePattern(pattern), undefined, pattern);
    }
  });
});

test('conditions compare values, numbers, lists and patterns', () => {
  const fits = (wanted: unknown, price: unknown) =>
    new Condition({ price: wanted }, ['price'], 'where').fits({ price });
  assert.ok(fits('100', '100.00') && fits(100, '100') && !fits('100', '100.01'));
  assert.ok(fits({ gte: 1, lte: '2' }, '1.5') && !fits({ gte: 1, lte: 2 }, '2.1') && !fits({ gte: 1 }, ''));
  assert.ok(fits({ in: ['a', 'b'] }, 'b') && !fits({ in: ['a'] }, 'b'));
  assert.ok(fits({ matches: '^a' }, 'ab') && !fits({ matches: '^a' }, undefined));
  for (const wanted of [{ near: 1 }, {}, { matches: '(' }, { in: 'a' }, { gte: 'x' }, ['a']]) {
    assert.throws(() => fits(wanted, 'a'), { name: 'Refusal' });
  }
  assert.throws(() => new Condition({ colour: 1 }, ['price'], 'where'), /unknown field/);
});

test('requests are listed, filtered and bounded, without secrets', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  const { connection } = running;
  const alice = new SignedClient(connection, 'alice');
  const placed = await alice.place({ clientOid: 'one' });
  await new SignedClient(connection, 'bob').get('/api/v1/accounts');
  await alice.send('GET', '/api/v1/accounts?currency=USDT', undefined, 'KC', '/api/v1/accounts');
  await fetch(`${connection.baseUrl}/api/v1/bullet-public`, { method: 'POST' });
  type Entry = Record<string, unknown> & { id: number };
  const all = await call<Entry[]>('GET', '/requests');
  assert.deepEqual(
    all.map(({ user, method, path, status, transport, dialect }) => [
      user,
      method,
      path,
      status,
      transport,
      dialect,
    ]),
    [
      ['alice', 'POST', '/compat/api/v1/hf/orders', 200, 'http', 'family'],
      ['bob', 'GET', '/compat/api/v1/accounts', 200, 'http', 'family'],
      ['alice', 'GET', '/compat/api/v1/accounts', 401, 'http', 'family'],
      [null, 'POST', '/api/v1/bullet-public', 200, 'http', 'literal'],
    ],
  );
  const [first, , refused, bullet] = all;
  assert.deepEqual(
    [first!['answer'], first!['code'], first!['route']],
    [placed.text, '200000', 'place-order'],
  );
  assert.match(String(first!['body']), /"clientOid":"one"/);
  assert.match(
    (refused!['signed'] as { expected: string }).expected,
    /^\d{13}GET\/api\/v1\/accounts\?currency=USDT$/,
  );
  assert.match(String(bullet!['answer']), /"token":"\*\*\*"/);
  const text = JSON.stringify(all);
  for (const { apiSecret, apiPassphrase } of connection.users) {
    assert.ok(!text.includes(apiSecret) && !text.includes(apiPassphrase));
  }
  const ids = async (query: string) => (await call<Entry[]>('GET', `/requests?${query}`)).map(({ id }) => id);
  assert.deepEqual(await ids('user=bob'), [2]);
  assert.deepEqual(await ids('route=place-order'), [1]);
  assert.deepEqual(await ids('route=/api/v1/bullet*'), [4]);
  assert.deepEqual(await ids('status=401'), [3]);
  assert.deepEqual(await ids('after=1&limit=2'), [2, 3]);
  assert.deepEqual(await ids('limit=1'), [4]);
  for (const query of ['limit=0', 'limit=1001', 'user=nobody', 'status=x']) {
    assert.notEqual((await ask('GET', `/requests?${query}`)).status, 200, query);
  }
});

test('at least the last 10,000 requests are kept, within a bound of bytes', () => {
  const list = new RequestList();
  const entry = {
    seq: 1,
    time: 1,
    wallTime: 1,
    user: null,
    apiKey: null,
    dialect: 'family',
    transport: 'http',
  };
  const rest = { route: 'r', method: 'GET', path: '/', query: '', body: '', status: 200, durationUs: 1 };
  for (let i = 0; i < 25_000; i++) list.add({ ...entry, ...rest, answer: 'x'.repeat(10_000) } as never);
  const kept: RequestEntry[] = [];
  for (let piece = list.list(() => true, 0, 1000); piece.length > 0; ) {
    kept.push(...piece);
    piece = list.list(() => true, piece.at(-1)!.id, 1000);
  }
  assert.ok(kept.length >= 10_000 && kept.length <= 20_000, String(kept.length));
  assert.equal(kept.at(-1)!.id, 25_000);
  assert.ok(kept.reduce((sum, { answer }) => sum + answer.length, 0) <= 64 << 20);
});

test('the tail streams requests as they arrive', async (context) => {
  const { running } = await sandboxFor(context);
  const { sandboxUrl, operatorToken, baseUrl } = running.connection;
  const response = await fetch(`${sandboxUrl}/requests/tail?route=get-server-time`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const reader = response.body!.getReader();
  await fetch(`${baseUrl}/api/v1/markets`);
  await fetch(`${baseUrl}/api/v1/timestamp`);
  let text = '';
  while (!text.includes('data: ')) text += Buffer.from((await reader.read()).value!).toString();
  assert.match(text, /data: \{.*"route":"get-server-time".*\}\n\n/);
  await reader.cancel();
});

test('a list of requests has a size limit, and the next page has the rest', () => {
  const list = new RequestList();
  const text = 'x'.repeat(60_000);
  const request = { seq: 1, time: 1, wallTime: 1, user: null, apiKey: null, dialect: 'family' } as const;
  const rest = { transport: 'http', route: 'r', method: 'GET', path: '/', query: '', status: 200 } as const;
  for (let i = 0; i < 100; i++) list.add({ ...request, ...rest, body: '', answer: text, durationUs: 1 });
  const newest = list.list(() => true, undefined, 1000);
  assert.ok(newest.length > 1 && newest.length * text.length <= 1 << 20);
  assert.equal(newest.at(-1)?.id, 100);
  const seen: number[] = [];
  for (let after = 0; after < 100; after = seen.at(-1)!) {
    for (const { id } of list.list(() => true, after, 1000)) seen.push(id);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
  assert.equal(list.list(() => true, 0, 3).length, 3);
});

test('expectations wait in exchange time, include past events, and report the closest match', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  const bob = new SignedClient(running.connection, 'bob');
  const { seq } = await call('GET', '/');
  await alice.place({ clientOid: 'rest', price: '50', size: '2' });
  await bob.place({ side: 'sell', price: '50', size: '0.5' });
  const expect = (kind: string, where: object, more: object = {}) =>
    call<{ met: boolean; event: Record<string, unknown>; closest: Record<string, unknown>[] }>(
      'POST',
      '/expect',
      {
        event: { kind, where },
        withinMs: 0,
        from: seq,
        ...more,
      },
    );
  const fill = await expect('fill', {
    user: 'alice',
    liquidity: 'maker',
    size: { gte: 0.5 },
    clientOid: 'rest',
  });
  assert.deepEqual([fill.met, fill.event['price'], fill.event['symbol']], [true, '50', 'BTC-USDT']);
  assert.ok(
    (await expect('order', { user: 'alice', change: 'match', dealSize: '0.5', remainSize: '1.5' })).met,
  );
  assert.ok((await expect('order', { user: 'bob', status: 'done', reason: 'filled', change: 'filled' })).met);
  assert.ok((await expect('trade', { symbol: 'BTC-USDT', side: 'sell', size: '0.5' })).met);
  assert.ok(
    (await expect('balance', { user: 'bob', currency: 'USDT', cause: 'trade', account: 'trade' })).met,
  );
  assert.ok((await expect('request', { user: 'bob', route: 'place-order', status: 200 })).met);
  const waiting = expect('order', { user: 'alice', change: 'canceled' }, { withinMs: HOUR_MS });
  const missed = expect(
    'order',
    { user: 'alice', clientOid: 'rest', change: 'canceled', reason: 'expired' },
    { withinMs: 5000 },
  );
  // Its timeout counts from its arrival, which may be after the first of these.
  const state = { isMissed: false };
  void missed.then(() => (state.isMissed = true));
  while (!state.isMissed) await call('POST', '/clock/advance', { ms: 5000 });
  const { met, closest } = await missed;
  assert.deepEqual([met, closest[0]!['clientOid']], [false, 'rest']);
  await alice.send('DELETE', '/api/v1/hf/orders/client-order/rest?symbol=BTC-USDT');
  assert.equal((await waiting).met, true);
  assert.equal((await expect('trade', { symbol: 'ETH-USDT' }, { withinMs: 20, clock: 'wall' })).met, false);
  for (const body of [
    { event: { kind: 'order', where: { colour: 'red' } }, withinMs: 1 },
    { event: { kind: 'wish', where: {} }, withinMs: 1 },
    { event: { kind: 'order', where: { clientOid: { matches: '(' } } }, withinMs: 1 },
    { event: { kind: 'order', where: {} }, withinMs: -1 },
  ]) {
    assert.equal((await ask('POST', '/expect', body)).status, 400, JSON.stringify(body));
  }
});

test('assertions hold until they are removed, and name the event that broke them', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  const add = (name: string, body: object) => call('POST', '/assertions', { name, ...body });
  await add('few', { always: { user: 'alice', openOrdersMax: 2 } });
  await add('rich', { always: { user: 'alice', currency: 'USDT', balanceMin: '2000000' } });
  await add('named', { never: { request: { route: 'place-order', clientOid: '' } } });
  await add('broken', { always: { user: 'alice', openOrdersMax: 0 } });
  assert.equal(
    (await ask('POST', '/assertions', { name: 'few', always: { user: 'bob', openOrdersMax: 1 } })).status,
    409,
  );
  for (const [body, status] of [
    [{ name: 'x' }, 400],
    [{ name: 'x', always: { user: 'alice' } }, 400],
    [{ name: 'x', always: { user: 'nobody', openOrdersMax: 1 } }, 404],
    [{ name: 'x', always: { user: 'alice', currency: 'USDT', balanceMin: '1e3' } }, 400],
  ] as const) {
    assert.equal((await ask('POST', '/assertions', body)).status, status, JSON.stringify(body));
  }
  for (const clientOid of ['a', 'b']) await alice.place({ clientOid });
  type State = { name: string; holds: boolean; brokenBy: Record<string, unknown> | null };
  const states = async () =>
    Object.fromEntries((await call<State[]>('GET', '/assertions')).map((each) => [each.name, each]));
  const before = await states();
  assert.deepEqual(
    [before['few']!.holds, before['rich']!.holds, before['named']!.holds, before['broken']!.holds],
    [true, true, true, false],
  );
  assert.equal(before['broken']!.brokenBy!['clientOid'], 'a');
  await alice.place({ clientOid: 'c' });
  await alice.place({ price: '1' });
  const after = await states();
  assert.equal(after['few']!.brokenBy!['clientOid'], 'c');
  assert.equal(after['named']!.brokenBy!['route'], 'place-order');
  assert.equal(after['rich']!.holds, true);
  await call('DELETE', '/assertions/few');
  assert.equal((await ask('DELETE', '/assertions/few')).status, 404);
});

test('an assertion on a balance counts both accounts, at the end of each record', async (context) => {
  const { running, call } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  type State = { name: string; holds: boolean; brokenBy: Record<string, unknown> | null };
  const bounds = { balanceMin: '2000000', balanceMax: '2000000' };
  await call('POST', '/assertions', { name: 'same', always: { user: 'alice', currency: 'USDT', ...bounds } });
  for (const [from, to] of [
    ['main', 'trade'],
    ['trade', 'main'],
  ] as const) {
    const transfer = { clientOid: from, currency: 'USDT', from, to, amount: '10' };
    assert.equal((await alice.send('POST', '/api/v2/accounts/inner-transfer', transfer)).status, 200);
  }
  const [kept] = await call<State[]>('GET', '/assertions');
  assert.equal(kept!.holds, true, JSON.stringify(kept!.brokenBy));
  const faucet = { user: 'alice', currency: 'USDT', amount: '1' };
  const { seq } = await call('GET', '/');
  await call('POST', '/faucet', { ...faucet, account: 'trade' });
  const [broken] = await call<State[]>('GET', '/assertions');
  assert.equal(broken!.holds, false);
  assert.ok(Number(broken!.brokenBy!['seq']) > seq, JSON.stringify(broken!.brokenBy));
});
