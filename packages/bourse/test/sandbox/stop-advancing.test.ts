/** A sandbox is stopped in the middle of a long advance: it does not wait for the end of that. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openSandbox } from './exchange.ts';

const YEAR_MS = 366 * 86_400_000;

test('a stop ends an advance at the current time, rejects queued advances, and time continues from there', {
  timeout: 60_000,
}, async (context) => {
  const dir = makeDirectory(context);
  const sandbox = await openSandbox(dir, { market: 'calm' });
  const { time: begunAt } = await sandbox.call<{ time: number }>('GET', '/clock');
  const advance = sandbox.ask('POST', '/clock/advance', { ms: YEAR_MS });
  const timeOf = async () => (await sandbox.call<{ time: number }>('GET', '/clock')).time;
  while ((await timeOf()) === begunAt) await setTimeout(1);
  const snapshot = sandbox.ask('POST', '/snapshots');
  await timeOf();
  await sandbox.close();
  const answers = await Promise.all([advance, snapshot]);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, (body as { code: string }).code]),
    [
      [503, 'stopped'],
      [503, 'stopped'],
    ],
  );
  const again = await openSandbox(dir, { market: 'calm' });
  context.after(() => again.close());
  const { time } = await again.call<{ time: number }>('GET', '/clock');
  assert.ok(time > begunAt && time < begunAt + YEAR_MS, String(time - begunAt));
});
