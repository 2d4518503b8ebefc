/** A node's snapshots in the store, without servers, and what a stop waits for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { NodeSnapshots, type NodeSnapshotsParts } from '../../src/startup/node-snapshots.ts';

/** The snapshot keeper of a leader whose store responds when the test lets it. */
function keep() {
  const clock = new ManualClock();
  const warnings: string[] = [];
  const store = Promise.withResolvers<number[]>();
  const parts = {
    store: { list: () => store.promise },
    engine: { health: { snapshotSeq: 0 } },
    sequencer: { isLeading: true, seq: 0, snapshots: { onDue: () => undefined } },
    log: { bytesAppended: 0 },
    clock,
    dir: '',
    everyRecords: 10,
    everyBytes: 10,
    verifyCopy: null,
    onWarning: (sentence: string) => warnings.push(sentence),
  } as unknown as NodeSnapshotsParts;
  return { keeper: new NodeSnapshots(parts), clock, warnings, store };
}

test('a stop waits for an upload that makes progress', async () => {
  const { keeper, clock, store } = keep();
  await clock.pass(1000);
  let isClosed = false;
  const closing = keeper.close().then(() => (isClosed = true));
  await clock.pass(9000);
  assert.ok(!isClosed);
  store.resolve([]);
  await closing;
  assert.equal(clock.timers, 0);
});

test('a stop does not wait for log servers that do not respond, and an upload that ends with it is no warning', async () => {
  const { keeper, clock, warnings, store } = keep();
  await clock.pass(1000);
  let isClosed = false;
  void keeper.close().then(() => (isClosed = true));
  await clock.pass(10_000);
  assert.ok(isClosed);
  store.reject(new Error('closed connection'));
  await settle();
  assert.deepEqual([warnings, clock.timers], [[], 0]);
});
