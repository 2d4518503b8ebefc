import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from '@bourse/core';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { order } from '@bourse/test-kit/market.ts';
import { open, openWith, refusedAs } from '@bourse/test-kit/test-engine.ts';
import { Digest } from '../src/digest.ts';
import { Sequencer } from '../src/sequencer.ts';
import { submit } from '@bourse/test-kit/submit.ts';

test('work left over continues in the next records at once, without a command, and takes commands along', async () => {
  const { log, clock, exchange, sequencer } = await open();
  log.isAutomatic = true;
  await submit(sequencer, { kind: 'set-limits', stepsPerRecordMax: 2, stopOrdersPerSymbolMax: 100 });
  for (let i = 0; i < 7; i++) {
    const request = { symbol: 0, type: 'limit', side: 'buy', price: 10, size: 1 } as const;
    const stop = { kind: 'place-stop-order', user: 0, ...request, stop: 'entry', stopPrice: 1000 } as const;
    await submit(sequencer, stop);
  }
  await submit(sequencer, order(0, 'sell', 1000, 1));
  const before = log.appends;
  const trade = submit(sequencer, order(1, 'buy', 1000, 1));
  const { seq } = await trade;
  const other = await submit(sequencer, order(1, 'buy', 20, 1));
  assert.equal(other.seq, seq + 1, 'nobody waits for the end of the cascade');
  for (let i = 0; i < 5; i++) await clock.pass(1);
  assert.equal(exchange.reference.stopOrders().length, 0);
  assert.equal(log.appends - before, 4, 'two steps each: two, two, two and one stop orders');
  assert.ok(exchange.nextDue > exchange.time);
});

/** Like the stopped clock of a sandbox. */
class RepeatableClock extends ManualClock {
  readonly isDeterministic = true;
}

describe('while time stands still, leftover work is completed before anything else is executed or read', () => {
  const note: Command = { kind: 'set-note', name: 'note', text: 'elsewhere' };
  const entry = (price: number, size: number): Command => {
    const request = { symbol: 0, type: 'limit', side: 'buy', price, size } as const;
    return { kind: 'place-stop-order', user: 0, ...request, stop: 'entry', stopPrice: 1000 };
  };

  /**
   * Sends the commands, then a trade at 1000; returns the number of records between it and the next command, although
   * that is pending at once.
   */
  async function recordsBetween(steps: number, ...before: Command[]) {
    const { log, exchange, sequencer } = await openWith(new RepeatableClock());
    log.isAutomatic = true;
    await submit(sequencer, { kind: 'set-limits', stepsPerRecordMax: steps, stopOrdersPerSymbolMax: 100 });
    for (const command of [...before, order(1, 'sell', 1000, 1)]) await submit(sequencer, command);
    const { seq } = await submit(sequencer, order(0, 'buy', 1000, 1));
    const next = submit(sequencer, note);
    const seen = await sequencer.read(({ nextDue, time, reference }) => ({
      isLeft: nextDue <= time,
      stops: reference.stopOrders().length,
    }));
    assert.deepEqual(seen, { isLeft: false, stops: 0 });
    assert.equal((await next).seq, exchange.seq);
    return exchange.seq - seq - 1;
  }

  test('stop orders that are due', async () => {
    const stops = Array.from({ length: 7 }, () => entry(10, 1));
    assert.equal(await recordsBetween(2, ...stops), 3, 'two of seven came with the trade');
  });

  test('a stop order that meets more others than a record allows', async () => {
    const offers = Array.from({ length: 7 }, (_, at) => order(1, 'sell', 1010 + 10 * at, 1));
    assert.equal(
      await recordsBetween(8, ...offers, entry(2000, 7)),
      3,
      'it met one with the trade, then two each',
    );
  });

  test('even after a start, without a command', { timeout: 10_000 }, async () => {
    const clock = new RepeatableClock();
    const { log, exchange, sequencer } = await openWith(clock);
    log.isAutomatic = true;
    await submit(sequencer, { kind: 'set-limits', stepsPerRecordMax: 8 });
    for (let at = 0; at < 7; at++) await submit(sequencer, order(1, 'sell', 1010 + 10 * at, 1));
    log.isAutomatic = false;
    const swept = assert.rejects(submit(sequencer, order(0, 'buy', 2000, 7)));
    await settle();
    sequencer.discard(new Error('the process ends'));
    await swept;
    log.sync();
    assert.ok(exchange.hasUnfinished);
    log.isAutomatic = true;
    const next = new Sequencer({ log, exchange, clock, digest: new Digest() });
    await next.settled();
    assert.equal(exchange.hasUnfinished, false);
  });
});

/** A command that is lost is never answered. */
describe('an order that matches more others than a record allows', { timeout: 10_000 }, () => {
  const OFFERS = 7;

  /** Two meetings a record; user 0 offers at seven prices. */
  async function openWithOffers() {
    const opened = await open();
    const { log, sequencer } = opened;
    log.isAutomatic = true;
    await submit(sequencer, { kind: 'set-limits', stepsPerRecordMax: 8 });
    for (let i = 0; i < OFFERS; i++) await submit(sequencer, order(0, 'sell', 1000 + 10 * i, 1));
    return opened;
  }

  test('continues at once; its caller gets the complete outcome, and deferred commands follow in order', async () => {
    const { log, exchange, sequencer } = await openWithOffers();
    const before = log.appends;
    const trades: number[] = [];
    sequencer.subscribe(({ events }) => trades.push(events.filter(({ kind }) => kind === 'trade').length));
    const answers = await Promise.all([
      submit(sequencer, order(1, 'buy', 2000, OFFERS)),
      submit(sequencer, order(0, 'sell', 3000, 1)),
      submit(sequencer, order(0, 'sell', 3010, 1)),
      submit(sequencer, {
        kind: 'set-note',
        name: 'note',
        text: 'an operator',
        by: 'ann',
        why: 'a test',
      } as Command),
    ]);
    assert.deepEqual(trades, [4, 2, 1, 0], 'one for each of the four commands, then two, then the last');
    const [swept, ...rest] = answers;
    assert.ok(swept.outcome.kind === 'order' && swept.outcome.dealSize === OFFERS);
    assert.equal(swept.seq, exchange.seq - 1, 'the record that it ended in');
    assert.deepEqual(
      rest.map(({ seq, outcome }) => [seq, outcome.kind]),
      [
        [swept.seq + 1, 'order'],
        [swept.seq + 1, 'order'],
        [swept.seq + 1, 'accepted'],
      ],
    );
    assert.equal(log.appends - before, 4);
    assert.deepEqual(
      exchange.resting(0, 'sell').map(({ price }) => price),
      [3000, 3010],
    );
    assert.ok(sequencer.isSettled && sequencer.waiting === 0);
  });

  test('a read in between sees no crossed book, and the order in progress', async () => {
    const { log, sequencer } = await openWithOffers();
    log.isAutomatic = false;
    const answer = submit(sequencer, order(1, 'buy', 2000, 10));
    await settle();
    const seen = sequencer.read((exchange) => [exchange.bestPrice(0, 'buy'), exchange.bestPrice(0, 'sell')]);
    log.sync();
    assert.deepEqual(await seen, [0, 1020]);
    log.isAutomatic = true;
    log.sync();
    const { outcome } = await answer;
    assert.ok(outcome.kind === 'order' && outcome.remaining === 3);
    const after = await sequencer.read((exchange) => exchange.bestPrice(0, 'buy'));
    assert.equal(after, 2000);
  });

  test('is completed and acknowledged before the sequencer closes', async () => {
    const { exchange, sequencer } = await openWithOffers();
    const answer = submit(sequencer, order(1, 'buy', 2000, OFFERS));
    await sequencer.close();
    assert.equal((await answer).outcome.kind, 'order');
    assert.equal(exchange.hasUnfinished, false);
  });

  test('fails with an unknown result if the sequencer stops in its middle', async () => {
    const { log, sequencer } = await openWithOffers();
    log.isAutomatic = false;
    const answer = submit(sequencer, order(1, 'buy', 2000, OFFERS));
    await settle();
    log.sync();
    await settle();
    sequencer.discard(new Error('enough'));
    await assert.rejects(answer, refusedAs('stopped'));
  });
});
