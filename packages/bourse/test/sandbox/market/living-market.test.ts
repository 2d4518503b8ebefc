import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { INTERVAL_NAMES } from '@bourse/core';
import { PRESET_NAMES, profileOf } from '../../../../sandbox/src/market/presets.ts';
import { LivingMarket } from '../../../../sandbox/src/market/living-market.ts';
import { MARKET_NOTE } from '../../../../sandbox/src/market/market-state.ts';
import { MarketRefusal } from '../../../../sandbox/src/market/market-control.ts';
import { schemaOf } from '../../../src/config/settings.ts';
import type { RunningExchange } from '../../../src/startup/running-exchange.ts';
import { Snapshots } from '../../../../engine/src/snapshots.ts';
import { nodeDisk } from '../../../../engine/src/io/disk.ts';
import { openFor } from '../../startup/exchange.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { memoryPort, type MemoryPort } from '@bourse/test-kit/simulated-market.ts';

async function ask<T>({ connection }: RunningExchange, path: string): Promise<T> {
  const response = await fetch(`${connection.baseUrl}${path}`);
  const answer = (await response.json()) as { code: string; data: T };
  assert.equal(answer.code, '200000', `${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

const noteOf = ({ engine }: RunningExchange) => engine.read(({ reference }) => reference.note(MARKET_NOTE));
const problem = (sentence: string) => assert.fail(sentence);

async function openQuietly(context: TestContext): Promise<{ port: MemoryPort; market: LivingMarket }> {
  const port = memoryPort();
  const market = await LivingMarket.open({ port, clock: port.clock, recordings: '', onProblem: problem });
  context.after(() => market.close());
  return { port, market };
}

describe('a sandbox with a market', { timeout: 240_000 }, () => {
  test('has a history and trades when it is ready, and continues after a restart', async (context) => {
    const data = makeDirectory(context);
    const first = await openFor(context, { data, flags: { market: 'calm', seed: '5' } });
    const { symbols } = await first.sandbox!.world.living.view();
    assert.equal(symbols.length, 19, 'agents are in every symbol');
    for (const { symbol } of symbols) {
      const isAll = symbol === 'ETH-BTC' || symbol === 'XRP-BTC';
      for (const type of isAll ? INTERVAL_NAMES : (['1min', '1week'] as const)) {
        const candles = await ask<string[][]>(first, `/api/v1/market/candles?symbol=${symbol}&type=${type}`);
        const most = { '12hour': 1460, '1day': 730, '1week': 104, '1month': 24 }[type as string] ?? 1500;
        const wanted = profileOf(symbol).past === 1 ? most : Math.min(100, most);
        assert.ok(candles.length >= wanted, `${symbol} ${type}: ${candles.length}`);
      }
      const { price, bestBid, bestAsk } = await ask<Record<string, string>>(
        first,
        `/compat/api/v1/market/orderbook/level1?symbol=${symbol}`,
      );
      assert.ok(Number(bestBid) > 0 && Number(bestAsk) > Number(bestBid), `${symbol}: ${bestBid} ${bestAsk}`);
      assert.ok(Number(price) > 0, `${symbol} has traded`);
    }
    const stats = await ask<Record<string, string>>(first, '/api/v1/market/stats?symbol=BTC-USDT');
    assert.ok(Number(stats['volValue']) > 1e6, 'the last 24 hours are in the statistics');
    await first.close();
    const left = JSON.parse(await readNote(data)) as number[];
    const again = await openFor(context, { data, flags: { market: 'calm', seed: '5' } });
    const now = JSON.parse(await noteOf(again)) as number[];
    assert.ok((now[5] as number) >= (left[5] as number), 'steps are counted on');
    assert.equal(now[4], left[4], 'it did not begin anew');
    const later = await ask<Record<string, string>>(again, '/api/v1/market/stats?symbol=BTC-USDT');
    assert.ok(Number(later['volValue']) >= Number(stats['volValue']) * 0.99);
    // Before the directory is removed, which happens first when the test ends: agents never stop writing.
    await again.close();
  });

  test('a quiet market has no agents and no past, and adds nothing to the log', async (context) => {
    const running = await openFor(context, { flags: { market: 'quiet' } });
    assert.equal(await noteOf(running), '');
    assert.deepEqual(await ask<unknown[]>(running, '/api/v1/market/candles?symbol=BTC-USDT&type=1day'), []);
    assert.equal(await running.engine.read(({ counts }) => counts.orders), 0);
  });

  test('can be set, shocked and ended by calls; an invalid call gets an error message and changes nothing', async (context) => {
    const { port, market } = await openQuietly(context);
    const note = () => JSON.parse(port.exchange.reference.note(MARKET_NOTE)) as unknown[];
    await market.begin({ preset: 'quiet', seed: 1 });
    assert.deepEqual(await market.view(), { preset: 'quiet', seed: 1, symbols: [] });
    assert.equal(market.nextAt, Infinity);

    const view = await market.set({ preset: 'thin', seed: 9, symbols: ['LTC-USDT', 'ETH-USDT'] });
    assert.deepEqual([view.preset, view.seed], ['thin', 9]);
    assert.deepEqual(
      view.symbols.map(({ symbol, agents }) => [symbol, agents]),
      [
        ['ETH-USDT', 15],
        ['LTC-USDT', 14],
      ],
    );
    assert.ok(market.nextAt < Infinity);
    const before = note();
    const wrong: [change: () => Promise<unknown>, sentence: RegExp][] = [
      [() => market.set({ preset: 'mad' }), /one of: calm, busy, thin, wild, one-sided, crash, quiet/],
      [() => market.set({ seed: -1 }), /integer from 0/],
      [() => market.set({ symbols: ['NO-PE'] }), /'NO-PE' is not known.*BTC-USDT/],
      [() => market.set({ symbols: [] }), /quiet/],
      [() => market.shock({ symbol: 'ETH-USDT', factor: 0 }), /above 0/],
      [() => market.shock({ symbol: 'ETH-USDT', factor: 1e9 }), /began at 3500/],
      [() => market.shock({ factor: 2 }), /either a symbol or a currency/],
      [() => market.shock({ currency: 'BTC', factor: 2 }), /one of: ETH, LTC/],
    ];
    for (const [change, sentence] of wrong) {
      await assert.rejects(change, (error) => error instanceof MarketRefusal && sentence.test(error.message));
    }
    assert.deepEqual(note(), before);

    const valueOf = (of: Awaited<ReturnType<LivingMarket['view']>>) => Number(of.symbols[0]?.value);
    const unshocked = valueOf(await market.view());
    const ratio = valueOf(await market.shock({ symbol: 'ETH-USDT', factor: 0.5 })) / unshocked;
    assert.ok(Math.abs(ratio - 0.5) < 0.01, `halved: ${ratio}`);

    const left = await market.set({ preset: 'quiet' });
    assert.deepEqual(left.symbols, []);
    assert.equal(port.exchange.counts.orders, 0);
    assert.equal(market.nextAt, Infinity);
  });

  test('takes each step when it is due, with one timer at a time, and restarts with another preset or seed', async (context) => {
    const { port, market } = await openQuietly(context);
    const stepOf = () => (JSON.parse(port.exchange.reference.note(MARKET_NOTE)) as number[])[5] as number;
    await market.begin({ preset: 'calm', seed: 1 });
    assert.equal(stepOf(), 1, 'the first step is taken at once');
    for (let step = 2; step < 20; step += 1) {
      port.clock.leap(market.nextAt - port.clock.now() - 1);
      await market.idle();
      assert.equal(stepOf(), step - 1, 'not before it is due');
      port.clock.leap(1);
      await market.idle();
      assert.equal(stepOf(), step);
    }
    await market.begin({ preset: 'calm', seed: 1 });
    assert.equal(stepOf(), 19, 'the same words go on');
    // The market did not run for an hour: missed steps are skipped.
    port.clock.leap(3_600_000);
    await market.idle();
    assert.equal(stepOf(), 20);
    await market.begin({ preset: 'wild', seed: 1 });
    assert.equal(stepOf(), 1);
    assert.equal((await market.view()).preset, 'wild');
  });

  test('in a quiet market, a shock is rejected', async (context) => {
    const { market } = await openQuietly(context);
    await assert.rejects(market.shock({ currency: 'BTC', factor: 2 }), /quiet/);
  });

  test('the setting lists every preset', () => {
    assert.deepEqual(
      schemaOf('market').anyOf?.map((each) => each.const),
      PRESET_NAMES,
    );
  });
});

/** Of a stopped directory, from the snapshot that was taken when it was closed. */
async function readNote(data: string): Promise<string> {
  const { exchange } = await new Snapshots(nodeDisk, `${data}/snapshots`).restore();
  return exchange.reference.note(MARKET_NOTE);
}
