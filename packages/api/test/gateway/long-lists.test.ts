/** Long lists of history do not starve other requests: they are read in pieces, alternating between users. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusedAs } from '@bourse/test-kit/test-engine.ts';
import { Client, startServer } from '@bourse/test-kit/server.ts';
import { LongLists } from '../../src/gateway/paging.ts';
import type { Page } from '../../../engine/src/history/history.ts';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { SANDBOX_OPERATOR_TOKEN } from '../../../sandbox/src/users.ts';
import { limit, ORDERS } from '@bourse/test-kit/gateway/trading.ts';

const PIECE_ROWS = 50;

/** Rows 1 to `count`, the newest first, as history reads them. */
function rowsOf(count: number, onRead: (rows: number) => void = () => undefined) {
  return ({ after = count + 1, skip = 0, limit: asked }: Page) => {
    const first = after - 1 - skip;
    const length = Math.max(0, Math.min(asked, first));
    onRead(length);
    return Array.from({ length }, (_, at) => ({ id: first - at }));
  };
}

const show = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

describe('a long list', () => {
  test('is the same as one read at once, whatever page is requested', async () => {
    const lists = new LongLists(nodeClock);
    for (const count of [0, 1, 49, 50, 51, 100, 230]) {
      const read = rowsOf(count);
      for (const page of [
        { limit: 1000 },
        { limit: 50 },
        { limit: 120, skip: 30 },
        { limit: 7, after: 60 },
      ]) {
        assert.deepEqual(await lists.collect({ user: 1, page, read, show }), show(read(page)), `${count}`);
      }
    }
  });

  test('reads one small piece per event loop iteration, however many rows are requested', async () => {
    const lists = new LongLists(nodeClock);
    let readInTurn = 0;
    let most = 0;
    let isOver = false;
    const look = () => {
      most = Math.max(most, readInTurn);
      readInTurn = 0;
      if (!isOver) setImmediate(look);
    };
    look();
    const read = rowsOf(1000, (rows) => (readInTurn += rows));
    const wanted = [1, 1, 1, 2, 3].map((user) =>
      lists.collect({ user, page: { limit: 1000 }, read, show: async (rows) => show(rows) }),
    );
    for (const shown of await Promise.all(wanted)) assert.equal(shown.length, 1000);
    isOver = true;
    assert.ok(most > 0 && most <= PIECE_ROWS, `${most} rows in a turn`);
  });

  test('of one user does not wait for all lists of another', async () => {
    const lists = new LongLists(nodeClock);
    const ends: string[] = [];
    const want = (user: number, rows: number, name: string) =>
      lists
        .collect({ user, page: { limit: rows }, read: rowsOf(rows), show })
        .then(() => void ends.push(name));
    const others = Array.from({ length: 10 }, (_, at) => want(1, 1000, `other ${at}`));
    await Promise.all([...others, want(2, 200, 'mine')]);
    assert.equal(ends[0], 'mine');
  });

  test('is rejected when too many are pending, and a failure affects only its own list', async () => {
    const lists = new LongLists(nodeClock);
    const want = (user: number) => lists.collect({ user, page: { limit: 100 }, read: rowsOf(100), show });
    const broken = assert.rejects(
      lists.collect({
        user: 1,
        page: { limit: 100 },
        read: () => {
          throw new Error('damaged');
        },
        show,
      }),
      /damaged/,
    );
    const wanted = Array.from({ length: 15 }, () => want(1));
    await assert.rejects(want(1), refusedAs('queue-full'));
    assert.equal((await want(2)).length, 100);
    await broken;
    for (const shown of await Promise.all(wanted)) assert.equal(shown.length, 100);
    assert.equal((await want(1)).length, 100);
  });
});

test('the old lists of done orders and fills have the same length and order as before', async () => {
  const roomy = { spot: 1e6, manage: 1e6, public: 1e6 };
  const server = await startServer({ quotas: roomy });
  try {
    const alice = new Client(server.url, 'alice');
    const bob = new Client(server.url, 'bob', 'family');
    for (let i = 0; i < 60; i++) {
      await alice.post(ORDERS, limit('sell', '40000', '0.001', { clientOid: `sell-${i}` }));
      await bob.post(ORDERS, limit('buy', '40000', '0.001', { clientOid: `buy-${i}` }));
    }
    for (const [path, field] of [
      ['/api/v1/limit/orders', 'id'],
      ['/api/v1/limit/fills', 'tradeId'],
    ] as const) {
      const { json } = await bob.get(path);
      const rows = json.data as Record<string, unknown>[];
      assert.equal(rows.length, 60, path);
      assert.equal(new Set(rows.map((row) => row[field])).size, 60);
      const times = rows.map((row) => Number(row['createdAt']));
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      );
    }
    const { json } = await bob.get('/api/v1/orders?status=done&pageSize=500');
    const { totalNum, items } = json.data as { totalNum: number; items: unknown[] };
    assert.deepEqual([totalNum, items.length], [60, 60]);
  } finally {
    await server.close();
  }
});

/** Every list of history that users can request, with its maximum page size. */
const LISTS = [
  '/api/v1/hf/orders/done?limit=100',
  '/api/v1/hf/fills?limit=100',
  '/api/v1/hf/accounts/ledgers?limit=100',
  '/api/v1/accounts/ledgers?pageSize=500',
  '/api/v1/orders?pageSize=500',
  '/api/v1/orders?type=limit_stop&pageSize=500',
  '/api/v1/orders?type=oco_limit&pageSize=500',
  '/api/v1/fills?pageSize=500',
  '/api/v1/limit/orders',
  '/api/v1/limit/fills',
  '/api/v1/stop-order?status=done&pageSize=500',
  '/api/v3/oco/orders?status=done&pageSize=500',
  '/api/v1/deposits?pageSize=500',
  '/api/v1/hist-deposits?pageSize=500',
  '/api/v1/withdrawals?pageSize=500',
  '/api/v1/hist-withdrawals?pageSize=500',
];

/** The same of operators. */
const OPERATOR_LISTS = [
  '/operator/v1/audit?limit=500',
  '/operator/v1/users/bob/orders?status=done&limit=500',
  '/operator/v1/users/bob/fills?limit=500',
  '/operator/v1/deposits?pageSize=500',
  '/operator/v1/withdrawals?pageSize=500',
];

test('every list reads history in bounded pieces', async (context) => {
  const limits: number[] = [];
  const server = await startServer({ quotas: { spot: 1e6, manage: 1e6 } });
  context.after(() => server.close());
  const { history } = server.services;
  const read = (page: Page) => {
    limits.push(page.limit);
    return [];
  };
  const kinds = ['orders', 'fills', 'ledger', 'deposits', 'withdrawals', 'stopOrders', 'ocoOrders'] as const;
  context.mock.method(history, 'audit', read);
  for (const kind of kinds) {
    context.mock.method(history, kind, read);
    // Counting is bounded by its own index, and is not a list.
    context.mock.method(history, `count${kind[0].toUpperCase()}${kind.slice(1)}` as 'countOrders', () => 0);
  }
  const bob = new Client(server.url, 'bob', 'family');
  const headers = { authorization: `Bearer ${SANDBOX_OPERATOR_TOKEN}`, 'x-operator': 'ann' };
  const askOperator = (path: string) => fetch(`${server.url}${path}`, { headers });
  for (const path of [...LISTS, ...OPERATOR_LISTS]) {
    limits.length = 0;
    const { status } = await (path.startsWith('/operator') ? askOperator(path) : bob.get(path));
    assert.equal(status, 200, path);
    assert.ok(limits.length > 0, `${path} reads history`);
    assert.ok(Math.max(...limits) <= PIECE_ROWS, `${path} reads ${limits} rows`);
  }
});

/** Rows of the exchange's own lists are cheaper than those of history. */
const OWN_PIECE_ROWS = 500;

test('lists kept in the memory of the exchange are also read in bounded pieces', async (context) => {
  const server = await startServer({ quotas: { spot: 1e6, manage: 1e6 } });
  context.after(() => server.close());
  const reference = await server.services.port.read((exchange) => exchange.reference);
  const headers = { authorization: `Bearer ${SANDBOX_OPERATOR_TOKEN}`, 'x-operator': 'ann' };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}/operator/v1${path}`, { headers, ...init });
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return JSON.parse(text) as { totalNum: number; totalPage: number; items: Record<string, string>[] };
  };
  const limits: number[] = [];
  const count = 30_000;
  const isPending = (id: number) => id === 7 || id === 29_000;
  context.mock.method(reference, 'questionnaires', (page: Page = { limit: Infinity }) =>
    rowsOf(
      count,
      (rows) => void limits.push(rows),
    )(page).map(({ id }) => ({
      questionnaire: id,
      travelRuleId: id,
      user: id % 3,
      senderType: 'individual',
      info: '{}',
      state: isPending(id) ? 'pending' : 'success',
      failureCode: '',
    })),
  );
  const all = await ask('/questionnaires?pageSize=500');
  assert.deepEqual([all.totalNum, all.totalPage, all.items.length], [10_000, 20, 500]);
  const last = await ask('/questionnaires?pageSize=500&currentPage=20');
  assert.equal(new Set([...all.items, ...last.items].map(({ orderId }) => orderId)).size, 1000);
  const pending = await ask('/questionnaires?status=pending');
  assert.deepEqual([pending.totalNum, pending.items.length], [2, 2]);
  assert.ok(pending.items[0]!.orderId! > pending.items[1]!.orderId!, 'newest first');
  const mine = await ask('/questionnaires?userId=alice&status=success&pageSize=500');
  assert.equal(new Set(mine.items.map(({ userId }) => userId)).size, 1);
  assert.ok(limits.length > 60, `${limits.length} reads`);
  assert.ok(Math.max(...limits) <= OWN_PIECE_ROWS, `reads ${Math.max(...limits)} questionnaires at once`);

  const side = { userId: 'alice', account: 'main' };
  for (let at = 0; at < 60; at++) {
    const body = { kind: 'move', currency: 'USDT', amount: '1', from: side, to: { system: 'suspense' } };
    await ask('/corrections', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, clientOid: `move ${at}`, reason: 'a test' }),
    });
  }
  limits.length = 0;
  const corrections = reference.corrections.bind(reference);
  context.mock.method(reference, 'corrections', (page: Page) => {
    const rows = corrections(page);
    limits.push(rows.length);
    return rows;
  });
  const moved = await ask('/corrections?pageSize=500');
  assert.deepEqual(
    moved.items.map(({ clientOid }) => clientOid),
    Array.from({ length: 60 }, (_, at) => `move ${59 - at}`),
  );
  assert.ok(Math.max(...limits) <= PIECE_ROWS, `reads ${limits} corrections`);
  const second = await ask('/corrections?pageSize=25&currentPage=3');
  assert.deepEqual([second.totalNum, second.totalPage], [60, 3]);
  assert.deepEqual(
    second.items.map(({ clientOid }) => clientOid),
    Array.from({ length: 10 }, (_, at) => `move ${9 - at}`),
  );
});
