/** Simulated steps of the agents wait for the disk only while a client could observe them. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { sandboxFor, type TestSandbox } from './exchange.ts';

const MS = 60_000;

/** The number of asynchronous syncs of this thread: one for every awaited record. */
function countSyncs(context: TestContext): () => number {
  const { mock } = context.mock.method(fs, 'fdatasync');
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return () => mock.callCount();
}

/** Records of a minute, and syncs that they waited for. */
async function advance(
  { call, running }: TestSandbox,
  syncs: () => number,
): Promise<{ records: number; awaited: number }> {
  const [from, before] = [running.engine.health.seq, syncs()];
  const { seq } = await call<{ seq: number }>('POST', '/clock/advance', { ms: MS });
  return { records: seq - from, awaited: syncs() - before };
}

test('an advance waits for the disk only at its end, but with an open websocket at every step', async (context) => {
  const syncs = countSyncs(context);
  const sandbox = await sandboxFor(context, { market: 'calm' });
  const alone = await advance(sandbox, syncs);
  assert.ok(alone.records > 40, JSON.stringify(alone));
  assert.ok(alone.awaited < 5, JSON.stringify(alone));

  const { compatUrl } = sandbox.running.connection;
  const asked = await fetch(`${compatUrl}/api/v1/bullet-public`, { method: 'POST' });
  const { data } = (await asked.json()) as {
    data: { token: string; instanceServers: { endpoint: string }[] };
  };
  const socket = new WebSocket(`${data.instanceServers[0]!.endpoint}?token=${data.token}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('message', resolve);
    socket.addEventListener('error', reject);
  });
  const watched = await advance(sandbox, syncs);
  assert.ok(watched.awaited >= watched.records, JSON.stringify(watched));

  const closed = new Promise((resolve) => {
    socket.addEventListener('close', resolve);
  });
  socket.close();
  await closed;
  // The server's side of the socket may close a little later.
  for (let tries = 0; tries < 20; tries++) {
    const again = await advance(sandbox, syncs);
    if (again.awaited < 5) return;
  }
  assert.fail('requests or sockets that are gone still count');
});
