/** Snapshots that are deleted while they are listed, forked, restored or deleted: each call is answered with sense. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-tools/run-size.ts';
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
    // Requests come on connections of their own, so which is first is not known; but each is done whole or not at all.
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
