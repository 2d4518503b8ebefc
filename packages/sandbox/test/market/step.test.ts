import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Event } from '@bourse/core';
import { SimulatedMarket, START_MS } from '@bourse/test-kit/simulated-market.ts';
import { exp, log } from '../../src/market/random.ts';
import { booksIn, readState, SMALL_GROUPS, WrittenStates } from '../../src/market/market-state.ts';
import type { PresetName } from '../../src/market/presets.ts';
import { stepCommands } from '../../src/market/step.ts';
import { Surroundings } from '../../src/market/symbol.ts';

const MINUTE_MS = 60_000;
const folder = new URL('../../src/market/', import.meta.url);

function hashAfter(
  preset: PresetName,
  seed: number,
  steps: number,
  restartAt: readonly number[] = [],
): string {
  const market = new SimulatedMarket(preset, seed);
  for (let step = 0; step < steps; step += 1) {
    if (restartAt.includes(step)) market.restart();
    market.step();
  }
  return market.exchange.hash();
}

const bestOf = ({ exchange }: SimulatedMarket, code: string) => {
  const symbol = exchange.reference.symbolNumber(code);
  return { bid: exchange.bestPrice(symbol, 'buy'), ask: exchange.bestPrice(symbol, 'sell') };
};

function until(
  market: SimulatedMarket,
  time: number,
  each: (events: readonly Event[]) => void = () => undefined,
): void {
  while (market.nextAt <= time) each(market.step().applied.events.decode());
}

describe('the market is a function of its seed and the log', () => {
  for (const preset of ['calm', 'busy', 'thin', 'wild', 'one-sided', 'crash'] as const) {
    test(`${preset}: the same seed gives the same market, even with a restart in between`, () => {
      const once = hashAfter(preset, 7, 300);
      assert.equal(hashAfter(preset, 7, 300), once);
      assert.equal(hashAfter(preset, 7, 300, [1, 100, 101, 299]), once);
      assert.notEqual(hashAfter(preset, 8, 300), once);
    });
  }

  test('the stored state is restored unchanged', () => {
    const market = new SimulatedMarket('calm', 4_294_967_295);
    for (let step = 0; step < 12; step += 1) market.step();
    const { state } = market;
    assert.equal(booksIn(state).length, 19);
    market.remember(state);
    assert.deepEqual(market.state, state);
    assert.equal(readState({ note: () => '' }), null);
  });

  test('liquid symbols act in every step, small ones in one of ten', () => {
    const market = new SimulatedMarket('calm', 2);
    const turns = new Map<number, number>();
    const notes = { note: (name: string) => market.exchange.reference.note(name) };
    for (let step = 0; step < 1 + 3 * 10; step += 1) {
      const due = new WrittenStates().take(notes)!.groups.map(({ number }) => number);
      const written = market.step().commands.filter(({ kind }) => kind === 'set-note').length;
      assert.equal(written, due.length, 'each note that was read is written, and no other');
      if (step > 0) for (const group of due) turns.set(group, (turns.get(group) ?? 0) + 1);
    }
    assert.equal(turns.get(0), 30);
    for (let group = 1; group <= SMALL_GROUPS; group += 1) assert.equal(turns.get(group), 3, String(group));
  });

  test('a step whose commands were not applied has no effect: when repeated, it is the same', () => {
    const market = new SimulatedMarket('wild', 5);
    const kept = new Surroundings(market.exchange);
    for (let step = 0; step < 25; step += 1) {
      const { nextAt } = market;
      const refused = stepCommands(kept, nextAt);
      assert.deepEqual(stepCommands(kept, nextAt), refused);
      assert.deepEqual(stepCommands(new Surroundings(market.exchange), nextAt), refused);
      assert.deepEqual(market.step().commands, refused);
    }
  });

  test('the small symbols do not affect the random numbers of the liquid ones', () => {
    const liquid = ['BTC-USDT', 'ETH-USDT', 'ETH-BTC', 'KCS-USDT'];
    const valuesOf = (symbols?: string[]) => {
      const market = new SimulatedMarket('calm', 3, symbols && { symbols });
      for (let step = 0; step < 50; step += 1) market.step();
      return market.state.groups[0]!.currencies;
    };
    assert.deepEqual(valuesOf(), valuesOf(liquid));
  });

  test('the code uses no platform-dependent function, no clock and no other source of randomness', () => {
    const allowed = ['abs', 'ceil', 'floor', 'imul', 'LN2', 'max', 'min', 'round', 'sqrt'];
    for (const name of readdirSync(folder)) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      for (const [, used] of text.matchAll(/Math\.(\w+)/g))
        assert.ok(allowed.includes(used as string), `${name}: ${used}`);
      assert.doesNotMatch(text, /Date\.now|new Date|performance|\w \*\* [a-z]/, name);
    }
  });

  test('its own exponential and logarithm are accurate to the last digits', () => {
    for (let x = -20; x <= 20; x += 0.137) {
      assert.ok(Math.abs(exp(x) / Math.exp(x) - 1) < 1e-14, `exp(${x})`);
      assert.ok(Math.abs(log(Math.exp(x)) - x) < 1e-13, `log(exp(${x}))`);
    }
  });
});

describe('presets', () => {
  for (const preset of ['calm', 'busy', 'thin', 'wild'] as const) {
    test(`${preset}: with the first step all 19 symbols have both sides and have traded`, () => {
      const market = new SimulatedMarket(preset, 1);
      market.step();
      const symbols = market.exchange.reference.symbols();
      assert.equal(symbols.length, 19);
      for (const { code, symbol } of symbols) {
        const { bid, ask } = bestOf(market, code);
        assert.ok(bid > 0 && ask > bid, `${code}: ${bid} ${ask}`);
        assert.ok(market.exchange.lastPrice(symbol) > 0, code);
      }
    });
  }

  test('one-sided: for minutes there are only bids or only asks, and in between both', () => {
    const market = new SimulatedMarket('one-sided', 3);
    const spells = new Map<string, number>();
    let before = market.time;
    while (market.time < START_MS + 40 * MINUTE_MS) {
      market.step();
      const { bid, ask } = bestOf(market, 'BTC-USDT');
      const what = bid > 0 && ask > 0 ? 'both' : bid > 0 ? 'bids' : ask > 0 ? 'asks' : 'none';
      spells.set(what, (spells.get(what) ?? 0) + market.time - before);
      before = market.time;
    }
    for (const what of ['both', 'bids', 'asks']) assert.ok((spells.get(what) ?? 0) > 2 * MINUTE_MS, what);
    assert.ok((spells.get('none') ?? 0) < MINUTE_MS);
  });

  test('crash: after a minute the price falls by a fifth within five minutes, and half of it recovers within thirty', () => {
    const market = new SimulatedMarket('crash', 1);
    const price = () => bestOf(market, 'BTC-USDT').bid / 1e9;
    until(market, START_MS + MINUTE_MS);
    const before = price();
    until(market, START_MS + 6 * MINUTE_MS);
    const bottom = price() / before;
    until(market, START_MS + 36 * MINUTE_MS + 5000);
    const recovered = price() / before;
    assert.ok(Math.abs(bottom - 0.8) < 0.02, `fell to ${bottom}`);
    assert.ok(Math.abs(recovered - 0.9) < 0.04, `came back to ${recovered}`);
  });

  test('thin has wide spreads and few trades, busy narrow ones and many', () => {
    const look = (preset: PresetName) => {
      const market = new SimulatedMarket(preset, 5);
      let [trades, width] = [0, 0];
      until(market, START_MS + 10 * MINUTE_MS, (events) => {
        trades += events.filter(({ kind }) => kind === 'trade').length;
        const { bid, ask } = bestOf(market, 'BTC-USDT');
        width = Math.max(width, ask / bid - 1);
      });
      return { trades, width };
    };
    const [thin, calm, busy] = [look('thin'), look('calm'), look('busy')];
    assert.ok(thin.trades < calm.trades && calm.trades < busy.trades, JSON.stringify({ thin, calm, busy }));
    assert.ok(thin.width > calm.width);
  });
});

describe('agents are ordinary users', () => {
  test('none of their commands is rejected except late cancels, and the ledger sums to zero', () => {
    const market = new SimulatedMarket('wild', 2);
    const refusals = new Map<string, number>();
    while (market.time < START_MS + 60 * MINUTE_MS) {
      for (const outcome of market.step().applied.outcomes.decode()) {
        if (outcome.kind !== 'rejected') continue;
        refusals.set(outcome.rejection.code, (refusals.get(outcome.rejection.code) ?? 0) + 1);
      }
    }
    assert.deepEqual(
      [...refusals.keys()].filter((code) => code !== 'order-unknown'),
      [],
    );
    const { exchange } = market;
    for (const { number, code } of exchange.reference.currencies) {
      let sum = 0n;
      for (const account of ['fees', 'outside', 'waiting', 'suspense'] as const)
        sum += exchange.systemBalance(account, number);
      for (let user = 0; user < exchange.counts.users; user += 1) {
        for (const account of ['main', 'trade'] as const) {
          const { available, hold } = exchange.balance(user, account, number);
          sum += available + hold;
        }
      }
      assert.equal(sum, 0n, code);
    }
  });

  test('agents ignore a closed symbol until it opens again', () => {
    const market = new SimulatedMarket('calm', 1);
    for (let step = 0; step < 5; step += 1) market.step();
    const symbol = market.exchange.reference.symbolNumber('BTC-USDT');
    market.apply([{ kind: 'set-market-state', symbol, state: 'halted' }]);
    market.restart();
    for (let step = 0; step < 20; step += 1) {
      const { commands } = market.step();
      assert.ok(!commands.some((command) => 'symbol' in command && command.symbol === symbol));
    }
    market.apply([{ kind: 'set-market-state', symbol, state: 'open' }]);
    market.restart();
    for (let step = 0; step < 20; step += 1) market.step();
    assert.ok(bestOf(market, 'BTC-USDT').bid > 0);
  });
});
