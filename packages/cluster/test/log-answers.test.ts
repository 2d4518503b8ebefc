/**
 * Which replies about the end of the log are authoritative: replies of nats-server 2.12, with and without a majority.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NatsConnection } from '@nats-io/transport-node';
import { NatsStream } from '../src/stream/nats-stream.ts';

const SECOND = 1e9;

interface Replica {
  readonly name: string;
  readonly current: boolean;
  readonly active: number;
  readonly offline?: boolean;
}

interface ClusterInfo {
  readonly leader?: string;
  readonly replicas?: readonly Replica[];
}

const replica = (name: string, active: number): Replica => ({ name, current: active > 0, active });

const FOLLOWED: ClusterInfo = {
  leader: 'log-1',
  replicas: [replica('log-2', SECOND), replica('log-3', SECOND)],
};

/** Asks a stream whose servers answer this. */
async function endOf(
  cluster: ClusterInfo | undefined,
): Promise<{ end: number | null; servers: number | null }> {
  let answer: ClusterInfo | undefined = FOLLOWED;
  const config = { subjects: ['log.log.*'], metadata: { 'bourse-format': '1', 'bourse-salt': 'salt' } };
  const connection = {
    info: { version: '2.12.3', jetstream: true, max_payload: 8 << 20, server_name: 'log-1' },
    request: async () => ({
      json: () => ({ config, state: { first_seq: 1, last_seq: 7 }, cluster: answer }),
    }),
  } as unknown as NatsConnection;
  const address = { servers: [], stream: 'log' };
  const stream = await NatsStream.open({ connection, address, replicas: 0 });
  answer = cluster;
  return { end: await stream.end(), servers: (await stream.servers())?.length ?? null };
}

const NOBODY = { end: null, servers: null };

test('a leader that most servers follow speaks for the log, and so does a single server', async () => {
  assert.deepEqual(await endOf(FOLLOWED), { end: 7, servers: 3 });
  const oneLost = { leader: 'log-1', replicas: [replica('log-2', SECOND), replica('log-3', 60 * SECOND)] };
  assert.deepEqual(await endOf(oneLost), { end: 7, servers: 3 });
  assert.deepEqual(await endOf({ leader: 'log-1' }), { end: 7, servers: 1 });
  assert.deepEqual(await endOf(undefined), { end: 7, servers: 1 });
});

test('a server without a leader does not speak for the log, even if it responds', async () => {
  const replicas = [replica('log-1', 0), replica('log-2', 0), replica('log-3', SECOND / 2)];
  assert.deepEqual(await endOf({ replicas }), NOBODY);
  const heard = replicas.map(({ name }) => replica(name, SECOND));
  assert.deepEqual(await endOf({ replicas: heard }), NOBODY);
});

test('a leader without recent contact to most servers does not speak for the log: they may have elected another', async () => {
  for (const active of [0, 3.1 * SECOND]) {
    const replicas = [replica('log-2', active), replica('log-3', active)];
    assert.deepEqual(await endOf({ leader: 'log-1', replicas }), NOBODY);
  }
  const offline = [replica('log-2', SECOND), replica('log-3', SECOND)].map((each) => ({
    ...each,
    offline: true,
  }));
  assert.deepEqual(await endOf({ leader: 'log-1', replicas: offline }), NOBODY);
  const halfOfTwo = { leader: 'log-1', replicas: [replica('log-2', 60 * SECOND)] };
  assert.deepEqual(await endOf(halfOfTwo), NOBODY);
});
