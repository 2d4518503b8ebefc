/** A stop closes everything, even if something fails or is already closing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openSandbox } from './exchange.ts';

const GATE_MS = 1000;

test('a sandbox stops although forks and reports fail to close, and reports the first error', async (context) => {
  const dir = makeDirectory(context);
  const { running, call } = await openSandbox(dir);
  await call('POST', '/clock/advance', { ms: 1000 });
  const { reports, forks } = running.sandbox!;
  const { time } = await call<{ time: number }>('GET', '/clock');
  context.mock.method(reports, 'close', () => Promise.reject(new Error('reports')));
  context.mock.method(forks, 'close', () => Promise.reject(new Error('forks')));
  await assert.rejects(running.close(), { message: 'reports' });
  await assert.rejects(fetch(running.connection.baseUrl), 'nobody listens');
  // The lock is released, and the state is as of the stop.
  const again = await openSandbox(dir);
  assert.equal((await again.call<{ time: number }>('GET', '/clock')).time, time);
  await again.close();
});

test('a stop after a restore waits for the replaced world', async (context) => {
  const { running, call } = await openSandbox(makeDirectory(context));
  const { id } = await call('POST', '/snapshots');
  const sandbox = running.sandbox!;
  const done: string[] = [];
  const { world, directories } = sandbox;
  const { discard } = world;
  const gate = new AbortController();
  context.mock.method(world, 'discard', async (why: string) => {
    await discard.call(world, why);
    // Closing a world takes a while; here until another close would wrongly finish before it.
    await setTimeout(GATE_MS, undefined, { signal: gate.signal }).catch(() => undefined);
    done.push('closed');
  });
  const { settle } = directories;
  context.mock.method(directories, 'settle', (close: (path: string) => void) => {
    done.push('settled');
    gate.abort();
    return settle.call(directories, close);
  });
  await call('POST', `/snapshots/${id}/restore`);
  await running.close();
  assert.deepEqual(done, ['closed', 'settled']);
});
