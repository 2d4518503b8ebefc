import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ImportedCandle, INTERVAL_NAMES, INTERVALS, type Interval, startOf } from '@bourse/core';
import { SimulatedMarket } from '@bourse/test-kit/simulated-market.ts';
import { profileOf } from '../../src/market/presets.ts';
import { pastCommands } from '../../src/market/past.ts';

const DAY_MS = 86_400_000;
const TWO_YEARS_MS = 730 * DAY_MS;
/** In the middle of everything. */
const NOW = 1_767_225_600_000 + 45_296_789;

type Candles = Map<Interval, readonly ImportedCandle[]>;

function pastOf(seed: number): { market: SimulatedMarket; past: Map<number, Candles> } {
  const market = new SimulatedMarket('calm', seed);
  market.time = NOW;
  market.remember({ ...market.state, nextAt: NOW, since: NOW });
  const commands = [...pastCommands(market.exchange, market.state, NOW)].flat();
  const outcomes = market.apply(commands).outcomes.decode();
  assert.deepEqual(
    outcomes.filter(({ kind }) => kind !== 'accepted'),
    [],
  );
  const past = new Map<number, Candles>();
  for (const command of commands) {
    assert.ok(command.kind === 'import-candles');
    const candles = past.get(command.symbol) ?? new Map();
    past.set(command.symbol, candles.set(command.interval, command.candles));
  }
  return { market, past };
}

describe('the past of a market', () => {
  const { market, past } = pastOf(1);

  test('every liquid symbol has 1,500 candles of every interval and a small one 100, limited to two years', () => {
    assert.equal(past.size, 19);
    for (const [symbol, candles] of past) {
      const most = 1500 * profileOf(market.exchange.reference.symbol(symbol).code).past;
      for (const interval of INTERVAL_NAMES) {
        const length = INTERVALS[interval] || 31 * DAY_MS;
        const wanted = Math.min(most, Math.floor(TWO_YEARS_MS / length));
        const found = candles.get(interval) ?? [];
        assert.ok(found.length >= wanted, `${interval}: ${found.length} of ${wanted}`);
      }
    }
  });

  test('has no gap: each candle opens at the close of the previous one', () => {
    for (const candles of past.values()) {
      for (const [interval, list] of candles) {
        for (const [at, candle] of list.entries()) {
          const before = list[at - 1];
          if (!before) continue;
          assert.equal(candle.open, before.close, interval);
          if (INTERVALS[interval] > 0) assert.equal(candle.start, before.start + INTERVALS[interval]);
        }
        const last = (list.at(-1) as ImportedCandle).start;
        assert.equal(last, interval === '1min' ? startOf('1min', NOW) - 60_000 : startOf(interval, NOW));
      }
    }
  });

  test('candles of different intervals add up exactly wherever both exist', () => {
    let compared = 0;
    for (const candles of past.values()) {
      for (const [interval, list] of candles) {
        for (const [finer, parts] of candles) {
          if (INTERVAL_NAMES.indexOf(finer) >= INTERVAL_NAMES.indexOf(interval)) continue;
          if (INTERVALS[interval] > 0 && INTERVALS[interval] % INTERVALS[finer] !== 0) continue;
          // A week may belong to two months.
          if (finer === '1week') continue;
          const from = (parts[0] as ImportedCandle).start;
          for (const whole of list) {
            if (whole.start < from) continue;
            const made = parts.filter(({ start }) => startOf(interval, start) === whole.start);
            assert.deepEqual(summed(whole.start, made), whole, `${interval} of ${finer}`);
            compared += 1;
            if (compared % 7 !== 0 && list.length > 100) break;
          }
        }
      }
    }
    assert.ok(compared > 300);
  });

  test('the first trade is within one per cent, or two increments, of where the past ends', () => {
    const closes = new Map(
      Array.from(past, ([symbol, candles]) => [symbol, candles.get('1min')?.at(-1)?.close ?? 0]),
    );
    market.step();
    for (const [symbol, close] of closes) {
      const first = market.exchange.lastPrice(symbol);
      const { priceIncrement, priceDecimals } = market.exchange.reference.symbol(symbol);
      // An increment of DADI-ETH is 0.7 % of its price.
      const within = Math.max(0.01 * close, 3 * Number(priceIncrement) * 10 ** priceDecimals);
      assert.ok(first > 0 && Math.abs(first - close) < within, `${symbol}: ${close} to ${first}`);
    }
  });

  test('the past is a function of the seed, and a symbol that has traded gets none', () => {
    const other = pastOf(1).past.get(0)?.get('1day');
    assert.deepEqual(other, past.get(0)?.get('1day'));
    assert.notDeepEqual(pastOf(2).past.get(0)?.get('1day'), other);
    assert.deepEqual([...pastCommands(market.exchange, market.state, NOW)], []);
  });
});

function summed(start: number, parts: readonly ImportedCandle[]): ImportedCandle {
  const [first, last] = [parts[0] as ImportedCandle, parts.at(-1) as ImportedCandle];
  return {
    start,
    open: first.open,
    close: last.close,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    volume: parts.reduce((sum, { volume }) => sum + volume, 0n),
    turnover: parts.reduce((sum, { turnover }) => sum + turnover, 0n),
  };
}
