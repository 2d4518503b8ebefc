import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-tools/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-tools/market.ts';
import { MemoryHistory } from '@bourse/test-tools/memory-history.ts';
import { openTestEngine } from '@bourse/test-tools/test-engine.ts';
import { submit } from '../../src/engine/submit.ts';

test('too many reads that wait do not stop the engine: the follower takes a later turn', {
  timeout: 120_000,
}, async (context) => {
  const history = new MemoryHistory();
  const stops: Error[] = [];
  // No read may wait at all: the follower's own is refused whenever a record is in flight.
  const engine = await openTestEngine(makeDirectory(context), history, {
    limits: { readsMax: 0 },
    followPauseMs: 0,
    onStop: (why) => stops.push(why),
  });
  let refused = 0;
  for (const command of [...openMarket(), ...orderFlow(3, 300)]) {
    const answer = submit(engine, command);
    // The record is in flight after this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await engine.read(() => undefined).catch(() => (refused += 1));
    await answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(refused > 100, `${refused} reads were refused`);
  assert.deepEqual(stops, []);
  assert.equal(engine.health.state, 'open');
  await engine.close();
  assert.equal(history.checkpoint, engine.health.seq);
});
