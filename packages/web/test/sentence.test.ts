// Sentences of proposals, and their changes before and after.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, sentenceOf, sentenceOfRule } from '../src/console/proposals/sentence.ts';

test('a proposed command is described with names and amounts', () => {
  const said = (command: { kind: string } & Record<string, unknown>, before?: Record<string, unknown>) =>
    sentenceOf(command, before ?? null);
  const deposit = { kind: 'report-deposit', user: 'alice', currency: 'USDT', amount: '12345.5' };
  assert.equal(said(deposit), 'Credit 12,345.5 USDT to alice.');
  assert.match(said({ ...deposit, travelRule: true }), /^Hold 12,345.5 USDT for alice until/);
  const settle = { kind: 'settle-withdrawal', withdrawal: 'w1', sent: true, txId: 'abc' };
  assert.equal(said(settle), 'Report the withdrawal w1 as sent, in transaction abc.');
  assert.equal(
    said(settle, { amount: '2', currency: 'BTC', address: 'bc1q' }),
    'Report the withdrawal of 2 BTC to bc1q as sent, in transaction abc.',
  );
  assert.equal(
    said({ kind: 'change-user', user: 'bob', frozen: true, tier: 3 }),
    'Freeze bob and move bob to tier 3.',
  );
  assert.equal(
    said({ kind: 'set-fees', maker: '0.001', taker: '0.002' }),
    'Set the fees of everybody to 0.001 maker and 0.002 taker.',
  );
  assert.equal(
    said({ kind: 'set-policy', rules: [] }),
    'Remove the policy: no call needs approval any more.',
  );
  const move = { kind: 'move-money', currency: 'USDT', amount: '12.5', to: { system: 'suspense' } };
  assert.equal(
    said({ ...move, from: { user: 'alice', account: 'main' } }),
    'Move 12.5 USDT from alice (MAIN) to suspense.',
  );
  assert.equal(said({ kind: 'reverse-movement', deposit: 'd1' }), 'Reverse the deposit d1.');
  assert.equal(
    said({ kind: 'freeze-user', user: 'bob', level: 'trading' }),
    'Freeze bob. Trading: no new orders.',
  );
  // An unknown command shows its name, and text of users cannot hide in it.
  assert.equal(said({ kind: 'pause-trading' }), 'Pause trading.');
  assert.equal(said({ kind: 'add-user', name: 'a\u202eb' }), 'Add the user a\\u202eb.');
});

test('a change shows the values before and after, and a new object all its values', () => {
  assert.deepEqual(changesOf({ tier: 1, frozen: false }, { kind: 'change-user', tier: 2, frozen: false }), [
    { name: 'Tier', before: '1', after: '2' },
  ]);
  assert.deepEqual(changesOf(null, { kind: 'add-key', ipAllowList: [], permissions: ['General'] }), [
    { name: 'IP allow list', before: undefined, after: 'none' },
    { name: 'Permissions', before: undefined, after: 'General' },
  ]);
  // A span is exact: 24 and 47 hours are not both one day.
  const [day, hour] = [86_400_000, 3_600_000];
  assert.deepEqual(changesOf({ expiryMs: day }, { kind: 'set-policy', expiryMs: 47 * hour }), [
    { name: 'Proposals stay open for', before: '1 day', after: '47 hours' },
  ]);
  const rule = { call: 'report-deposit', above: { USDT: '1000' }, approvals: 2, roles: ['finance', 'admin'] };
  assert.equal(
    sentenceOfRule(rule),
    'Report deposit: above 1,000 USDT; of other currencies always. 2 approvals by finance or admin',
  );
});
