/**
 * An attacker with full access to the log servers, but without the secret key, appends records, replays recorded
 * messages and impersonates a node. Nothing takes effect, and the exchange continues.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '@bourse/core';
import { askOperator, TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { deriveClusterKeys } from '../../../cluster/src/authentication.ts';
import { SnapshotStore } from '../../../cluster/src/states/snapshot-store.ts';
import { NatsStream } from '../../../cluster/src/stream/nats-stream.ts';
import {
  readRecordMessage,
  type RecordMessage,
  type StreamMessage,
  writeAside,
  writeRecordMessage,
} from '../../../cluster/src/stream/record-stream.ts';
import { RecordWriter } from '../../../engine/src/log/record.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const skip = await whySkipped();
const MINT: Command = {
  kind: 'report-deposit',
  user: 0,
  currency: 0,
  chain: 'btc',
  amount: 10n ** 12n,
  txId: 'forged',
  travelRule: false,
  by: 'operator',
  why: 'forged',
};
const ORDERS = '/api/v1/hf/orders';
const ORDER = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '100', size: '0.01' };

let servers: TestLogServers;
let attacker: NatsConnection;
let count = 0;

before(async () => {
  if (skip) return;
  servers = await startLogServers(1);
  attacker = await connect({ servers: servers.servers.urls.map((url) => new URL(url).host) });
});
after(async () => {
  if (skip) return;
  await attacker.close();
  await servers.close();
});

const newStream = (): string => `forged-${++count}`;
const streamOf = (stream: string): Promise<NatsStream> =>
  NatsStream.open({ connection: attacker, address: { servers: [], stream }, replicas: 0 });
const forge = async (stream: string, kind: string, bytes: Uint8Array): Promise<void> =>
  void (await attacker.request(`${stream}.log.${kind}`, bytes));

async function allMessages(stream: string): Promise<readonly StreamMessage[]> {
  const opened = await streamOf(stream);
  const found: StreamMessage[] = [];
  for (let from = 1; ; from = found.at(-1)!.at + 1) {
    const messages = await opened.read(from);
    if (messages.length === 0) return found;
    found.push(...messages);
  }
}

function readable(bytes: Uint8Array): RecordMessage[] {
  try {
    return [readRecordMessage(bytes)];
  } catch {
    return [];
  }
}

/** Appends a record that follows the last one, as the leader would write it. Leaders are quick, so he tries. */
async function mint(stream: string): Promise<void> {
  const { record, tags, hash } = (await allMessages(stream)).flatMap(({ bytes }) => readable(bytes)).at(-1)!;
  const forged = { ...record, seq: record.seq + 1, commands: [MINT] };
  const bytes = writeRecordMessage(new RecordWriter().write(forged, hash), { ...tags, origins: [] });
  await forge(stream, 'record', bytes);
}

async function money({ connection }: RunningExchange): Promise<string> {
  const accounts = await new Client(connection.baseUrl, 'alice').get('/api/v1/accounts?currency=BTC');
  const list = accounts.json.data as { type: string; balance: string }[];
  return list
    .map(({ type, balance }) => `${type} ${balance}`)
    .toSorted()
    .join(', ');
}

async function place({ connection }: RunningExchange, clientOid: string): Promise<string> {
  const placed = await new Client(connection.baseUrl, 'alice').post(ORDERS, { ...ORDER, clientOid });
  assert.equal(placed.status, 200, placed.text);
  return placed.headers.get('x-bourse-seq')!;
}

/** Reads the effect of the record at every node; all must have it, so all have skipped the same messages. */
async function checkAll(nodes: readonly RunningExchange[], seq: string, expected: string): Promise<void> {
  for (const node of nodes) {
    const client = new Client(node.connection.baseUrl, 'alice');
    const seen = await client.send('GET', '/api/v1/timestamp', undefined, { 'x-bourse-seq': seq });
    assert.equal(seen.status, 200, seen.text);
    assert.equal(await money(node), expected);
  }
}

describe('a writer to the log servers without the secret key', { skip }, () => {
  test('cannot create money with forged records, and the exchange continues after them', async () => {
    const stream = newStream();
    const nodes = new TestNodes(servers.servers.urls, stream);
    try {
      const all = [await nodes.start('n1'), await nodes.start('n2')];
      await place(all[1], 'before');
      const had = await money(all[0]);
      await mint(stream);
      await checkAll(all, await place(all[1], 'behind'), had);
      await forge(stream, 'record', Buffer.from('not even a record'));
      // It would set the last record aside.
      await forge(
        stream,
        'aside',
        writeAside(readRecordMessage((await allMessages(stream))[0].bytes).record.seq),
      );
      await mint(stream);
      await checkAll(all, await place(all[1], 'after'), had);
      // A node that reads the log from its beginning skips the same messages as one that receives them at its end.
      await mint(stream);
      all.push(await nodes.start('n3'));
      await checkAll(all, await place(all[2], 'later'), had);
      const { body } = await askOperator(all[2], '/v1/cluster');
      assert.equal((body['nodes'] as unknown[]).length, 3);
    } finally {
      await nodes.close();
    }
  });

  test('cannot replay a record that a node has written', async () => {
    const stream = newStream();
    const nodes = new TestNodes(servers.servers.urls, stream);
    try {
      const all = [await nodes.start('n1'), await nodes.start('n2')];
      await place(all[1], 'once');
      const had = await money(all[0]);
      const recorded = await allMessages(stream);
      for (const { kind, bytes } of recorded.slice(-3)) await forge(stream, kind, bytes);
      const seq = await place(all[0], 'after');
      await checkAll(all, seq, had);
      const active = await new Client(all[1].connection.baseUrl, 'alice').get(
        `${ORDERS}/active?symbol=BTC-USDT`,
      );
      assert.equal((active.json.data as unknown[]).length, 2, active.text);
    } finally {
      await nodes.close();
    }
  });

  test('cannot plant a snapshot for a joining node', async () => {
    const stream = newStream();
    const dir = mkdtempSync(join(tmpdir(), 'bourse-forged-'));
    const put = async (secretKey: string, text: string): Promise<SnapshotStore> => {
      const keys = deriveClusterKeys(secretKey, stream);
      const store = await SnapshotStore.open({ connection: attacker, stream, keys }, 1);
      const files = { state: join(dir, 'state'), history: join(dir, 'history') };
      for (const path of Object.values(files)) writeFileSync(path, text);
      await store.put(text.length, files);
      return store;
    };
    try {
      const ours = await put(SANDBOX_SECRET_KEY, 'ours');
      await put('ab'.repeat(32), 'of somebody else');
      const objects = await new Objm(attacker).open(`${stream}-snapshots`);
      await objects.putBlob({ name: '00000000000000000099.parts' }, Buffer.from('a state'));
      assert.deepEqual(await ours.list(), [4]);
      await ours.getState(4, join(dir, 'got'));
      assert.equal(readFileSync(join(dir, 'got'), 'utf8'), 'ours');
      // The object of a node with other bytes, and with the node's description of the original bytes.
      const { metadata } = (await objects.info('00000000000000000004.parts'))!;
      await objects.putBlob({ name: '00000000000000000004.parts', metadata: metadata! }, Buffer.from('his'));
      assert.deepEqual(await ours.list(), []);
      await assert.rejects(ours.getState(4, join(dir, 'got')), /has no 0+4.parts/);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  test('is ignored by nodes, whether it forges or replays messages', async () => {
    const stream = newStream();
    const recorded: { subject: string; data: Uint8Array }[] = [];
    const listening = attacker.subscribe(`${stream}.node.>`, {
      callback: (_, { subject, data }) => void recorded.push({ subject, data: Uint8Array.from(data) }),
    });
    const nodes = new TestNodes(servers.servers.urls, stream);
    try {
      await nodes.start('n1');
      // Its messages from an earlier start: that process has ended, and another one has its name.
      await nodes.stop('n1');
      const all = [await nodes.start('n1'), await nodes.start('n2')];
      await place(all[1], 'forwarded');
      await place(all[0], 'taken-here');
      listening.unsubscribe();
      const topics = new Set(recorded.map(({ subject }) => subject.split('.')[2]));
      assert.ok(
        ['to', 'nodes', 'tail'].every((topic) => topics.has(topic)),
        [...topics].join(', '),
      );
      for (let round = 0; round < 2; round++)
        for (const { subject, data } of recorded) attacker.publish(subject, data);
      const said = { name: 'n1', run: 'ffffffffffffffff', url: '', rules: 1, seq: 1, digest: '', why: 'is' };
      for (const state of ['leading', 'stopped'])
        attacker.publish(`${stream}.node.nodes`, JSON.stringify({ ...said, isLeader: true, state }));
      for (const { subject } of recorded) attacker.publish(subject, Buffer.of(3));
      await attacker.flush();
      await wait(200);
      for (const node of all) await place(node, `after-${all.indexOf(node)}`);
      const active = await new Client(all[0].connection.baseUrl, 'alice').get(
        `${ORDERS}/active?symbol=BTC-USDT`,
      );
      assert.equal((active.json.data as unknown[]).length, 4, active.text);
      for (const node of all) {
        const { body } = await askOperator(node, '/v1/cluster');
        const seen = (body['nodes'] as { name: string; state: string }[]).map(({ name }) => name);
        assert.deepEqual(seen, ['n1', 'n2']);
      }
    } finally {
      await nodes.close();
    }
  });
});
