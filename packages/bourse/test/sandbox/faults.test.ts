import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import ccxt from 'ccxt';
import { ccxtClient, isExactly, PAIR } from '../clients/ccxt-client.ts';
import { SignedClient } from './client.ts';
import { sandboxFor, type TestSandbox } from './exchange.ts';
import { faultTest } from './fault-test.ts';

type Rule = { id: string; hits: number };

const DELAY_MS = 3000;

async function setUp(sandbox: TestSandbox) {
  const { connection } = sandbox.running;
  const client = await ccxtClient(connection.compatUrl, 'alice');
  client.timeout = 5000;
  await client.loadMarkets();
  const alice = new SignedClient(connection, 'alice');
  return { sandbox, client, alice, ...sandbox };
}

/** The core's open orders, whatever the client was told. */
const openOrders = ({ running }: TestSandbox): Promise<string[]> =>
  running.engine.read((exchange) => exchange.openOrders(0, 0).map(({ clientId }) => clientId));

const buy = (client: Awaited<ReturnType<typeof ccxtClient>>, clientOid: string) =>
  client.createOrder(PAIR, 'limit', 'buy', 1, 100, { clientOid, hf: true });

faultTest(
  'promise 22: ccxt sees an error for each fault, whether the order was placed or not',
  async (given) => {
    const { sandbox, client, call } = await setUp(given);
    const { NetworkError, ExchangeNotAvailable, ExchangeError } = ccxt;
    const rule = (effect: object) =>
      call<Rule>('POST', '/faults', { match: { user: 'alice', route: 'place-order' }, effect, times: 1 });
    const table: [effect: object, isDone: boolean, sees: (error: unknown) => boolean][] = [
      [{ kind: 'error', code: '429000' }, false, isExactly(ExchangeError)],
      [{ kind: 'error', status: 503, code: '503000', msg: 'maintenance' }, false, isExactly(ExchangeError)],
      [{ kind: 'html' }, false, isExactly(ExchangeNotAvailable)],
      [{ kind: 'drop-request' }, false, (e) => e instanceof NetworkError],
      [{ kind: 'drop-reply' }, true, (e) => e instanceof NetworkError],
      [{ kind: 'truncate', bytes: 12 }, true, (e) => e instanceof Error],
    ];
    const seq = () => sandbox.running.engine.health.seq;
    for (const [at, [effect, isDone, sees]] of table.entries()) {
      const { id } = await rule(effect);
      const before = seq();
      await assert.rejects(buy(client, `o${at}`), sees, JSON.stringify(effect));
      assert.equal((await openOrders(sandbox)).includes(`o${at}`), isDone, JSON.stringify(effect));
      assert.equal(seq() > before, isDone, 'a fault leaves nothing in the log');
      const [{ hits }] = (await call<Rule[]>('GET', '/faults')).filter((each) => each.id === id) as [Rule];
      assert.equal(hits, 1);
      const entries = await call<{ fault?: string; body: string }[]>(
        'GET',
        '/requests?route=place-order&limit=1',
      );
      assert.equal(entries[0]!.fault, id);
    }
    // Each rule has fired once; the next request is not affected.
    assert.ok((await buy(client, 'after')).id);
    assert.deepEqual((await openOrders(sandbox)).toSorted(), ['after', 'o4', 'o5']);
  },
);

faultTest('responses can be delayed, and bodies sent slowly', async (given) => {
  const { sandbox, call, alice } = await setUp(given);
  /** The response, whether it was delayed, and whether the order existed long before it. */
  const timed = async (effect: object) => {
    const { id } = await call<Rule>('POST', '/faults', { match: { route: 'place-order' }, effect });
    const startedAt = performance.now();
    const reply = alice.place({ clientOid: id });
    while (!(await openOrders(sandbox)).includes(id)) await setTimeout(5);
    const takenMs = performance.now() - startedAt;
    const { body } = await reply;
    const result = [body.code, performance.now() - startedAt >= 400, takenMs < 0.9 * DELAY_MS];
    await call('DELETE', `/faults/${id}`);
    return result;
  };
  assert.deepEqual(await timed({ kind: 'delay', ms: DELAY_MS }), ['200000', true, true], 'taken at once');
  assert.deepEqual(
    await timed({ kind: 'delay', ms: DELAY_MS, before: true }),
    ['200000', true, false],
    'taken only then',
  );
  assert.deepEqual(await timed({ kind: 'slow-body', bytesPerSecond: 120 }), ['200000', true, true]);
});

faultTest('a late order has the id that was returned at once, and may still be rejected', async (given) => {
  const { sandbox, call, alice } = await setUp(given);
  await call('POST', '/faults', { effect: { kind: 'late-order', ms: 5000 } });
  const { body } = await alice.place({ clientOid: 'late' });
  const { orderId } = body.data as { orderId: string };
  const look = async () => (await alice.get(`/api/v1/hf/orders/${orderId}?symbol=BTC-USDT`)).body;
  assert.deepEqual([await openOrders(sandbox), (await look()).code === '200000'], [[], false]);
  await call('POST', '/clock/advance', { ms: 4999 });
  assert.deepEqual(await openOrders(sandbox), []);
  await call('POST', '/clock/advance', { ms: 1 });
  assert.deepEqual(await openOrders(sandbox), ['late']);
  const found = (await look()).data as { id: string; clientOid: string };
  assert.deepEqual([found.id, found.clientOid], [orderId, 'late']);
  assert.match((await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT')).text, new RegExp(orderId));
  await call('DELETE', '/faults');
  assert.equal((await alice.cancel(orderId)).body.code, '200000');
  assert.deepEqual(await openOrders(sandbox), []);
  // Rejected by the core, after the client got its confirmation.
  await call('POST', '/faults', { effect: { kind: 'late-order', ms: 10 } });
  assert.equal((await alice.place({ price: '100000', size: '1000' })).body.code, '200000');
  await call('POST', '/clock/advance', { ms: 100 });
  assert.deepEqual(await openOrders(sandbox), []);
});

faultTest('a late cancellation may arrive after the order has filled', async (given) => {
  const { sandbox, call, alice, running } = await setUp(given);
  const place = async (clientOid: string) =>
    ((await alice.place({ clientOid, price: '50' })).body.data as { orderId: string }).orderId;
  const [first, second] = [await place('first'), await place('second')];
  await call('POST', '/faults', { effect: { kind: 'late-cancel', ms: 1000 } });
  assert.equal((await alice.cancel(second)).body.code, '200000');
  assert.equal((await alice.cancel(first)).body.code, '200000');
  assert.deepEqual((await openOrders(sandbox)).toSorted(), ['first', 'second'], 'confirmed, and still there');
  const { seq } = await call('GET', '/');
  await new SignedClient(running.connection, 'bob').place({ side: 'sell', price: '50', size: '1' });
  await call('POST', '/clock/advance', { ms: 1000 });
  assert.deepEqual(await openOrders(sandbox), []);
  const fill = await call('POST', '/expect', {
    event: { kind: 'fill', where: { user: 'alice', clientOid: 'first' } },
    withinMs: 0,
    from: seq,
  });
  assert.equal(fill.met, true, 'a fill between the cancellation and its effect');
  assert.notEqual(
    (await alice.cancel('0'.repeat(24))).body.code,
    '200000',
    'what is not there is refused at once',
  );
});

faultTest('stale reads show earlier orders, balances and books', async (given) => {
  const { call, alice, running } = await setUp(given);
  await alice.place({ clientOid: 'old', price: '50' });
  await call('POST', '/clock/advance', { ms: 10_000 });
  await alice.place({ clientOid: 'new', price: '51' });
  await call('POST', '/clock/advance', { ms: 1000 });
  const { id } = await call<Rule>('POST', '/faults', { effect: { kind: 'stale-read', ms: 5000 } });
  const active = async () =>
    ((await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT')).body.data as { clientOid: string }[]).map(
      ({ clientOid }) => clientOid,
    );
  const best = async () =>
    (
      (await (
        await fetch(`${running.connection.compatUrl}/api/v1/market/orderbook/level2_20?symbol=BTC-USDT`)
      ).json()) as { data: { bids: string[][] } }
    ).data.bids[0]?.[0];
  const holds = async () => (await alice.get('/api/v1/accounts?currency=USDT&type=trade')).text;
  assert.deepEqual([await active(), await best()], [['old'], '50']);
  const stale = await holds();
  await call('POST', '/clock/advance', { ms: 4000 });
  assert.deepEqual([(await active()).toSorted(), await best()], [['new', 'old'], '51']);
  assert.notEqual(await holds(), stale);
  await call('DELETE', `/faults/${id}`);
  assert.deepEqual((await active()).toSorted(), ['new', 'old']);
});

faultTest('rules fire by after, every, times and a seeded probability', async (given) => {
  const { call, alice } = await setUp(given);
  const pattern = async (rule: object, count: number) => {
    const { id } = await call<Rule>('POST', '/faults', {
      match: { user: 'alice', route: '/api/v1/accounts*', method: 'GET' },
      effect: { kind: 'error', code: '500000' },
      ...rule,
    });
    let seen = '';
    for (let i = 0; i < count; i++)
      seen += (await alice.get('/api/v1/accounts')).body.code === '500000' ? 'x' : '.';
    await call('DELETE', `/faults/${id}`);
    return seen;
  };
  assert.equal(await pattern({ after: 2, every: 2, times: 2 }, 9), '...x.x...');
  const drawn = await pattern({ probability: 0.5, seed: 7 }, 20);
  assert.equal(await pattern({ probability: 0.5, seed: 7 }, 20), drawn);
  assert.match(drawn, /x.*\.|\..*x/);
  assert.notEqual(await pattern({ probability: 0.5, seed: 8 }, 20), drawn);
});

test('invalid rules are rejected with an error message', async (context) => {
  const { ask, call } = await sandboxFor(context);
  const effect = { kind: 'html' };
  for (const [body, status] of [
    [{ effect: { kind: 'explode' } }, 400],
    [{ effect: { kind: 'delay' } }, 400],
    [{ effect: { kind: 'delay', ms: 1, minMs: 1 } }, 400],
    [{ effect: { kind: 'html', ms: 1 } }, 400],
    [{ effect: { kind: 'error', code: 'mine' } }, 400],
    [{ effect, match: { user: 'nobody' } }, 404],
    [{ effect, match: { symbol: 'XXX-YYY' } }, 404],
    [{ effect, match: { route: 'no-such-route' } }, 404],
    [{ effect, match: { route: '/api/v9/*' } }, 404],
    [{ effect, match: { topic: '/market/ticker' } }, 400],
    [{ effect: { kind: 'feed-drop' }, match: { topic: '/market/nothing' } }, 404],
    [{ effect: { kind: 'feed-drop' }, match: { route: 'place-order' } }, 400],
    [{ effect, probability: 2 }, 400],
    [{ effect, every: 0 }, 400],
  ] as const) {
    const answer = await ask('POST', '/faults', body);
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.match((answer.body as { msg: string }).msg, /\w+/);
  }
  assert.deepEqual(await call('GET', '/faults'), []);
  assert.equal((await ask('DELETE', '/faults/r1')).status, 404);
  assert.equal((await ask('POST', '/scenarios/none')).status, 404);
});

test('the rules of a scenario begin and end together', async (context) => {
  const { call, ask, running } = await sandboxFor(context);
  const names = (await call<{ name: string; summary: string }[]>('GET', '/scenarios')).map(
    ({ name }) => name,
  );
  assert.deepEqual(names, ['stress', 'maintenance', 'flaky-network']);
  await call('POST', '/scenarios/maintenance');
  assert.equal((await ask('POST', '/scenarios/maintenance')).status, 409);
  const alice = new SignedClient(running.connection, 'alice');
  assert.equal((await alice.get('/api/v1/accounts')).status, 503);
  await call('DELETE', '/scenarios/maintenance');
  assert.deepEqual(await call('GET', '/faults'), []);
  assert.equal((await alice.get('/api/v1/accounts')).status, 200);
});
