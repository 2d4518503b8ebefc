import assert from 'node:assert/strict';
import { test } from 'node:test';
import { order } from '@bourse/test-tools/market.ts';
import { open } from '@bourse/test-tools/test-sequencer.ts';

test('what a record leaves over goes on in further records at once, without a command, and commands in between go along', async () => {
  const { log, clock, exchange, sequencer } = await open();
  log.isAutomatic = true;
  await sequencer.submit({ kind: 'set-limits', stepsPerRecordMax: 2, stopOrdersPerSymbolMax: 100 });
  for (let i = 0; i < 7; i++) {
    const request = { symbol: 0, type: 'limit', side: 'buy', price: 10, size: 1 } as const;
    const stop = { kind: 'place-stop-order', user: 0, ...request, stop: 'entry', stopPrice: 1000 } as const;
    await sequencer.submit(stop);
  }
  await sequencer.submit(order(0, 'sell', 1000, 1));
  const before = log.appends;
  const trade = sequencer.submit(order(1, 'buy', 1000, 1));
  const { seq } = await trade;
  const other = await sequencer.submit(order(1, 'buy', 20, 1));
  assert.equal(other.seq, seq + 1, 'nobody waits for the end of the cascade');
  for (let i = 0; i < 5; i++) await clock.pass(1);
  assert.equal(exchange.reference.stopOrders().length, 0);
  assert.equal(log.appends - before, 4, 'two steps each: two, two, two and one stop orders');
  assert.ok(exchange.nextDue > exchange.time);
});
