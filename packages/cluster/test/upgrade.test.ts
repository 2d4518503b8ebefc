/**
 * An upgrade, node by node under load, to a build that knows newer rules and lays out its rows otherwise. The newer
 * build is the same program with constants changed: where all nodes know its rules, it offers records of them.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RULES_VERSION } from '@bourse/core';
import { changeOf, environmentOf } from '@bourse/test-kit/changed-sources.ts';
import { Load, verify } from '@bourse/test-kit/cluster/fault-run.ts';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { DIGEST_LAYOUT } from '../../engine/src/digest.ts';

const skip = await whySkipped();
const AGREE_MS_MAX = 120_000;
const NEWER_RULES = RULES_VERSION + 1;
const NEWER_LAYOUT = DIGEST_LAYOUT + 1;
const NEWER_BUILD = environmentOf(
  [
    {
      file: 'packages/core/src/rules-version.ts',
      find: `export const RULES_VERSION = ${RULES_VERSION};`,
      replace: `export const RULES_VERSION = ${NEWER_RULES};`,
    },
    {
      file: 'packages/engine/src/digest.ts',
      find: `export const DIGEST_LAYOUT = ${DIGEST_LAYOUT};`,
      replace: `export const DIGEST_LAYOUT = ${NEWER_LAYOUT};`,
    },
    // As if its rows were others.
    {
      file: 'packages/engine/src/digest.ts',
      find: 'const MULTIPLIER = 0x9e3779b1;',
      replace: 'const MULTIPLIER = 0x85ebca6b;',
    },
  ].map(changeOf),
);

const READER = fileURLToPath(new URL('./record-rules.ts', import.meta.url));

/** The rules of every record, from the first on, as the newer build reads them. */
async function rulesOf(url: string, throughSeq: number): Promise<number[]> {
  const env = { ...process.env, ...NEWER_BUILD };
  const { stdout } = await promisify(execFile)(process.execPath, [READER, url, String(throughSeq)], { env });
  return JSON.parse(stdout) as number[];
}

test('when nodes are upgraded one by one under load, new rules begin with the last one, and nothing is lost or applied twice', {
  skip,
  timeout: 600_000,
}, async (context) => {
  const older = new Set(['n1', 'n2', 'n3']);
  const cluster = await TestCluster.start({ environment: (name) => (older.has(name) ? {} : NEWER_BUILD) });
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
  // A node that has just started does not know the others yet, so the new rules begin a few records later: the load
  // must continue until then.
  const { url } = cluster.file.logServers[0];
  for (let isNew = false; !isNew; await load.nextPlaced()) {
    context.signal.throwIfAborted();
    const seq = Math.max(...(await cluster.anyStatus()).nodes.map((node) => node.seq));
    isNew = (await rulesOf(url, seq)).includes(NEWER_RULES);
  }
  const placed = await load.end();
  const { nodes } = await cluster.agreement(AGREE_MS_MAX);
  assert.deepEqual([...load.wrong, ...(await verify(cluster, placed))], []);
  assert.ok(
    nodes.every(({ digest }) => digest.startsWith(`${NEWER_LAYOUT}-`)),
    JSON.stringify(nodes),
  );

  const rules = await rulesOf(url, nodes[0].seq);
  const first = rules.indexOf(NEWER_RULES);
  assert.ok(rules.slice(0, first).every((each) => each === RULES_VERSION));
  assert.ok(rules.slice(first).every((each) => each === NEWER_RULES));
  assert.ok(first > upgradedAt[1], `record ${first + 1} is the first of the new rules`);
  context.diagnostic(
    `${placed.length} orders answered, ${placed.filter(({ tries }) => tries > 1).length} sent more than once; ` +
      `nodes upgraded at records ${upgradedAt.join(', ')}; the new rules begin with record ${first + 1} of ${rules.length}`,
  );
});
