/** The error messages of a node whose log servers are misconfigured; nothing is changed. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from '@nats-io/transport-node';
import { TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client } from '@bourse/test-kit/server.ts';

const skip = await whySkipped();
const login = { user: 'bourse', password: 'p@ss word' };
let servers: TestLogServers;

before(async () => {
  if (!skip) servers = await startLogServers(1, { login });
});
after(async () => {
  if (!skip) await servers.close();
});

const urlsFor = (user: string, password: string): string[] =>
  servers.servers.urls.map((url) => url.replace('://', `://${user}:${encodeURIComponent(password)}@`));
const rightUrls = (): string[] => urlsFor(login.user, login.password);

async function makeStream(name: string, metadata: Record<string, string>): Promise<void> {
  const connection = await connect({ servers: servers.servers.urls, user: login.user, pass: login.password });
  const config = { name, subjects: [`${name}.log.*`], metadata };
  await connection.request(`$JS.API.STREAM.CREATE.${name}`, JSON.stringify(config));
  await connection.close();
}

async function refusal(nodes: TestNodes, flags: Record<string, string> = {}): Promise<string> {
  try {
    await nodes.start('n1', flags);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  } finally {
    await nodes.close();
  }
  return assert.fail('it started');
}

describe('a misconfigured cluster', { skip }, () => {
  test('no log servers run', async () => {
    const nodes = new TestNodes(['nats://127.0.0.1:1'], 'none');
    assert.match(
      await refusal(nodes),
      /^ClusterUnfit: None of the log servers 127\.0\.0\.1:1 responds .* Start them/,
    );
  });

  test('wrong credentials', async () => {
    const said = await refusal(new TestNodes(urlsFor('bourse', 'wrong'), 'wrong'));
    assert.match(said, /refuse the user and password of --cluster/);
    assert.doesNotMatch(said, /p@ss|wrong@/);
  });

  test('a stream of another program', async () => {
    await makeStream('foreign', {});
    assert.match(await refusal(new TestNodes(rightUrls(), 'foreign')), /'foreign' is not one of Bourse/);
  });

  test('a stream of a newer version', async () => {
    await makeStream('newer', { 'bourse-format': '2' });
    assert.match(
      await refusal(new TestNodes(rightUrls(), 'newer')),
      /has format 2, .* a newer version made it/,
    );
  });

  test('more replicas than servers', async () => {
    const said = await refusal(new TestNodes(rightUrls(), 'copies'), { clusterCopies: '3' });
    assert.match(said, /with 3 replicas cannot be created .* --cluster-copies/);
  });

  test('a stream whose snapshot store is missing and cannot be created', async () => {
    await makeStream('storeless', { 'bourse-format': '1' });
    const said = await refusal(new TestNodes(rightUrls(), 'storeless'), { clusterCopies: '3' });
    assert.match(
      said,
      /^ClusterUnfit: The store 'storeless-snapshots' for snapshots with 3 replicas cannot be created \(.*\)\. Start at least that many/,
    );
  });

  test('a request limit above the size of a record', async () => {
    const said = await refusal(new TestNodes(rightUrls(), 'large'), { bodyBytesMax: String(6 << 20) });
    assert.match(said, /set max_payload of the servers to 12582912 or more/);
  });

  test('two nodes with the same name', async () => {
    const nodes = new TestNodes(rightUrls(), 'twins');
    const twins = new TestNodes(rightUrls(), 'twins');
    try {
      const { connection } = await nodes.start('n1');
      const said = await refusal(twins);
      assert.match(said, /The cluster already has a node 'n1', at http.* start this one with another --node/);
      assert.equal((await new Client(connection.baseUrl).get('/api/v1/timestamp')).status, 200);
    } finally {
      await nodes.close();
    }
  });

  test('with a full stream, commands are rejected, reads continue, and nothing is discarded', async () => {
    const nodes = new TestNodes(rightUrls(), 'full');
    try {
      const { connection } = await nodes.start('n1', {
        clusterLogBytes: '100000',
        quotas: '{"spot":1000000}',
      });
      const client = new Client(connection.baseUrl, 'alice');
      const order = {
        symbol: 'BTC-USDT',
        side: 'buy',
        type: 'limit',
        price: '100',
        size: '0.01',
        timeInForce: 'IOC',
      };
      let last = await client.post('/api/v1/hf/orders', order);
      for (let i = 0; i < 2000 && last.status === 200; i++) {
        const remark = 'x'.repeat(20);
        last = await client.post('/api/v1/hf/orders', { ...order, clientOid: `c-${i}`, remark });
      }
      assert.notEqual(last.status, 200);
      assert.match(last.text, /no space left on the disk for the log/);
      assert.equal((await client.get('/api/v1/accounts')).status, 200);
      const health = await fetch(`${connection.baseUrl}/readyz`);
      assert.equal(((await health.json()) as { status: string }).status, 'full');
    } finally {
      await nodes.close();
    }
  });
});
