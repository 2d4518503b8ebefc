import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { HookedDisk } from '@bourse/test-kit/hooked-disk.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { openTestEngine } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { nodeDisk } from '../../../engine/src/io/disk.ts';

test('too many waiting reads do not stop the engine: the follower runs later', {
  timeout: 120_000,
}, async (context) => {
  const history = new MemoryHistory();
  const stops: Error[] = [];
  // No read may wait at all: the follower's own is refused whenever a record is in flight.
  const disk = new HookedDisk(nodeDisk);
  const engine = await openTestEngine(makeDirectory(context), history, {
    disk,
    limits: { readsMax: 0 },
    followPauseMs: 0,
    onStop: (why) => stops.push(why),
  });
  let refused = 0;
  const commands = [...openMarket(), ...orderFlow(3, 300)];
  for (const command of commands) {
    const [syncing, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    disk.hook = (call, path) => {
      if (call !== 'sync' || !path.includes('.log')) return undefined;
      syncing.resolve();
      return mayEnd.promise;
    };
    const answer = submit(engine, command);
    // The record is in flight until the sync may end.
    await syncing.promise;
    await engine.read(() => undefined).catch(() => (refused += 1));
    mayEnd.resolve();
    await answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
  disk.hook = () => undefined;
  assert.equal(refused, commands.length);
  assert.deepEqual(stops, []);
  assert.equal(engine.health.state, 'open');
  await engine.close();
  assert.equal(history.checkpoint, engine.health.seq);
});
