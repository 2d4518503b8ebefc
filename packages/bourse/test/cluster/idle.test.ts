/** An idle cluster with real log servers: it appends nothing, and still detects failures. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { askOperator, TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const IDLE_MS = 6000;
/** For takeovers: processes of a loaded machine may not run for seconds. */
const RECORDS_MAX = 3;

const skip = await whySkipped();

interface Seen {
  readonly leader: string | null;
  readonly nodes: readonly { readonly seq: number; readonly digest: string }[];
}

const look = async (node: RunningExchange): Promise<Seen> =>
  (await askOperator(node, '/v1/cluster')).body as unknown as Seen;

/** Looks until it is so. */
async function until(node: RunningExchange, isSo: (seen: Seen) => boolean): Promise<Seen> {
  for (let looks = 0; looks < 600; looks++) {
    const seen = await look(node);
    if (isSo(seen)) return seen;
    await wait(50);
  }
  return assert.fail(JSON.stringify(await look(node)));
}

test('an idle cluster appends no records, and knows that it is up to date', {
  skip,
  timeout: 120_000,
}, async (context) => {
  const servers = await startLogServers(3);
  context.after(() => servers.close());
  const nodes = new TestNodes(servers.servers.urls, 'idle');
  context.after(() => nodes.close());
  const [first, second] = [await nodes.start('n1'), await nodes.start('n2')];
  const isTogether = ({ nodes: all }: Seen): boolean => all.length === 2 && all[0].digest === all[1].digest;
  const before = await until(first, isTogether);
  await wait(IDLE_MS);
  const after = await until(first, isTogether);
  assert.ok(
    after.nodes[0].seq - before.nodes[0].seq <= RECORDS_MAX,
    `${after.nodes[0].seq - before.nodes[0].seq} records in ${IDLE_MS} ms`,
  );
  for (const node of [first, second]) {
    await until(node, ({ leader }) => leader !== null);
    const response = await fetch(`${node.connection.baseUrl}/api/v1/timestamp`);
    assert.equal(response.headers.get('x-bourse-age-ms'), null);
  }
  // The takeover happens without a record that shows it.
  const { leader } = await look(first);
  await nodes.stop(leader!);
  const other = leader === 'n1' ? second : first;
  await until(other, ({ leader: next }) => next !== null && next !== leader);
});
