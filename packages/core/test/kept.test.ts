import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command, ImportedCandle } from '../src/commands/commands.ts';
import type { Interval } from '../src/values/intervals.ts';
import { Exchange } from '../src/exchange.ts';
import { currency, symbol, tell, Venue } from '@bourse/test-kit/venue.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_767_225_600_000;

/** One symbol, and two users who could trade it. */
function openVenue(time: number): { exchange: Exchange; trade: () => void } {
  const venue = new Venue(new Exchange(), time);
  const [base, quote] = [venue.make(currency('BASE', 2, 2)), venue.make(currency('QUOTE', 3, 3))];
  const market = venue.make(symbol('BASE-QUOTE', base, quote));
  const [seller, buyer] = ['seller', 'buyer'].map((name) => venue.make({ kind: 'add-user', name }));
  venue.fund(seller, base, 1000n);
  venue.fund(buyer, quote, 1_000_000n);
  const order = { symbol: market, type: 'limit', price: 100, size: 10 } as const;
  const trade = () => {
    venue.place(seller, { ...order, side: 'sell' });
    venue.place(buyer, { ...order, side: 'buy' });
  };
  return { exchange: venue.exchange, trade };
}

function execute(exchange: Exchange, command: Command) {
  const { outcomes, events } = exchange.apply({ seq: exchange.seq + 1, time: NOW, commands: [command] });
  return { outcome: outcomes.decode()[0], events: events.decode() };
}

const CANDLE: ImportedCandle = {
  start: NOW - HOUR_MS,
  open: 100,
  close: 105,
  high: 110,
  low: 90,
  volume: 7n,
  turnover: 700n,
};

const importing = (candles: readonly ImportedCandle[], interval: Interval = '1hour'): Command => ({
  kind: 'import-candles',
  symbol: 0,
  interval,
  candles,
});

/** A double does not represent the last units of a product with it. */
const LARGE = 2n ** 79n + 1n;

describe('imported candles', () => {
  test('may have the least and the largest turnover of their volume', () => {
    const { exchange } = openVenue(NOW);
    for (const turnover of [LARGE * 90n, LARGE * 90n + 1n, LARGE * 110n - 1n, LARGE * 110n]) {
      const { outcome } = execute(exchange, importing([{ ...CANDLE, volume: LARGE, turnover }]));
      assert.deepEqual(outcome, { kind: 'accepted' });
    }
  });

  test('are passed to history unchanged', () => {
    const { exchange } = openVenue(NOW);
    const { outcome, events } = execute(exchange, importing([CANDLE]));
    assert.deepEqual(outcome, { kind: 'accepted' });
    assert.deepEqual(events, [{ kind: 'candles-imported', symbol: 0, interval: '1hour', candles: [CANDLE] }]);
  });

  const wrong: [name: string, changes: Partial<ImportedCandle>, field: string][] = [
    ['a start between two stretches', { start: CANDLE.start + 60_000 }, 'start'],
    ['a start that is still to come', { start: NOW + HOUR_MS }, 'start'],
    ['a low of nothing', { low: 0 }, 'low'],
    ['a high below the low', { high: 80 }, 'high'],
    ['an open above the high', { open: 111 }, 'open'],
    ['a close below the low', { close: 89 }, 'close'],
    ['a price between two units', { close: 100.5 }, 'close'],
    ['no volume', { volume: 0n }, 'volume'],
    ['more turnover than the high allows', { turnover: 771n }, 'turnover'],
    ['less than the low allows', { turnover: 629n }, 'turnover'],
    ['one unit too much of very many', { volume: LARGE, turnover: LARGE * 110n + 1n }, 'turnover'],
    ['one unit too little of very many', { volume: LARGE, turnover: LARGE * 90n - 1n }, 'turnover'],
  ];
  for (const [name, changes, field] of wrong) {
    test(`${name} is refused, and names the candle and the field`, () => {
      const { exchange } = openVenue(NOW);
      const { outcome, events } = execute(exchange, importing([{ ...CANDLE, ...changes }]));
      assert.equal(outcome.kind, 'rejected');
      assert.equal(outcome.kind === 'rejected' && outcome.rejection.code, 'value-invalid');
      assert.match(tell(outcome), new RegExp(`candles\\[0\\]\\.${field}`));
      assert.deepEqual(events, []);
    });
  }

  test('must be in order, within the maximum count, and of a known interval', () => {
    const { exchange } = openVenue(NOW);
    const codeOf = (command: Command) => {
      const { outcome } = execute(exchange, command);
      return outcome.kind === 'rejected' ? outcome.rejection.code : outcome.kind;
    };
    assert.equal(codeOf(importing([CANDLE, CANDLE])), 'value-invalid');
    assert.equal(codeOf(importing([])), 'value-invalid');
    assert.equal(codeOf(importing(Array.from({ length: 2001 }, () => CANDLE))), 'value-invalid');
    assert.equal(codeOf(importing([CANDLE], 'toString' as Interval)), 'value-invalid');
    assert.equal(codeOf({ ...importing([CANDLE]), symbol: 9 } as Command), 'symbol-unknown');
    assert.equal(codeOf(importing([CANDLE])), 'accepted');
  });

  test('are rejected once the symbol has traded', () => {
    const { exchange, trade } = openVenue(NOW);
    trade();
    const { outcome } = execute(exchange, importing([CANDLE]));
    assert.equal(outcome.kind === 'rejected' && outcome.rejection.code, 'field-not-allowed');
  });
});

describe('notes', () => {
  const note = (name: string, text: string): Command => ({ kind: 'set-note', name, text });

  test('are kept, replaced and removed, and are in the snapshot', () => {
    const exchange = new Exchange();
    const empty = exchange.snapshot();
    execute(exchange, note('market', 'one'));
    execute(exchange, note('market', 'two'));
    execute(exchange, note('another', 'three'));
    assert.equal(exchange.reference.note('market'), 'two');
    assert.equal(exchange.reference.note('nobody'), '');
    const restored = Exchange.restore(exchange.snapshot());
    assert.equal(restored.reference.note('another'), 'three');
    assert.equal(restored.hash(), exchange.hash());
    execute(exchange, note('market', ''));
    assert.equal(exchange.reference.note('market'), '');
    assert.equal(Exchange.restore(empty).reference.note('market'), '');
  });

  test('do not depend on the order in which they were set', () => {
    const [one, other] = [new Exchange(), new Exchange()];
    for (const name of ['a', 'b']) execute(one, note(name, name));
    for (const name of ['b', 'a']) execute(other, note(name, name));
    assert.equal(one.hash(), other.hash());
  });

  test('are bounded in number and length', () => {
    const exchange = new Exchange();
    for (let at = 0; at < 1000; at += 1)
      assert.equal(execute(exchange, note(`n${at}`, 'x')).outcome.kind, 'accepted');
    for (const [name, text] of [
      ['n1000', 'x'],
      ['', 'x'],
      ['n'.repeat(65), 'x'],
      ['n1', 'x'.repeat(4097)],
      ['n1', 'line\n'],
    ] as const) {
      assert.equal(execute(exchange, note(name, text)).outcome.kind, 'rejected', name);
    }
    assert.equal(execute(exchange, note('n1', 'y')).outcome.kind, 'accepted');
  });
});
