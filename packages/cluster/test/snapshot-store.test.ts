/**
 * The store of snapshots on a real log server: what is uploaded, what is kept, and what an interrupted upload leaves.
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { deriveClusterKeys } from '../src/authentication.ts';
import { connectTo } from '../src/stream/nats-link.ts';
import { SnapshotStore, type StoreAddress } from '../src/states/snapshot-store.ts';

const skip = await whySkipped();
const PAGE = 4096;
const MEGABYTE = 1 << 20;
const HOUR_MS = 3_600_000;

let servers: TestLogServers;
let connection: NatsConnection;
const dir = mkdtempSync(join(tmpdir(), 'bourse-snapshots-'));
const files = { state: join(dir, 'state'), history: join(dir, 'history') };
const fetched = { state: join(dir, 'fetched', 'state'), history: join(dir, 'fetched', 'history') };

before(async () => {
  if (skip) return;
  servers = await startLogServers(1);
  connection = await connectTo({ servers: servers.servers.urls, stream: '' }, 'test');
});
after(async () => {
  rmSync(dir, { recursive: true });
  if (skip) return;
  await connection.close();
  await servers.close();
});

const addressOf = (stream: string): StoreAddress => ({
  connection,
  stream,
  keys: deriveClusterKeys('c4'.repeat(32), stream),
});

function write(history: Buffer, state = randomBytes(100_000)): void {
  writeFileSync(files.history, history);
  writeFileSync(files.state, state);
}

async function assertEqual(store: SnapshotStore, seq: number, history: Buffer): Promise<void> {
  await store.get(seq, fetched);
  assert.ok(readFileSync(fetched.history).equals(history));
}

/** Messages that the servers keep for the store: bytes and names. */
async function messages(stream: string): Promise<number> {
  const { size } = await (await new Objm(connection).open(`${stream}-snapshots`)).status();
  const reply = await connection.request(`$JS.API.STREAM.INFO.OBJ_${stream}-snapshots`);
  assert.ok(size > 0);
  return reply.json<{ state: { messages: number } }>().state.messages;
}

describe('the store of snapshots', { skip }, () => {
  test('uploads only changed pieces, restores every byte, and keeps nothing of removed snapshots', async () => {
    let now = Date.now();
    const store = await SnapshotStore.open({ ...addressOf('pieces'), now: () => now }, 1);
    let history = randomBytes(6 * MEGABYTE);
    write(history);
    const first = await store.put(10, files);
    assert.deepEqual(first, { oldest: 0, bytesSent: 6 * MEGABYTE + 100_000 });
    const counts: number[] = [];
    for (let seq = 20; seq <= 50; seq += 10) {
      const page = randomBytes(PAGE);
      page.copy(history, (seq / 10) * MEGABYTE);
      history = Buffer.concat([history, randomBytes(PAGE)]);
      write(history);
      now += HOUR_MS;
      const { oldest, bytesSent } = await store.put(seq, files);
      assert.equal(oldest, seq - 10);
      assert.ok(bytesSent < MEGABYTE, `${bytesSent} bytes for two pages`);
      assert.deepEqual(await store.list(), [seq - 10, seq]);
      counts.push(await messages('pieces'));
    }
    await assertEqual(store, 50, history);
    // Two snapshots take as much space after five uploads as after three.
    assert.ok(counts.at(-1)! <= counts[1] + 2, counts.join(', '));
  });

  test('an interrupted upload leaves the previous snapshot, and the next upload continues from there', async () => {
    const store = await SnapshotStore.open(addressOf('middle'), 1);
    const history = randomBytes(MEGABYTE);
    write(history);
    await store.put(1, files);
    const longer = Buffer.concat([history, randomBytes(MEGABYTE)]);
    write(longer);
    await assert.rejects(() => store.put(2, { ...files, state: join(dir, 'missing') }));
    assert.deepEqual(await store.list(), [1]);
    await assertEqual(store, 1, history);
    const { bytesSent } = await store.put(2, files);
    assert.equal(bytesSent, 100_000, 'its pieces are there already');
    await assertEqual(store, 2, longer);
  });

  test('a missing or changed piece is an error', async () => {
    const store = await SnapshotStore.open(addressOf('damaged'), 1);
    write(randomBytes(MEGABYTE));
    await store.put(1, files);
    const objects = await new Objm(connection).open('damaged-snapshots');
    const piece = (await objects.list()).find(({ name }) => name.startsWith('piece.'))!;
    await objects.putBlob({ name: piece.name }, randomBytes(1000));
    await assert.rejects(() => store.get(1, fetched), /has no piece\./);
  });
});
