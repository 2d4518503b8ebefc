/** Snapshots that are deleted while they are listed, forked, restored or deleted: each call is answered with sense. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { sandboxFor } from './exchange.ts';

const ROUNDS = ofSize(3, 20);

test('a snapshot may be deleted at any moment', async (context) => {
  const sandbox = await sandboxFor(context);
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await sandbox.call<{ id: string }>('POST', '/snapshots');
    const path = `/snapshots/${id}`;
    const [fork, gone, again, restored, ...lists] = await Promise.all([
      sandbox.ask('POST', '/forks', { from: id }),
      sandbox.ask('DELETE', path),
      sandbox.ask('DELETE', path),
      sandbox.ask('POST', `${path}/restore`, {}),
      ...Array.from({ length: 20 }, () => sandbox.ask('GET', '/snapshots')),
    ]);
    assert.deepEqual(
      lists.map(({ status }) => status),
      lists.map(() => 200),
    );
    // Requests have separate connections, so their order is unknown, but each is executed completely or not at all.
    const statuses = [fork, gone, again, restored].map(({ status }) => status);
    assert.ok(
      statuses.every((status) => status === 200 || status === 404),
      JSON.stringify([fork, gone, again, restored]),
    );
    assert.deepEqual([gone, again].map(({ status }) => status).toSorted(), [200, 404]);
    for (const each of await sandbox.call<{ id: string }[]>('GET', '/forks')) {
      await sandbox.call('DELETE', `/forks/${each.id}`);
    }
  }
  assert.deepEqual(await sandbox.call('GET', '/snapshots'), []);
});

test('an advance queued behind a restore returns the time of the restored exchange', async (context) => {
  const sandbox = await sandboxFor(context);
  const before = await sandbox.call<{ id: string; time: number }>('POST', '/snapshots');
  await sandbox.call('POST', '/clock/advance', { ms: 60_000 });
  const restore = sandbox.call('POST', `/snapshots/${before.id}/restore`);
  // The first is taken during the restore, the last certainly after it.
  const advances: { time: number; seq: number }[] = [];
  const seen = { isRestored: false };
  void restore.then(() => (seen.isRestored = true));
  while (!seen.isRestored) advances.push(await sandbox.call('POST', '/clock/advance', { ms: 1 }));
  const now = await sandbox.call<{ clock: { time: number }; seq: number }>('GET', '/');
  assert.deepEqual(advances.at(-1), { time: now.clock.time, seq: now.seq });
  assert.ok(now.clock.time < before.time + 60_000);
});
