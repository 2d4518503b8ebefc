import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { Command, Exchange } from '@bourse/core';
import { LivingMarket } from '../../src/market/living-market.ts';
import { MarketRefusal } from '../../src/market/market-control.ts';
import { TapeBook } from '../../src/replay/tape-player.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { memoryPort, type MemoryPort } from '@bourse/test-kit/simulated-market.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

const SECOND_MS = 1000;
const ALICE = 0;
const BOB = 1;

interface Stage {
  readonly port: MemoryPort;
  readonly market: LivingMarket;
  readonly write: (name: string, lines: readonly string[]) => void;
}

async function stage(context: TestContext): Promise<Stage> {
  const recordings = join(makeDirectory(context), 'recordings');
  mkdirSync(recordings);
  const port = memoryPort();
  const market = await LivingMarket.open({
    port,
    clock: port.clock,
    recordings,
    onProblem: (said) => assert.fail(said),
  });
  context.after(() => market.close());
  return {
    port,
    market,
    write: (name, lines) => writeFileSync(join(recordings, name), `${lines.join('\n')}\n`),
  };
}

/** Continues until the tape has no more lines before that time. */
async function pass({ port, market }: Stage, ms: number): Promise<void> {
  const end = port.clock.now() + ms;
  while (market.nextAt <= end) {
    port.clock.leap(Math.max(0, market.nextAt - port.clock.now()));
    await market.idle();
  }
  port.clock.leap(end - port.clock.now());
}

const levels = ({ exchange }: MemoryPort, code: string, side: 'buy' | 'sell') =>
  exchange
    .depth(exchange.reference.symbolNumber(code), side, 10)
    .map(({ price, size }) => [price / 1e4, size / 1e8]);

const BTC = 'BTC-USDT';
const order = (
  exchange: Exchange,
  user: number,
  side: 'buy' | 'sell',
  price: number,
  size: number,
): Command => ({
  kind: 'place-order',
  user,
  symbol: exchange.reference.symbolNumber(BTC),
  type: 'limit',
  side,
  price: price * 1e4,
  size: Math.round(size * 1e8),
});

const T = 1_700_000_000_000;
const HEAD = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
const level = (ms: number, isSnapshot: boolean, side: string, price: string, amount: string) =>
  `vendor,BTCUSDT,${T + ms}000,${T + ms}000,${isSnapshot},${side},${price},${amount}`;

const BOOK = [
  HEAD,
  level(0, true, 'bid', '99.9', '2'),
  level(0, true, 'bid', '99.8', '3'),
  level(0, true, 'ask', '100.1', '1'),
  level(0, true, 'ask', '100.2', '4'),
  level(1000, false, 'bid', '99.9', '1.5'),
  level(2000, false, 'ask', '100.2', '0'),
  level(3000, false, 'ask', '100.1', '2.5'),
  level(60_000, false, 'bid', '99.7', '1'),
];

describe('a recorded book', { timeout: 60_000 }, () => {
  test('is quoted like the tape, at any speed', async (context) => {
    const on = await stage(context);
    on.write('book.csv', BOOK);
    await on.market.startReplay({ symbol: BTC, file: 'book.csv', speed: 10 });
    assert.deepEqual(levels(on.port, BTC, 'buy'), [
      [99.9, 2],
      [99.8, 3],
    ]);
    assert.deepEqual(levels(on.port, BTC, 'sell'), [
      [100.1, 1],
      [100.2, 4],
    ]);
    await pass(on, 0.11 * SECOND_MS);
    assert.deepEqual(levels(on.port, BTC, 'buy'), [
      [99.9, 1.5],
      [99.8, 3],
    ]);
    await pass(on, 0.2 * SECOND_MS);
    assert.deepEqual(levels(on.port, BTC, 'sell'), [[100.1, 2.5]]);
    const tape = { symbol: BTC, file: 'book.csv', speed: 10, events: 8, played: 7 };
    assert.deepEqual(await on.market.replay(), { playing: true, ...tape, replays: [tape] });
    await pass(on, 10 * SECOND_MS);
    assert.deepEqual(await on.market.replay(), { playing: false });
    assert.deepEqual(levels(on.port, BTC, 'buy'), []);
  });

  test('own orders trade against the replay, and filled size stays away until the tape changes its level', async (context) => {
    const on = await stage(context);
    on.write('book.csv', BOOK);
    await on.market.startReplay({ symbol: BTC, file: 'book.csv' });
    await on.port.execute(order(on.port.exchange, ALICE, 'buy', 100.1, 0.4));
    assert.deepEqual(levels(on.port, BTC, 'sell'), [
      [100.1, 0.6],
      [100.2, 4],
    ]);
    await pass(on, 1.5 * SECOND_MS);
    assert.deepEqual(
      levels(on.port, BTC, 'sell'),
      [
        [100.1, 0.6],
        [100.2, 4],
      ],
      'an event elsewhere brings nothing back',
    );
    await pass(on, 2 * SECOND_MS);
    assert.deepEqual(levels(on.port, BTC, 'sell'), [[100.1, 2.5]]);
    // An ask of the tape that crosses a user's bid trades with it.
    await on.port.execute(order(on.port.exchange, BOB, 'sell', 100, 1));
    assert.deepEqual(levels(on.port, BTC, 'sell'), [
      [100, 1],
      [100.1, 2.5],
    ]);
  });

  test('continues with the next line after a restart', async (context) => {
    const on = await stage(context);
    on.write('book.csv', BOOK);
    await on.market.startReplay({ symbol: BTC, file: 'book.csv' });
    await pass(on, 1.5 * SECOND_MS);
    await on.market.close();
    const recordings = join(makeDirectory(context), 'again');
    mkdirSync(recordings);
    writeFileSync(join(recordings, 'book.csv'), `${BOOK.join('\n')}\n`);
    const market = await LivingMarket.open({
      port: on.port,
      clock: on.port.clock,
      recordings,
      onProblem: (said) => assert.fail(said),
    });
    context.after(() => market.close());
    await market.begin({ preset: 'quiet', seed: 1 });
    await pass({ ...on, market }, 2 * SECOND_MS);
    assert.equal(((await market.replay()) as { played: number }).played, 7, 'no line for the second time');
    assert.deepEqual(levels(on.port, BTC, 'sell'), [[100.1, 2.5]]);
    assert.deepEqual(levels(on.port, BTC, 'buy'), [
      [99.9, 1.5],
      [99.8, 3],
    ]);
  });
});

describe('a recorded book with more prices than are kept', { timeout: 60_000 }, () => {
  const KEPT = 10_000;
  const SIDES = ['buy', 'sell'] as const;

  test('has the best levels of each side at any time', () => {
    const prices = 40;
    const book = new TapeBook(prices);
    const seed = 7;
    const random = new Random(seed);
    /** The worst first. */
    const kept = { buy: [] as [number, number][], sell: [] as [number, number][] };
    let dropped = 0;
    for (let step = 0; step < 5000; step++) {
      const side = SIDES[random.below(2)]!;
      const [price, size] = [1 + random.below(100), random.below(4)];
      const others = kept[side].filter(([each]) => each !== price);
      if (size > 0) others.push([price, size]);
      others.sort(([one], [other]) => (side === 'buy' ? one - other : other - one));
      const isFull = others.length > prices;
      if (isFull) dropped++;
      kept[side] = others.slice(isFull ? 1 : 0);
      assert.equal(book.set(side, price, size), !isFull);
      for (const count of [3, 1000]) {
        const wanted = kept[side].toReversed().slice(0, count);
        assert.deepEqual([...book.top(side, count)], wanted, `seed ${seed}, step ${step}`);
      }
    }
    assert.ok(dropped > 100, `${dropped} were dropped`);
    book.clear();
    for (const side of SIDES) assert.equal(book.top(side, 1000).size, 0);
  });

  test('is quoted at a new best price, and dropped levels are counted', async (context) => {
    const on = await stage(context);
    const [best, worst] = ['2000', '1'];
    const lines = Array.from({ length: KEPT }, (_, at) =>
      level(0, true, 'bid', (100 + at / 10).toFixed(1), '1'),
    );
    const later = [level(9000, false, 'bid', best, '2'), level(9000, false, 'bid', worst, '2')];
    on.write('deep.csv', [HEAD, ...lines, ...later, level(60_000, false, 'bid', best, '3')]);
    await on.market.startReplay({ symbol: BTC, file: 'deep.csv' });
    await pass(on, 8 * SECOND_MS);
    const before = await on.market.replay();
    assert.ok(before.playing && before.played === KEPT && before.droppedCount === undefined);
    await pass(on, 2 * SECOND_MS);
    assert.deepEqual(levels(on.port, BTC, 'buy')[0], [Number(best), 2]);
    assert.equal((await on.market.replay()).droppedCount, 2, 'the worst one, and one that is worse still');
    await on.market.stopReplay();
    assert.deepEqual(await on.market.replay(), { playing: false, droppedCount: 2 });
    await on.market.startReplay({ symbol: BTC, file: 'deep.csv' });
    assert.equal((await on.market.replay()).droppedCount, undefined, 'counted anew');
  });
});

describe('recorded trades', { timeout: 60_000 }, () => {
  const TRADES = [`${T},buy,100,0.5`, `${T + 1000},sell,99.8,0.25`, `${T + 2000},buy,100.5,1`];

  test('execute at their prices, first against users who offer the same price or better', async (context) => {
    const on = await stage(context);
    on.write('trades.csv', ['timestamp,side,price,amount', ...TRADES]);
    const symbol = on.port.exchange.reference.symbolNumber(BTC);
    await on.market.startReplay({ symbol: BTC, file: 'trades.csv' });
    assert.equal(on.port.exchange.lastPrice(symbol), 100 * 1e4);
    assert.ok(levels(on.port, BTC, 'buy').length > 0 && levels(on.port, BTC, 'sell').length > 0);
    await on.port.execute(order(on.port.exchange, ALICE, 'sell', 100.5, 0.4));
    const before = on.port.exchange.balance(
      ALICE,
      'trade',
      on.port.exchange.reference.currencyNumber('USDT'),
    );
    await pass(on, 1.5 * SECOND_MS);
    assert.equal(on.port.exchange.lastPrice(symbol), 99.8 * 1e4);
    await pass(on, 1 * SECOND_MS);
    const after = on.port.exchange.balance(ALICE, 'trade', on.port.exchange.reference.currencyNumber('USDT'));
    assert.ok(after.available > before.available, 'hers was sold first');
    assert.equal(on.port.exchange.lastPrice(symbol), 100.5 * 1e4);
  });

  const broken: [name: string, line: string, says: RegExp][] = [
    ['a side', `${T + 500},by,100,1`, /line 3 side is 'by'.*buy or sell/],
    ['a price', `${T + 500},buy,-1,1`, /line 3 price is '-1'.*decimal/],
    ['an amount of nothing', `${T + 500},buy,1,0`, /line 3 amount is '0'.*above 0/],
    ['a time', `${T + 500}0,buy,1,1`, /line 3 timestamp.*13 digits.*16/],
    ['a time before the last', `${T - 1},buy,1,1`, /line 3 is earlier/],
    ['a field too few', `${T + 500},buy,1`, /line 3 has 3 fields, not 4/],
  ];
  for (const [name, line, says] of broken) {
    test(`an error names the line with an invalid ${name}, and nothing of the file is played`, async (context) => {
      const on = await stage(context);
      on.write('bad.csv', ['timestamp,side,price,amount', TRADES[0] as string, line]);
      const { seq } = on.port.exchange;
      await assert.rejects(on.market.startReplay({ symbol: BTC, file: 'bad.csv' }), (error: Error) => {
        return (
          error instanceof MarketRefusal && says.test(error.message) && error.message.includes('bad.csv')
        );
      });
      assert.equal(on.port.exchange.seq, seq);
      assert.deepEqual(await on.market.replay(), { playing: false });
    });
  }

  test('files outside the recordings, unknown symbols, a second tape and impossible speeds are rejected', async (context) => {
    const on = await stage(context);
    on.write('trades.csv', TRADES);
    const wrong: [request: Parameters<LivingMarket['startReplay']>[0], says: RegExp][] = [
      [{ symbol: BTC, file: '../trades.csv' }, /below the directory/],
      [{ symbol: BTC, file: '/etc/passwd' }, /no file|below/],
      [{ symbol: BTC, file: 'none.csv' }, /no file 'none.csv'/],
      [{ symbol: 'NO-PE', file: 'trades.csv' }, /unknown symbol 'NO-PE'/],
      [{ symbol: BTC, file: 'trades.csv', speed: 0 }, /above 0/],
    ];
    for (const [request, says] of wrong) await assert.rejects(on.market.startReplay(request), says);
    await on.market.startReplay({ symbol: BTC, file: 'trades.csv' });
    await assert.rejects(
      on.market.startReplay({ symbol: BTC, file: 'trades.csv' }),
      /is already being replayed/,
    );
    assert.deepEqual(await on.market.stopReplay(), { playing: false });
    assert.deepEqual(await on.market.stopReplay(), { playing: false });
  });
});
