/**
 * An upgrade, node by node under load, from a build that knows older rules and lays out its rows otherwise. The older
 * build is the same program with two constants changed: it offers and takes records of the rules before only.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES_VERSION } from '@bourse/core';
import { changeOf, environmentOf } from '@bourse/test-kit/changed-sources.ts';
import { Load, verify } from '@bourse/test-kit/cluster/fault-run.ts';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { whySkipped } from '@bourse/test-kit/log-servers.ts';
import { deriveClusterKeys } from '../src/auth/cluster-keys.ts';
import { connectTo } from '../src/stream/nats-link.ts';
import { NatsStream } from '../src/stream/nats-stream.ts';
import { RecordMac } from '../src/stream/record-mac.ts';
import { StreamReader } from '../src/stream/stream-reader.ts';
import { DIGEST_LAYOUT } from '../../engine/src/digest.ts';
import { nodeClock } from '../../engine/src/io/node-clock.ts';
import { SANDBOX_SECRET_KEY } from '../../sandbox/src/seed.ts';

const skip = await whySkipped();
const AGREE_MS_MAX = 120_000;
const OLDER_BUILD = environmentOf(
  [
    {
      file: 'packages/core/src/rules-version.ts',
      find: `export const RULES_VERSION = ${RULES_VERSION};`,
      replace: `export const RULES_VERSION = ${RULES_VERSION - 1};`,
    },
    {
      file: 'packages/engine/src/digest.ts',
      find: `export const DIGEST_LAYOUT = ${DIGEST_LAYOUT};`,
      replace: `export const DIGEST_LAYOUT = ${DIGEST_LAYOUT - 1};`,
    },
    // As if its rows were others.
    {
      file: 'packages/engine/src/digest.ts',
      find: 'const MULTIPLIER = 0x9e3779b1;',
      replace: 'const MULTIPLIER = 0x85ebca6b;',
    },
  ].map(changeOf),
);

/** The rules of every record, from the first on. */
async function rulesOf(url: string, throughSeq: number): Promise<number[]> {
  const address = { servers: [url], stream: 'bourse' };
  const stream = await NatsStream.open({
    connection: await connectTo(address, 'test'),
    address,
    replicas: 0,
  });
  const { records: key } = deriveClusterKeys(SANDBOX_SECRET_KEY, address.stream);
  const reader = await StreamReader.open({ stream, clock: nodeClock, mac: new RecordMac(key) });
  const rules: number[] = [];
  for await (const record of reader.read(1, throughSeq)) rules.push(record.rules ?? 1);
  await reader.close();
  return rules;
}

test('nodes are replaced one by one under load: the new rules begin with the last one, nothing is lost or doubled', {
  skip,
  timeout: 600_000,
}, async (context) => {
  const older = new Set(['n1', 'n2', 'n3']);
  const cluster = await TestCluster.start({ environment: (name) => (older.has(name) ? OLDER_BUILD : {}) });
  const load = new Load(cluster);
  context.after(async () => {
    await load.end();
    await cluster.close();
  });
  const { leader } = await cluster.whole(AGREE_MS_MAX);
  const order = [...older].toSorted((a, b) => Number(a === leader) - Number(b === leader));
  const upgradedAt: number[] = [];
  for (const name of order) {
    older.delete(name);
    // The supervisor starts the newer build.
    await cluster.restart(name, 'SIGTERM');
    const { nodes } = await cluster.whole(AGREE_MS_MAX);
    upgradedAt.push(Math.max(...nodes.map(({ seq }) => seq)));
    await load.nextPlaced();
  }
  // A node that has just started does not know the others yet, so the new rules begin a few records later: the load must
  // go on until then.
  const { url } = cluster.file.logServers[0];
  for (let isNew = false; !isNew; await load.nextPlaced()) {
    context.signal.throwIfAborted();
    const seq = Math.max(...(await cluster.anyStatus()).nodes.map((node) => node.seq));
    isNew = (await rulesOf(url, seq)).includes(RULES_VERSION);
  }
  const placed = await load.end();
  const { nodes } = await cluster.agreement(AGREE_MS_MAX);
  assert.deepEqual([...load.wrong, ...(await verify(cluster, placed))], []);
  assert.ok(
    nodes.every(({ digest }) => digest.startsWith(`${DIGEST_LAYOUT}-`)),
    JSON.stringify(nodes),
  );

  const rules = await rulesOf(url, nodes[0].seq);
  const first = rules.indexOf(RULES_VERSION);
  assert.ok(rules.slice(0, first).every((each) => each === RULES_VERSION - 1));
  assert.ok(rules.slice(first).every((each) => each === RULES_VERSION));
  assert.ok(first > upgradedAt[1], `record ${first + 1} is the first of the new rules`);
  context.diagnostic(
    `${placed.length} orders answered, ${placed.filter(({ tries }) => tries > 1).length} sent more than once; ` +
      `nodes upgraded at records ${upgradedAt.join(', ')}; the new rules begin with record ${first + 1} of ${rules.length}`,
  );
});
