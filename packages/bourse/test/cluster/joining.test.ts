/** A node that fetches its first state from the store, and is killed while it does. */

import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Objm, type ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { deriveClusterKeys } from '../../../cluster/src/authentication.ts';
import { type SnapshotFiles, SnapshotStore } from '../../../cluster/src/states/snapshot-store.ts';
import { connectTo } from '../../../cluster/src/stream/nats-link.ts';
import { snapshotPath } from '../../../engine/src/snapshots.ts';
import { joinFromStore } from '../../src/startup/node-snapshots.ts';

const skip = await whySkipped();
let servers: TestLogServers;
let connection: NatsConnection;

before(async () => {
  if (skip) return;
  servers = await startLogServers(1);
  connection = await connectTo({ servers: servers.servers.urls, stream: '' }, 'test');
});
after(async () => {
  if (skip) return;
  await connection.close();
  await servers.close();
});

const filesIn = (dir: string, seq: number): SnapshotFiles => ({
  state: snapshotPath(`${dir}/snapshots`, seq),
  history: `${dir}/history.db`,
});

/** A store with one snapshot of a small market, whose log has been removed up to it. */
async function makeStore(context: TestContext, stream: string) {
  const dir = makeDirectory(context);
  const engine = await openDirectoryEngine(`${dir}/live`);
  for (const command of openMarket()) await submit(engine, command);
  const { seq } = await engine.copyTo(`${dir}/copy`, () => null);
  await engine.close();
  const keys = deriveClusterKeys('d9'.repeat(32), stream);
  const store = await SnapshotStore.open({ connection, stream, keys }, 1);
  await store.put(seq, filesIn(`${dir}/copy`, seq));
  return { dir, seq, store, copy: filesIn(`${dir}/copy`, seq) };
}

/** Holds the download of piece `count` until `release`; `asked` resolves when it is requested. */
async function holdPiece(context: TestContext, stream: string, count: number) {
  const objects = await new Objm(connection).open(`${stream}-snapshots`);
  const prototype = Object.getPrototypeOf(objects) as Pick<ObjectStore, 'getBlob'>;
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const { getBlob } = prototype;
  let calls = 0;
  const { mock } = context.mock.method(
    prototype,
    'getBlob',
    async function (this: ObjectStore, name: string) {
      if (++calls === count) {
        asked.resolve();
        await held.promise;
      }
      return getBlob.call(this, name);
    },
  );
  return { asked: asked.promise, fail: held.reject, release: () => mock.restore() };
}

describe('a node that is killed while it downloads its first snapshot', { skip }, () => {
  // A small market has one piece of each; the history is fetched first.
  for (const [part, count] of [
    ['history', 1],
    ['state', 2],
  ] as const) {
    test(`with a part of the ${part}: its next start downloads all of it`, async (context) => {
      const stream = `killed-${part}`;
      const { dir, seq, store, copy } = await makeStore(context, stream);
      const { asked, fail, release } = await holdPiece(context, stream, count);
      const [node, killed] = [join(dir, 'node'), join(dir, 'killed')];
      const joining = joinFromStore(store, node, seq + 1, assert.fail);
      await asked;
      cpSync(node, killed, { recursive: true });
      fail(new Error('the test ends it'));
      await assert.rejects(joining, /the test ends it/);
      release();
      assert.ok(!existsSync(filesIn(killed, seq)[part]), 'a file of that name is complete');

      assert.equal(await joinFromStore(store, killed, seq + 1, assert.fail), true);
      for (const each of ['history', 'state'] as const)
        assert.ok(readFileSync(filesIn(killed, seq)[each]).equals(readFileSync(copy[each])), each);
      const names = readdirSync(killed, { recursive: true, encoding: 'utf8' });
      assert.deepEqual(
        names.filter((name) => name.endsWith('.tmp')),
        [],
      );
      assert.equal(await joinFromStore(store, killed, seq + 1, assert.fail), false, 'nothing is missing');
    });
  }

  test('leaves no partial files, even if the next start does not need them', async (context) => {
    const stream = 'killed-unneeded';
    const { dir, store } = await makeStore(context, stream);
    const { asked, fail, release } = await holdPiece(context, stream, 1);
    const [node, killed] = [join(dir, 'node'), join(dir, 'killed')];
    const joining = joinFromStore(store, node, 1, assert.fail);
    await asked;
    cpSync(node, killed, { recursive: true });
    fail(new Error('the test ends it'));
    await assert.rejects(joining);
    release();
    assert.deepEqual(readdirSync(node), [], 'an error leaves nothing either');
    await store.removeBeyond(0);
    assert.equal(await joinFromStore(store, killed, 1, assert.fail), false);
    assert.deepEqual(readdirSync(killed), []);
  });
});
