/** Requests that a fault delays while the sandbox restores a snapshot. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { SignedClient } from './client.ts';
import { openSandbox, sandboxFor, type TestSandbox } from './exchange.ts';

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
};

const hitsOf = async ({ call }: TestSandbox): Promise<number> =>
  (await call<{ hits: number }[]>('GET', '/faults'))[0]!.hits;

for (const [effect, route] of [
  [{ kind: 'delay', ms: 3_600_000 }, 'place-order'],
  [{ kind: 'delay', ms: 3_600_000, before: true }, 'place-order'],
  [{ kind: 'slow-body', bytesPerSecond: 1 }, 'place-order'],
  [{ kind: 'delay', ms: 3_600_000 }, 'get-server-time'],
] as const) {
  test(`a ${route} delayed by ${JSON.stringify(effect)} is not answered from the state before a restore`, async (context) => {
    const sandbox = await sandboxFor(context);
    const alice = new SignedClient(sandbox.running.connection, 'alice');
    const { id } = await sandbox.call('POST', '/snapshots');
    const { id: rule } = await sandbox.call<{ id: string }>('POST', '/faults', { match: { route }, effect });
    const asked =
      route === 'get-server-time' ? alice.get('/api/v1/timestamp') : alice.place({ clientOid: 'held' });
    const held = asked.then(
      ({ status }) => status,
      () => 'cut',
    );
    await until(async () => (await hitsOf(sandbox)) === 1);
    await sandbox.call('POST', `/snapshots/${id}/restore`);
    const answered = await held;
    assert.ok(answered === 503 || answered === 'cut', `answered ${answered}`);
    await sandbox.call('DELETE', `/faults/${rule}`);
    const open = await alice.get('/api/v1/hf/orders/active?symbol=BTC-USDT');
    assert.deepEqual(open.body.data, []);
  });
}

test('the old exchange accepts no command from the moment that a restore replaces it', async (context) => {
  const { running, call } = await sandboxFor(context);
  const { id } = await call('POST', '/snapshots');
  const present = running.sandbox!.world;
  const { discard } = present;
  let state = '';
  context.mock.method(present, 'discard', (why: string) => {
    const gone = discard.call(present, why);
    // From here on the restored world may be served.
    ({ state } = present.services.port.health);
    return gone;
  });
  await call('POST', `/snapshots/${id}/restore`);
  assert.equal(state, 'stopped');
});

test('a sandbox stops at once, even while a fault delays requests', async (context) => {
  const sandbox = await openSandbox(makeDirectory(context));
  await sandbox.call('POST', '/faults', {
    match: { route: 'place-order' },
    effect: { kind: 'delay', ms: 3_600_000 },
  });
  const alice = new SignedClient(sandbox.running.connection, 'alice');
  const held = alice.place({}).then(({ status }) => status);
  await until(async () => (await hitsOf(sandbox)) === 1);
  await sandbox.close();
  assert.equal(await held, 200);
});

test('a fault delays nothing from the moment that a sandbox stops', async (context) => {
  const { running, call } = await sandboxFor(context);
  await call('POST', '/faults', {
    match: { route: 'place-order' },
    effect: { kind: 'delay', ms: 3_600_000 },
  });
  // The first step of a stop. An order already in the log, but without a response, reaches the fault only now.
  (running.sandbox!.world as unknown as { release(): void }).release();
  const { status } = await new SignedClient(running.connection, 'alice').place({});
  assert.equal(status, 200);
});
