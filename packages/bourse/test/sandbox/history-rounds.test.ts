/** A sandbox writes history rarely, because orders wait for the disk meanwhile, and at once when a request needs it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { submit } from '@bourse/test-kit/submit.ts';
import { sandboxFor } from './exchange.ts';

const ROUND_MS = 1000;
const BESIDE_MS = 2500;
const PAUSE_MS = 10;

test('history is written once a second, and once more for a client that asks', async (context) => {
  const sandbox = await sandboxFor(context, { clock: 'real' });
  const { engine } = sandbox.running;
  await engine.historyCaughtUp();
  const note = (text: string) => submit(engine, { kind: 'set-note', name: 'rounds', text });

  const checkpoints = new Set<number>();
  const startedAt = performance.now();
  while (performance.now() - startedAt < BESIDE_MS) {
    await note(String(performance.now()));
    checkpoints.add(engine.history.checkpoint);
    await sleep(PAUSE_MS);
  }
  const rounds = checkpoints.size - 1;
  // On a slow machine there are fewer, but never more.
  assert.ok(rounds <= (performance.now() - startedAt) / ROUND_MS + 1, `${rounds} rounds`);

  const { seq } = await note('the last');
  await engine.historyCaughtUp();
  assert.ok(engine.history.checkpoint >= seq);
});
