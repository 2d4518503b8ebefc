/** A log that ends before the last record of a running mirror. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { NO_COUNTS } from '../../engine/src/history/rows.ts';
import { Mirror, type MirrorStore } from '../src/mirror.ts';
import type { MirrorPosition } from '../src/postgres-store.ts';
import { MemorySource } from './memory-source.ts';

/** A mirror that has three records. */
async function openMirror(): Promise<{ source: MemorySource; mirror: Mirror }> {
  const source = new MemorySource([openMarket(), [order(0, 'sell', 10_000, 100)], []]);
  let position: MirrorPosition = { seq: 0, time: null, counts: NO_COUNTS };
  const store: MirrorStore = {
    checkpoint: async () => position,
    async write(_, after) {
      position = after;
    },
    isLost: () => false,
  };
  const mirror = await Mirror.open({ source, store });
  await mirror.catchUp();
  assert.equal(mirror.seq, 3);
  return { source, mirror };
}

test('a log that stays shorter than the mirror was replaced, and the mirror refuses it', async () => {
  const { source, mirror } = await openMirror();
  source.records.pop();
  await assert.rejects(mirror.follow(AbortSignal.timeout(10_000)), {
    name: 'MirrorRefused',
    message: /^The mirror has records up to 3, but the log ends with 2: /,
  });
});

test('a log that is shorter only for a moment is waited for', async () => {
  const { source, mirror } = await openMirror();
  const last = source.records.pop()!;
  setTimeout(() => {
    source.records.push(last);
    source.append([order(1, 'buy', 10_000, 100)]);
  }, 500);
  await mirror.catchUp();
  assert.equal(mirror.seq, 4);
});

test('a mirror that waits for such a log can be stopped', async () => {
  const { source, mirror } = await openMirror();
  source.records.pop();
  await mirror.follow(AbortSignal.timeout(300));
  assert.equal(mirror.seq, 3);
});
