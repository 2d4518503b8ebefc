import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { compareLevel3 } from './run.ts';

test('the level-3 feed of a busy market equals the export of its log', async (context) => {
  const { messages, kinds, reserved } = await compareLevel3({ seed: 1, minutes: ofSize(1, 10) });
  context.diagnostic(JSON.stringify({ messages, reserved, ...Object.fromEntries(kinds) }));
  assert.ok(reserved > 5, 'too few hidden orders and icebergs to prove anything');
  for (const kind of ['received', 'open', 'match', 'change', 'done']) assert.ok(kinds.get(kind)! > 0, kind);
});
