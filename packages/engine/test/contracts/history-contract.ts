/** The contract of every history, whatever it is stored in. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM_ACCOUNTS } from '@bourse/core';
import { Random } from '@bourse/test-kit/random.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import {
  COUNT_MAX,
  EVERYBODY,
  HistoryGap,
  type HistoryReader,
  type HistoryWriter,
  type Page,
} from '../../src/history/history.ts';
import { checkCandles, checkFolding } from './candle-contract.ts';
import { checkAmounts, checkOneTrade } from './trade-contract.ts';
import { QUOTE, recordsOf, TradeWriter } from '../history/history-world.ts';

export interface OpenHistory {
  readonly writer: HistoryWriter;
  readonly reader: HistoryReader;
  /** Ends both as a restart does, and opens them again on the same data. */
  reopen(): OpenHistory;
  dispose(): void;
}

const SEEDS = [11, 12];
const RECORDS = 1200;
const LIST_MAX = 1_000_000;

export function historyContract(name: string, open: () => OpenHistory): void {
  const using = (work: (history: OpenHistory) => void) => () => {
    const history = open();
    try {
      work(history);
    } finally {
      history.dispose();
    }
  };

  describe(`history contract: ${name}`, () => {
    it(
      'is empty at first',
      using(({ writer, reader }) => {
        assert.equal(writer.checkpoint, 0);
        assert.equal(reader.checkpoint, 0);
        assert.equal(reader.order(1), null);
        assert.equal(reader.orderByClientId(0, 'none'), null);
        assert.deepEqual(listsOf(reader, 0, { limit: 10 }), [[], [], [], [], [], [], [], []]);
        assert.deepEqual(reader.audit({ limit: 10, from: 5, until: 6 }), []);
        assert.equal(writer.prune(1e15), false);
      }),
    );

    it('stores the order, fee and balance of both sides of a trade', using(checkOneTrade));

    it(
      'a fee that takes all proceeds leaves one ledger entry, and the next page continues after it',
      using(({ writer, reader }) => {
        const trades = new TradeWriter();
        const part = trades.trade(10, 10, 1n, 1000n);
        const whole = Array.from({ length: 9 }, () => trades.trade(10, 10, 100n, 1000n));
        writer.write([trades.opening, part, ...whole]);
        const quote = reader.ledger({ user: 2, currency: QUOTE, limit: 1 });
        assert.deepEqual(
          quote.map(({ id, change }) => [id, change]),
          [[4, 99n]],
        );
        assert.deepEqual(
          reader.ledger({ user: 2, limit: 2, after: 7 }).map(({ id }) => id),
          [4, 3],
        );
      }),
    );

    it('keeps amounts exact up to 2^100, and on either side of 2^63', using(checkAmounts));

    it(
      'returns every list like plain filtering, page by page, even after a restart',
      using((first) => {
        let history = first;
        const seen = new Map<string, number>();
        for (const seed of SEEDS) {
          const model = new MemoryHistory();
          const records = recordsOf(seed, RECORDS);
          model.write(records);
          count(seen, model);
          history.dispose();
          history = open();
          for (let at = 0; at < records.length; at += 100) history.writer.write(records.slice(at, at + 100));
          checkLists(history.reader, model, seed);
          history = history.reopen();
          assert.equal(history.writer.checkpoint, RECORDS);
          checkLists(history.reader, model, seed);
        }
        history.dispose();
        for (const [kind, rows] of seen) assert.ok(rows > 0, `no ${kind} in any world`);
      }),
    );

    it(
      'has the last 100 trades of a symbol, newest first, however they were batched',
      using((first) => {
        const trades = new TradeWriter();
        const records = [
          trades.opening,
          ...Array.from({ length: 333 }, (_, i) => trades.trade(10 + i, 10, 1n, 1000n)),
        ];
        assert.deepEqual(first.reader.lastTrades(7), []);
        first.writer.write(records.slice(0, 300));
        for (const record of records.slice(300)) first.writer.write([record]);
        while (first.writer.prune(1e15));
        const { reader } = first.reopen();
        const rows = reader.lastTrades(7);
        assert.deepEqual(
          rows.map(({ trade }) => trade),
          Array.from({ length: 100 }, (_, i) => 333 - i),
        );
        const { time } = records[333];
        assert.deepEqual(rows[0], { symbol: 7, trade: 333, price: 342, size: 10, side: 'buy', time });
        assert.deepEqual(reader.lastTrades(8), []);
      }),
    );

    it(
      'folds trades into candles of every interval, even across writes, and keeps daily candles when it prunes minutes',
      using(checkFolding),
    );

    it(
      'stops counting at the maximum',
      using(({ writer, reader }) => {
        const trades = new TradeWriter();
        writer.write([
          trades.opening,
          ...Array.from({ length: COUNT_MAX / 2 + 1 }, () => trades.trade(10, 10, 1n, 1000n)),
        ]);
        assert.equal(reader.countLedger({ user: 1 }), COUNT_MAX);
        assert.equal(reader.countLedger({ user: 1, currency: QUOTE }), COUNT_MAX / 2 + 1);
        assert.equal(reader.countLedger({ user: 1, direction: 'in', currency: QUOTE }), 0);
        assert.equal(reader.countFills({ user: 1 }), COUNT_MAX / 2 + 1);
        assert.equal(reader.countFills({ user: 1, side: 'sell' }), 0);
      }),
    );

    it(
      'skips records that it has, so that writing them again duplicates nothing',
      using((first) => {
        const records = recordsOf(SEEDS[0], RECORDS);
        const model = new MemoryHistory();
        model.write(records);
        first.writer.write(records.slice(0, 700));
        first.writer.write(records.slice(200, 650));
        assert.equal(first.writer.checkpoint, 700);
        const { writer, reader } = first.reopen();
        writer.write(records.slice(500));
        checkLists(reader, model, SEEDS[0]);
        checkCandles(reader, model);
      }),
    );

    it(
      'rejects records that leave a gap, and writes none of them',
      using(({ writer, reader }) => {
        const records = recordsOf(SEEDS[0], 300);
        writer.write(records.slice(0, 100));
        assert.throws(() => writer.write([...records.slice(100, 150), ...records.slice(151)]), HistoryGap);
        assert.throws(() => writer.write(records.slice(101)), HistoryGap);
        assert.equal(writer.checkpoint, 100);
        assert.equal(reader.checkpoint, 100);
        writer.write(records);
        const model = new MemoryHistory();
        model.write(records);
        checkLists(reader, model, SEEDS[0]);
      }),
    );

    it('prunes the oldest rows in small steps, and ids continue unchanged', using(checkPruning));
  });
}

/** Detects a world in which nothing happens. */
function count(
  seen: Map<string, number>,
  { doneOrders, doneStops, doneOcos, fillRows, entries, houseRows, auditRows, moved }: MemoryHistory,
): void {
  const add = (kind: string, rows: number) => seen.set(kind, (seen.get(kind) ?? 0) + rows);
  add('orders', doneOrders.length);
  add('orders with client ids', doneOrders.filter(({ clientId }) => clientId !== '').length);
  for (const reason of ['triggered', 'rejected', 'requested', 'oco'] as const) {
    add(`stop orders ${reason}`, doneStops.filter((stop) => stop.reason === reason).length);
  }
  add('stop orders with client ids', doneStops.filter(({ request }) => request.clientId).length);
  add('OCO orders', doneOcos.length);
  add('fills', fillRows.length);
  add('further fills of an order', fillRows.length - new Set(fillRows.map(({ order }) => order)).size);
  add('audit rows', auditRows.length);
  for (const cause of ['trade', 'deposit', 'withdrawal', 'correction'] as const) {
    add(`${cause} rows of the house`, houseRows.filter((row) => row.cause === cause).length);
  }
  add('rows of several trades', houseRows.filter(({ trade, lastTrade }) => lastTrade > trade).length);
  for (const cause of ['trade', 'deposit', 'transfer', 'sub-transfer', 'withdrawal'] as const) {
    add(`${cause} entries`, entries.filter((entry) => entry.cause === cause).length);
  }
  for (const kind of ['deposit-set', 'transfer-made', 'withdrawal-set'] as const) {
    add(kind, [...moved.values()].filter(({ event }) => event.kind === kind).length);
  }
}

/** Of deposits and withdrawals, which change then only by a correction. */
const OVER: readonly string[] = ['done', 'returned', 'sent', 'failed', 'cancelled'];

function checkPruning({ writer, reader }: OpenHistory): void {
  const records = recordsOf(SEEDS[1], RECORDS);
  const half = RECORDS / 2;
  writer.write(records.slice(0, half));
  const time = records[half - 50].time;
  const sizeOf = (history: HistoryReader): number =>
    listsOfAll(history).reduce((sum, list) => sum + list.length, 0);
  let isMoreLeft = true;
  for (let step = 0; isMoreLeft; step++) {
    assert.ok(step < 1000, 'pruning comes to an end');
    const before = sizeOf(reader);
    isMoreLeft = writer.prune(time);
    assert.ok(!isMoreLeft || sizeOf(reader) < before, 'a step that is not the last removes something');
  }
  assert.equal(writer.checkpoint, half);
  writer.write(records);

  const whole = new MemoryHistory();
  whole.write(records);
  const isNew = (row: { time: number }): boolean => row.time >= time;
  whole.doneOrders = whole.doneOrders.filter((order) => order.doneAt >= time);
  whole.fillRows = whole.fillRows.filter(isNew);
  whole.entries = whole.entries.filter(isNew);
  whole.houseRows = whole.houseRows.filter(isNew);
  whole.doneStops = whole.doneStops.filter((stop) => stop.doneAt >= time);
  whole.doneOcos = whole.doneOcos.filter((oco) => oco.doneAt >= time);
  const until = new MemoryHistory();
  until.write(records.slice(0, half));
  for (const { id, updatedAt, event } of until.moved.values()) {
    const isOver = event.kind === 'transfer-made' || OVER.includes(event.state);
    if (updatedAt >= time || !isOver) continue;
    const later = whole.moved.get(id)!;
    // A pruned deposit that is later reversed is stored again, with its original time.
    if (later.updatedAt === updatedAt) whole.moved.delete(id);
    else whole.moved.set(id, { ...later, createdAt: later.updatedAt });
  }
  assert.ok(whole.doneOrders[0].id > 1 && whole.moved.size > 0, 'something was pruned and something left');
  checkLists(reader, whole, SEEDS[1]);
}

const USERS = [EVERYBODY, ...Array.from({ length: 12 }, (_, user) => user)];

const listsOf = (history: HistoryReader, user: number, page: Page) => [
  history.orders({ user, ...page }),
  history.fills({ user, ...page }),
  history.ledger({ user, ...page }),
  history.transfers({ user, ...page }),
  history.deposits({ user, ...page }),
  history.withdrawals({ user, ...page }),
  history.stopOrders({ user, ...page }),
  history.ocoOrders({ user, ...page }),
];

const listsOfAll = (history: HistoryReader) => [
  ...USERS.flatMap((user) => listsOf(history, user, { limit: LIST_MAX })),
  ...HOUSE.map((lane) => history.house({ ...lane, limit: LIST_MAX })),
];

const CURRENCIES_MAX = 6;
const HOUSE = Array.from({ length: CURRENCIES_MAX }, (_, currency) => currency).flatMap((currency) =>
  SYSTEM_ACCOUNTS.map((account) => ({ account, currency })),
);

/** Everything, then lists with filters drawn at random, page by page, then each order by its names. */
export function checkLists(reader: HistoryReader, model: MemoryHistory, seed: number): void {
  const random = new Random(seed);
  assert.deepEqual(listsOfAll(reader), listsOfAll(model), `seed ${seed}`);
  assert.deepEqual(reader.audit({ limit: LIST_MAX }), model.audit({ limit: LIST_MAX }));
  for (let symbol = 0; symbol < 4; symbol++) {
    assert.deepEqual(reader.lastTrades(symbol), model.lastTrades(symbol), `seed ${seed}`);
  }
  for (let round = 0; round < 80; round++) checkPages(reader, model, random, `seed ${seed}, round ${round}`);
  checkStops(reader, model, `seed ${seed}`);
  checkFillsOfOrders(reader, model, `seed ${seed}`);
  for (const order of model.doneOrders) {
    assert.deepEqual(reader.order(order.order), order, `seed ${seed}`);
    if (order.clientId === '') continue;
    const { user, clientId, doneAt } = order;
    for (const from of [undefined, doneAt, doneAt + 1]) {
      const found = model.orderByClientId(user, clientId, from);
      assert.deepEqual(reader.orderByClientId(user, clientId, from), found, `seed ${seed} ${clientId}`);
    }
  }
}

/** All fills of each order that has any, in both directions, by its owner and by another user. */
function checkFillsOfOrders(reader: HistoryReader, model: MemoryHistory, at: string): void {
  const owners = new Map(model.fillRows.map(({ order, user }) => [order, user]));
  for (const [order, user] of owners) {
    for (const ascending of [true, false]) {
      const filter = { user, order, ascending, limit: LIST_MAX };
      assert.deepEqual(reader.fills(filter), model.fills(filter), `${at}, order ${order}`);
    }
    assert.equal(reader.countFills({ user, order }), model.countFills({ user, order }), at);
    assert.deepEqual(reader.fills({ user: user + 1, order, limit: LIST_MAX }), [], at);
    assert.equal(reader.countFills({ user: user + 1, order }), 0, at);
  }
}

/** By id and by client id, each kind by its own. */
function checkStops(reader: HistoryReader, model: MemoryHistory, at: string): void {
  for (const stop of model.doneStops) {
    assert.deepEqual(reader.stopOrder(stop.id), stop, at);
    assert.equal(reader.ocoOrder(stop.id), null, at);
    const { clientId } = stop.request;
    if (!clientId) continue;
    const found = model.stopOrderByClientId(stop.user, clientId);
    assert.deepEqual(reader.stopOrderByClientId(stop.user, clientId), found, at);
  }
  for (const oco of model.doneOcos) {
    assert.deepEqual(reader.ocoOrder(oco.id), oco, at);
    assert.equal(reader.stopOrder(oco.id), null, at);
    if (oco.clientId === '') continue;
    const found = model.ocoOrderByClientId(oco.user, oco.clientId);
    assert.deepEqual(reader.ocoOrderByClientId(oco.user, oco.clientId), found, at);
  }
}

type Count = (history: HistoryReader, filter: object) => number;

const COUNTS: Readonly<Record<string, Count>> = {
  orders: (history, filter) => history.countOrders(filter as { user: number }),
  stopOrders: (history, filter) => history.countStopOrders(filter as { user: number }),
  ocoOrders: (history, filter) => history.countOcoOrders(filter as { user: number }),
  fills: (history, filter) => history.countFills(filter as { user: number }),
  ledger: (history, filter) => history.countLedger(filter as { user: number }),
  deposits: (history, filter) => history.countDeposits(filter as { user: number }),
  withdrawals: (history, filter) => history.countWithdrawals(filter as { user: number }),
};

function checkPages(reader: HistoryReader, model: MemoryHistory, random: Random, at: string): void {
  const perhaps = <Value>(value: Value): Value | undefined => (random.chance(0.4) ? value : undefined);
  const { doneOrders } = model;
  const moment = (): number => random.pick(doneOrders).doneAt + random.range(-1, 1);
  const fields = {
    user: random.pick(USERS),
    symbol: perhaps(random.range(0, 3)),
    currency: perhaps(random.range(0, 4)),
    side: perhaps(random.pick(['buy', 'sell'])),
    type: perhaps(random.pick(['limit', 'market'])),
    account: perhaps(random.pick(['main', 'trade'])),
    causes: perhaps(
      random.pick([['trade'], ['deposit', 'withdrawal'], ['transfer', 'sub-transfer', 'trade']]),
    ),
    stop: perhaps(random.pick(['loss', 'entry'])),
    isPaired: perhaps(random.chance(0.5)),
    direction: perhaps(random.pick(['in', 'out'])),
    order: random.chance(0.1) ? random.pick(doneOrders).order : undefined,
    states: perhaps(random.pick([['waiting'], ['done'], ['sent'], ['failed', 'cancelled']])),
    from: perhaps(moment()),
    until: perhaps(moment()),
    ascending: random.chance(0.5),
  };
  const limit = random.range(1, 40);
  const kind = random.pick([
    'orders',
    'fills',
    'ledger',
    'transfers',
    'deposits',
    'withdrawals',
    'stopOrders',
    'ocoOrders',
    'house',
    'audit',
  ] as const);
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (kind === 'transfers') delete set['states'];
  if (kind === 'house') Object.assign(set, random.pick(HOUSE));
  const list = (history: HistoryReader, page: Page) =>
    (history[kind] as (filter: object) => { id: number }[]).call(history, { ...set, ...page });
  const expected = list(model, { limit: LIST_MAX });
  const pages: { id: number }[] = [];
  for (;;) {
    const after = pages.at(-1)?.id;
    const page = list(reader, { limit, ...(after === undefined ? {} : { after }) });
    pages.push(...page);
    assert.ok(page.length <= limit && pages.length <= expected.length, `${at}: ${kind}`);
    if (page.length < limit) break;
  }
  assert.deepEqual(pages, expected, `${at}: ${kind} ${JSON.stringify(set)} limit ${limit}`);
  const countRows = COUNTS[kind];
  if (!countRows) return;
  assert.equal(countRows(reader, set), expected.length, `${at}: count of ${kind} ${JSON.stringify(set)}`);
  const skip = random.range(0, expected.length + 1);
  assert.deepEqual(
    list(reader, { limit, skip }),
    expected.slice(skip, skip + limit),
    `${at}: ${kind} ${JSON.stringify(set)} limit ${limit} skip ${skip}`,
  );
}
