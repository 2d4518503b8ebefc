/** A bot that floods the public endpoints, from the address that the tester and other bots share. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SignedClient } from './client.ts';
import { sandboxFor, type TestSandbox } from './exchange.ts';

const FEW = 20;

async function hammered(context: TestContext): Promise<TestSandbox> {
  const sandbox = await sandboxFor(context, {
    quotas: JSON.stringify({ public: FEW }),
    servicePoolWeight: String(FEW),
    refusalsPerAddressMax: String(FEW),
  });
  const { compatUrl, baseUrl } = sandbox.running.connection;
  await hammer(async (at) => {
    const url = at % 2 ? `${compatUrl}/api/v1/timestamp` : `${baseUrl}/no/such/path`;
    await (await fetch(url, { signal: AbortSignal.timeout(60_000) })).text();
  });
  return sandbox;
}

/**
 * Until a connection is closed: in rounds, because rejections are counted per second, and a slow machine may take
 * longer.
 */
async function hammer(ask: (at: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const asked = await Promise.allSettled(Array.from({ length: 5 * FEW }, (_, at) => ask(at)));
    if (asked.some(({ status: result }) => result === 'rejected')) return;
  }
  assert.fail('nothing was ever cut off');
}

const status = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
  await answer.arrayBuffer();
  return answer.status;
};

test('a bot without a key cannot lock out clients with a token or a signature', async (context) => {
  const sandbox = await hammered(context);
  const { connection } = sandbox.running;
  for (let asked = 0; asked < 2 * FEW; asked++) {
    await sandbox.call('GET', '/');
    assert.equal(await status(`${connection.baseUrl}/healthz`), 200);
    assert.equal(await status(`${connection.baseUrl}/readyz`), 200);
  }
  const alice = new SignedClient(connection, 'alice');
  assert.equal((await alice.get('/api/v1/accounts')).status, 200);
  // Public but signed, so it is charged to the user: that user's pool becomes empty, and no other.
  const answers: number[] = [];
  for (let asked = 0; asked < FEW; asked++) answers.push((await alice.get('/api/v1/timestamp')).status);
  assert.deepEqual([answers[0], answers.at(-1)], [200, 429]);
  assert.equal((await new SignedClient(connection, 'bob').get('/api/v1/timestamp')).status, 200);
  const authorization = `Bearer ${connection.operatorToken}`;
  for (let asked = 0; asked < FEW; asked++) {
    assert.equal(await status(`${connection.baseUrl}/operator/v1/currencies`, { authorization }), 200);
    assert.equal(await status(`${connection.baseUrl}/metrics`, { authorization }), 200);
  }
});

test('a bot without a key cannot block the pages for others', async (context) => {
  const { running } = await hammered(context);
  // 503 where the pages are not built.
  for (const path of ['/', '/console']) {
    const given = await status(running.connection.baseUrl + path, { accept: 'text/html' });
    assert.ok([200, 503].includes(given), `${path}: ${given}`);
  }
});

test('a user whose requests are rejected too often is blocked without affecting others', async (context) => {
  const sandbox = await sandboxFor(context, {
    quotas: '{"manage":5}',
    refusalsPerAddressMax: String(FEW),
  });
  const { connection } = sandbox.running;
  const [alice, bob] = ['alice', 'bob'].map((name) => new SignedClient(connection, name));
  await hammer(() => alice.get('/api/v1/accounts'));
  assert.equal((await bob.get('/api/v1/accounts')).status, 200);
  assert.equal(await status(`${connection.compatUrl}/api/v1/timestamp`), 200);
});
