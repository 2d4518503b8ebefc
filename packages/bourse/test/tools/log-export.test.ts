import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { memoryPort, SimulatedMarket } from '@bourse/test-kit/simulated-market.ts';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';
import { segmentName, segmentsAmong, snapshotsIn } from '@bourse/engine';
import { nodeDisk } from '../../../engine/src/io/disk.ts';
import { orderId } from '../../../api/src/gateway/ids.ts';
import { FileLog } from '../../../engine/src/log/file-log.ts';
import { LivingMarket } from '../../../sandbox/src/market/living-market.ts';
import { type Export, exportLog } from '../../src/tools/log-export.ts';

/** A directory with the log of some steps of a market, and the market itself. */
async function record(
  context: TestContext,
  steps: number,
  between?: (market: SimulatedMarket) => void,
): Promise<{ dir: string; market: SimulatedMarket }> {
  const dir = makeDirectory(context);
  const log = await FileLog.open({ disk: nodeDisk, dir: `${dir}/log` });
  const market = new SimulatedMarket('busy', 4, { isRecorded: true });
  for (let step = 0; step < steps; step += 1) {
    market.step();
    between?.(market);
  }
  for (const each of market.records) await log.append(each).durable;
  await log.close();
  return { dir, market };
}

async function lines(dir: string, what: Export, code?: string, user?: string): Promise<string[]> {
  const found: string[] = [];
  const filter = { ...(code !== undefined && { symbol: code }), ...(user !== undefined && { user }) };
  for await (const line of exportLog(nodeDisk, dir, what, filter)) found.push(line);
  return found;
}

describe('bourse export', { timeout: 120_000 }, () => {
  test('trades has every trade, in order, in the layout of data vendors', async (context) => {
    const { dir, market } = await record(context, 40);
    const [head, ...rows] = await lines(dir, 'trades');
    assert.equal(head, 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount');
    assert.ok(rows.length > 20);
    const last = rows
      .filter((row) => row.includes('BTC-USDT'))
      .at(-1)
      ?.split(',') as string[];
    assert.equal(Number(last[6]) * 1e4, market.exchange.lastPrice(0));
    assert.match(last[2] as string, /^\d{16}$/);
    const one = await lines(dir, 'trades', 'ETH-BTC');
    assert.deepEqual(
      one.slice(1),
      rows.filter((row) => row.startsWith('bourse,ETH-BTC,')),
    );
  });

  test('the exported changes of a book rebuild the real book', async (context) => {
    const { dir, market } = await record(context, 40);
    const book = { bid: new Map<string, string>(), ask: new Map<string, string>() };
    for (const row of (await lines(dir, 'book', 'BTC-USDT')).slice(1)) {
      const [, , , , , side, price, amount] = row.split(',') as string[];
      if (amount === '0') book[side as 'bid'].delete(price as string);
      else book[side as 'bid'].set(price as string, amount as string);
    }
    for (const [side, of] of [
      ['bid', 'buy'],
      ['ask', 'sell'],
    ] as const) {
      const there = market.exchange.depth(0, of, 1000).map(({ price, size }) => [price / 1e4, size / 1e8]);
      const built = Array.from(book[side], ([price, amount]) => [Number(price), Number(amount)]);
      const sign = side === 'bid' ? -1 : 1;
      assert.deepEqual(
        built.toSorted(([one = 0], [other = 0]) => sign * (one - other)),
        there,
      );
    }
  });

  test('orders has the life of each order from received to done', async (context) => {
    const { dir } = await record(context, 20);
    const rows = (await lines(dir, 'orders')).slice(1).map((row) => row.split(','));
    const done = rows.filter(([, , , , type]) => type === 'done');
    assert.ok(done.length > 10);
    for (const [, , , , , id] of done) {
      const life = rows.filter((row) => row[5] === id).map((row) => row[4]);
      assert.equal(life[0], 'received');
      assert.equal(life.at(-1), 'done');
    }
    assert.ok(rows.some(([, , , , type, , , , , , , reason]) => type === 'match' && reason === 'maker'));
  });

  test("a user's orders and fills have the user, the clientOid and the ids of the API", async (context) => {
    const ids: string[] = [];
    const { dir } = await record(context, 20, (market) => {
      const clientId = `mine-${market.state.step}`;
      const order = { symbol: 0, type: 'market', side: 'buy', size: 100_000 } as const;
      const [outcome] = market
        .apply([{ kind: 'place-order', user: 0, clientId, ...order }])
        .outcomes.decode();
      assert.ok(outcome?.kind === 'order');
      ids.push(orderId(outcome.order, market.time));
    });
    const table = async (what: Export) => {
      const [head, ...rows] = await lines(dir, what, undefined, 'alice');
      const names = head!.split(',');
      return rows.map((row) => {
        const values = row.split(',');
        assert.equal(values.length, names.length);
        return Object.fromEntries(names.map((name, at) => [name, values[at]]));
      });
    };
    const fills = await table('fills');
    assert.ok(fills.length >= 20);
    assert.deepEqual([...new Set(fills.map((fill) => fill['order_id']))], ids);
    for (const fill of fills) {
      assert.deepEqual([fill['user'], fill['liquidity'], fill['fee_currency']], ['alice', 'taker', 'USDT']);
      assert.match(fill['client_oid']!, /^mine-\d+$/);
      assert.match(fill['counter_order_id']!, /^[0-9a-f]{24}$/);
      assert.ok(Number(fill['fee']) > 0);
    }
    const orders = await table('orders');
    assert.deepEqual([...new Set(orders.map((row) => row['user']))], ['alice']);
    assert.deepEqual([...new Set(orders.map((row) => row['order_id']))], ids);
    const trades = await table('trades');
    assert.deepEqual(
      trades.map(({ id }) => id),
      fills.map((fill) => fill['trade_id']),
    );
    const everybody = (await lines(dir, 'fills')).length - 1;
    assert.equal(everybody, 2 * ((await lines(dir, 'trades')).length - 1));
    await assert.rejects(
      lines(dir, 'fills', undefined, 'nobody'),
      /Unknown user 'nobody'.*Expected one of: alice, bob/,
    );
  });

  test('an unknown symbol or a directory without a log gets an error message', async (context) => {
    const { dir } = await record(context, 2);
    await assert.rejects(lines(dir, 'trades', 'NO-PE'), /Unknown symbol 'NO-PE'.*Expected one of: BTC-USDT/);
    await assert.rejects(lines(makeDirectory(context), 'book'), /No log/);
  });

  test('a log without its first records continues the state of its snapshot', async (context) => {
    const dir = makeDirectory(context);
    const venue = new Venue();
    const terms = { priceIncrement: '0.01', priceLimitRate: '1000' };
    venue.do(
      currency('AAA', 4, 4),
      currency('BBB', 4, 4),
      symbol('BBB-AAA', 1, 0, terms),
      symbol('AAA-BBB', 0, 1, terms),
      { kind: 'add-user', name: 'ann' },
      { kind: 'add-user', name: 'bob' },
      { kind: 'set-limits', stepsPerRecordMax: 8 },
    );
    // The symbols before the others are not there any more.
    venue.do({ kind: 'set-market-state', symbol: 0, state: 'delisted' });
    venue.do({ kind: 'remove-symbol', symbol: 0 });
    for (const user of [0, 1]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 10n);
    const limit = { symbol: 1, type: 'limit' } as const;
    for (let i = 0; i < 4; i++) venue.place(0, { ...limit, side: 'sell', price: 100 + i, size: 1 });
    venue.do({ kind: 'place-order', user: 1, ...limit, side: 'buy', price: 200, size: 4, clientId: 'big' });
    assert.equal(
      venue.exchange.unfinishedOrders().length,
      1,
      'the snapshot is taken in the middle of an order',
    );
    await snapshotsIn(nodeDisk, dir).write(venue.exchange);
    const from = venue.exchange.seq + 1;
    while (venue.exchange.hasUnfinished) venue.do();
    const log = await FileLog.open({ disk: nodeDisk, dir: `${dir}/log`, segmentBytes: 1 });
    for (const each of venue.records) await log.append(each).durable;
    await log.close();
    const whole = await lines(dir, 'fills');
    for (const first of segmentsAmong(await nodeDisk.list(`${dir}/log`))) {
      if (first < from) rmSync(`${dir}/log/${segmentName(first)}`);
    }
    const [head, ...fills] = await lines(dir, 'fills');
    assert.equal(head, whole[0]);
    assert.ok(fills.length > 0 && fills.length < whole.length - 1);
    assert.deepEqual(fills, whole.slice(-fills.length));
    assert.match((await lines(dir, 'book'))[1], /^bourse,AAA-BBB,\d+,\d+,true,ask,1\.02,/);
    assert.match((await lines(dir, 'orders'))[1], /,match,.*,bob,big$/);
  });

  test('an export can be replayed, and leads to the same book', async (context) => {
    const { dir, market } = await record(context, 60);
    const recordings = join(makeDirectory(context), 'recordings');
    mkdirSync(recordings);
    writeFileSync(join(recordings, 'book.csv'), (await lines(dir, 'book', 'BTC-USDT')).join('\n'));
    const port = memoryPort();
    const living = await LivingMarket.open({ port, clock: port.clock, recordings, onProblem: assert.fail });
    context.after(() => living.close());
    await living.startReplay({ symbol: 'BTC-USDT', file: 'book.csv' });
    let before = port.exchange.depth(0, 'buy', 20);
    while (living.nextAt < Infinity) {
      before = port.exchange.depth(0, 'buy', 20);
      port.clock.leap(Math.max(0, living.nextAt - port.clock.now()));
      await living.idle();
    }
    // Before the last step of the tape, after which its orders are removed: everything except the changes of that step.
    const there = new Set(market.exchange.depth(0, 'buy', 20).map(({ price }) => price));
    const kept = before.filter(({ price }) => there.has(price)).length;
    assert.ok(kept >= there.size - 4, `${kept} of ${there.size} prices`);
  });
});
