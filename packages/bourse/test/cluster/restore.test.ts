/** Disasters of a cluster's log, with real log servers: everything wiped and restored, and a log that lost its end. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { askOperator, TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { Objm } from '@nats-io/obj';
import { deriveClusterKeys } from '../../../cluster/src/authentication.ts';
import { connectTo, untilAnswered } from '../../../cluster/src/stream/nats-link.ts';
import { SnapshotStore } from '../../../cluster/src/states/snapshot-store.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const skip = await whySkipped();
const BIN = join(import.meta.dirname, '../../bin/bourse.mjs');
const STREAM = 'restored';
const ORDER = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '100', size: '0.01' };
const FEW = { snapshotRecords: '10' };

const keys = deriveClusterKeys(SANDBOX_SECRET_KEY, STREAM);

let servers: TestLogServers;

before(async () => {
  if (!skip) servers = await startLogServers(3);
});
after(async () => {
  if (!skip) await servers.close();
});

const bourse = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [
    BIN,
    'cluster',
    ...args,
    '--cluster',
    servers.servers.urls.join(','),
    '--cluster-stream',
    STREAM,
  ]);

async function place(node: RunningExchange, name: string, count: number): Promise<void> {
  const client = new Client(node.connection.baseUrl, 'alice');
  for (let i = 0; i < count; i++) {
    const placed = await client.post('/api/v1/hf/orders', { ...ORDER, clientOid: `${name}-${i}` });
    assert.equal(placed.status, 200, placed.text);
  }
}

/** The exchange as a user and an operator see it. */
async function look(node: RunningExchange): Promise<object> {
  const client = new Client(node.connection.baseUrl, 'alice');
  const { json: orders } = await client.get('/api/v1/hf/orders/active?symbol=BTC-USDT');
  const { json: accounts } = await client.get('/api/v1/accounts');
  return { orders: orders.data, accounts: accounts.data };
}

async function withStore<T>(action: (store: SnapshotStore) => Promise<T>): Promise<T> {
  const connection = await connectTo({ servers: servers.servers.urls, stream: STREAM }, 'test');
  try {
    return await action((await SnapshotStore.find({ connection, stream: STREAM, keys }))!);
  } finally {
    await connection.close();
  }
}

/** Removes pieces of this snapshot's state that the snapshots in `spared` do not use. */
async function damage(seq: number, spared: readonly number[] = []): Promise<void> {
  const connection = await connectTo({ servers: servers.servers.urls, stream: STREAM }, 'test');
  try {
    const objects = await new Objm(connection).open(`${STREAM}-snapshots`);
    const piecesOf = async (each: number): Promise<readonly string[]> => {
      const found = await objects.get(`${String(each).padStart(20, '0')}.parts`);
      return ((await new Response(found!.data).json()) as { state: string[] }).state;
    };
    const kept = new Set((await Promise.all(spared.map(piecesOf))).flat());
    const pieces = (await piecesOf(seq)).filter((hash) => !kept.has(hash));
    assert.ok(pieces.length > 0);
    for (const hash of pieces) await objects.delete(`piece.${hash}`);
  } finally {
    await connection.close();
  }
}

async function untilSnapshots(count: number): Promise<number> {
  for (let looks = 0; looks < 600; looks++) {
    const seqs = await withStore((store) => store.list()).catch(() => []);
    if (seqs.length >= count) return seqs.at(-1)!;
    await wait(50);
  }
  return assert.fail('no snapshot was put into the store');
}

async function askLog(what: string, body: object = {}): Promise<void> {
  const connection = await connectTo({ servers: servers.servers.urls, stream: STREAM }, 'test');
  try {
    // Servers that have just started elect a leader first.
    await untilAnswered(connection, () => connection.request(`$JS.API.${what}`, JSON.stringify(body)));
  } finally {
    await connection.close();
  }
}

const removeStream = (name: string): Promise<void> => askLog(`STREAM.DELETE.${name}`);

/** The log alone out of a backup. */
async function restoreLog(dir: string): Promise<void> {
  const path = join(dir, 'backup.json');
  const contents = JSON.parse(readFileSync(path, 'utf8')) as { copies: { name: string }[] };
  const copies = contents.copies.filter(({ name }) => name === STREAM);
  writeFileSync(path, JSON.stringify({ ...contents, copies }));
  await bourse('restore', dir);
}

async function wipe(): Promise<void> {
  await servers.servers.stop();
  for (const name of ['log-1', 'log-2', 'log-3'])
    rmSync(join(servers.dir, name, 'jetstream'), { recursive: true });
  await Promise.all([0, 1, 2].map((at) => servers.servers.start(at)));
}

describe('disasters of the log', { skip, timeout: 300_000 }, () => {
  test('all log servers and all nodes are wiped: a backup brings everything back, and the ledger is zero', async () => {
    const dir = join(servers.dir, 'backup');
    let nodes = new TestNodes(servers.servers.urls, STREAM);
    const first = await nodes.start('n1', FEW);
    await place(first, 'before', 40);
    await untilSnapshots(1);
    const { stdout } = await bourse('backup', dir, '--json');
    const [store, log] = JSON.parse(stdout) as { name: string; messages: number }[];
    assert.deepEqual([store.name, log.name], [`OBJ_${STREAM}-snapshots`, STREAM]);
    assert.ok(log.messages > 40 && store.messages > 2);
    const seen = await look(first);
    await assert.rejects(() => bourse('backup', dir), /has a backup already/);
    await assert.rejects(() => bourse('restore', dir), /have '.*' already, with \d+ messages/);
    await nodes.close();
    await wipe();

    // A copy that was damaged in transit changes nothing.
    const file = join(dir, `${STREAM}.stream`);
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([whole.subarray(0, -1), Buffer.of(whole.at(-1)! ^ 1)]));
    await assert.rejects(() => bourse('restore', dir), /is damaged: it does not match its hash/);
    writeFileSync(file, whole);
    await bourse('restore', dir);

    nodes = new TestNodes(servers.servers.urls, STREAM);
    try {
      const [back, other] = [await nodes.start('n1', FEW), await nodes.start('n2', FEW)];
      for (const node of [back, other]) assert.deepEqual(await look(node), seen);
      await place(other, 'after', 3);
      const { body } = await askOperator(back, '/v1/ledger/check');
      assert.ok(Object.values(body).length > 0);
      for (const [currency, sum] of Object.entries(body)) assert.equal(sum, '0', currency);
      let digests: string[] = [];
      for (let looks = 0; looks < 600 && (digests.length < 2 || new Set(digests).size > 1); looks++) {
        const { body: cluster } = await askOperator(back, '/v1/cluster');
        digests = (cluster['nodes'] as { digest: string }[]).map(({ digest }) => digest);
        await wait(50);
      }
      assert.equal(new Set(digests).size, 1, digests.join(', '));
    } finally {
      await nodes.close();
    }
  });

  test('a log that lost its end stops the start, and an operator can give up the lost end', async () => {
    const dir = join(servers.dir, 'without-end');
    const nodes = new TestNodes(servers.servers.urls, STREAM);
    try {
      const first = await nodes.start('n1', FEW);
      await bourse('backup', dir);
      const earlier = await withStore((store) => store.list());
      await place(first, 'lost', 40);
      let known = 0;
      for (let looks = 0; looks < 600 && known <= earlier.at(-1)!; looks++) {
        known = (await withStore((store) => store.list())).at(-1)!;
        await wait(50);
      }
      await nodes.stop('n1');
      known = Math.max(known, (await withStore((store) => store.list())).at(-1)!);
      const newest = nodes.files('n1', 'snapshots').at(-1)!.path;
      known = Math.max(known, Number.parseInt(basename(newest), 10));
      // The store of snapshots survives, the log does not: it is put back as it was before.
      await removeStream(STREAM);
      await restoreLog(dir);
      const sentence = /there is a snapshot of record \d+: records \d+ to \d+ were acknowledged/;
      for (const name of ['n1', 'n2']) await assert.rejects(() => nodes.start(name, FEW), sentence);
      const lost = { ...FEW, clusterLostThrough: String(known) };
      await assert.rejects(() => nodes.start('n1', { ...FEW, clusterLostThrough: '1' }), sentence);
      const again = await nodes.start('n1', lost);
      await place(again, 'after-loss', 3);
      // A node without a directory has nothing to decide any more.
      const other = await nodes.start('n2', FEW);
      const { orders } = (await look(other)) as { orders: { clientOid: string }[] };
      assert.ok(orders.some(({ clientOid }) => clientOid === 'after-loss-2'));
      assert.ok(orders.every(({ clientOid }) => !clientOid.startsWith('lost-')));
    } finally {
      await nodes.close();
    }
  });

  test('a joining node uses an older snapshot if the newest is damaged, and reports if it can use none', async () => {
    await removeStream(STREAM);
    await removeStream(`OBJ_${STREAM}-snapshots`);
    const nodes = new TestNodes(servers.servers.urls, STREAM);
    try {
      const first = await nodes.start('n1', FEW);
      await place(first, 'first', 20);
      await untilSnapshots(1);
      await place(first, 'second', 20);
      await untilSnapshots(2);
      const seen = await look(first);
      await nodes.stop('n1');
      const [older, newer] = await withStore((store) => store.list());
      await damage(newer, [older]);
      // No earlier record is needed. No message of this stream is set aside, so message and record numbers are equal.
      await askLog(`STREAM.PURGE.${STREAM}`, { seq: older + 1 });
      const joined = await nodes.start('n2', FEW);
      assert.deepEqual(await look(joined), seen);
      await nodes.stop('n2');
      // It may have put another one there meanwhile.
      for (const seq of await withStore((store) => store.list())) await damage(seq);
      // On every attempt: a failed start releases the directory for the next one.
      for (let tries = 0; tries < 2; tries++)
        await assert.rejects(() => nodes.start('n3', FEW), /No snapshot in the store is intact/);
    } finally {
      await nodes.close();
    }
  });
});
