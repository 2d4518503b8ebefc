/** The ticker of an untouched symbol does not depend on restores and restarts of the exchange. */

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { SignedClient } from './client.ts';
import { openSandbox, sandboxFor, type TestSandbox } from './exchange.ts';

const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'LTC-USDT', 'XRP-USDT'];

async function tickersOf({ running }: TestSandbox): Promise<unknown[]> {
  const bob = new SignedClient(running.connection, 'bob');
  const seen: unknown[] = [];
  for (const symbol of SYMBOLS) {
    seen.push((await bob.get(`/api/v1/market/orderbook/level1?symbol=${symbol}`)).body.data);
  }
  return seen;
}

test('tickers keep their times across a restore and a kill, a stop, and a kill alone', async (context) => {
  const sandbox = await sandboxFor(context);
  const alice = new SignedClient(sandbox.running.connection, 'alice');
  const later = (ms: number) => sandbox.call('POST', '/clock/advance', { ms });
  await alice.place({ symbol: 'BTC-USDT' });
  await later(5000);
  await alice.place({ symbol: 'ETH-USDT' });
  await later(7000);
  const { id } = await sandbox.call('POST', '/snapshots');
  await later(60_000);
  await alice.place({ symbol: 'LTC-USDT', price: '10' });
  await sandbox.call('POST', `/snapshots/${id}/restore`);
  const restored = await tickersOf(sandbox);
  const times = restored.map((ticker) => (ticker as { time: number }).time);
  assert.equal(times[1]! - times[0]!, 5000);

  const opened = async (dir: string) => {
    const again = await openSandbox(dir);
    // In case the test has failed before it closed it.
    context.after(() => again.close().catch(() => undefined));
    return again;
  };
  const reopened = async (from: string) => {
    const dir = `${makeDirectory(context)}/killed`;
    cpSync(from, dir, { recursive: true });
    return opened(dir);
  };
  const killed = await reopened(sandbox.dir);
  assert.deepEqual(await tickersOf(killed), restored, 'killed after the restore');
  await killed.close();
  const stopped = await opened(killed.dir);
  assert.deepEqual(await tickersOf(stopped), restored, 'stopped');
  const carol = new SignedClient(stopped.running.connection, 'carol');
  await carol.place({ symbol: 'XRP-USDT', price: '1' });
  await stopped.call('POST', '/clock/advance', { ms: 3000 });
  const before = await tickersOf(stopped);
  const again = await reopened(stopped.dir);
  assert.deepEqual(await tickersOf(again), before, 'killed without a restore');
  await again.close();
  await stopped.close();
});

test('an expectation from 0 starts with the earliest event that is kept', async (context) => {
  const { running, call, ask } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  await alice.place({ clientOid: 'first' });
  const event = { kind: 'order', where: { user: 'alice', clientOid: 'first' } };
  const { met } = await call<{ met: boolean }>('POST', '/expect', { event, withinMs: 0, from: 0 });
  assert.equal(met, true);
  const request = { kind: 'request', where: { user: 'alice', route: 'place-order' } };
  assert.equal(
    (await call<{ met: boolean }>('POST', '/expect', { event: request, withinMs: 0, from: 0 })).met,
    true,
  );
  assert.equal((await ask('POST', '/expect', { event, withinMs: 0, from: 1 })).status, 409);
  const { id } = await call('POST', '/snapshots');
  await call('POST', `/snapshots/${id}/restore`);
  const after = await call<{ met: boolean }>('POST', '/expect', { event, withinMs: 0, from: 0 });
  assert.equal(after.met, false, 'a restored world begins anew');
});
