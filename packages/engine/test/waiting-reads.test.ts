/** No caller waits for all reads of others (promise 18). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../src/io/clock.ts';
import { settle } from '@bourse/test-kit/manual-clock.ts';
import { order } from '@bourse/test-kit/market.ts';
import { openWith } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';

test('reads that accumulated during a sync run in several time slices, in order of arrival', async () => {
  const { log, exchange, sequencer } = await openWith(nodeClock);
  const first = submit(sequencer, order(0, 'sell', 1000, 100));
  await settle();
  const seq = exchange.seq;
  let turn = 0;
  const turns: number[] = [];
  const inOrder: number[] = [];
  const reads = Array.from({ length: 10 }, (_, at) =>
    sequencer.read((seen) => {
      turns.push(turn);
      inOrder.push(at);
      const end = performance.now() + 4;
      while (performance.now() < end);
      return seen.seq;
    }),
  );
  log.sync();
  await first;
  const second = submit(sequencer, order(0, 'sell', 1010, 100));
  while (turns.length < reads.length) {
    await new Promise(setImmediate);
    turn++;
    if (log.isSyncing) log.sync();
  }
  const most = Math.max(...turns.map((each) => turns.filter((other) => other === each).length));
  assert.ok(most <= 4, `${most} reads of 4 ms each in one turn`);
  assert.deepEqual(
    inOrder,
    reads.map((_, at) => at),
  );
  const seen = await Promise.all(reads);
  assert.ok(seen.every((each) => each >= seq));
  assert.equal((await second).seq, seq + 1);
});
