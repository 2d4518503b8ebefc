import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, parseAccountId } from '../../src/gateway/ids.ts';

test('account ids: 24 hex digits for MAIN, at least 12 decimal digits for TRADE, one for each account, readable back', () => {
  const seen = new Set<string>();
  for (const user of [0, 1, 2, 99, 100_000, 2 ** 31]) {
    for (const currency of [0, 1, 17, 4095]) {
      for (const type of ['main', 'trade'] as const) {
        const id = accountId({ user, type, currency });
        assert.match(id, type === 'main' ? /^[0-9a-f]{24}$/ : /^[1-9]\d{11,}$/);
        assert.ok(!seen.has(id), id);
        seen.add(id);
        assert.deepEqual(parseAccountId(id), { user, type, currency });
      }
    }
  }
});

test('an invalid account id, and one with a digit changed, are not found', () => {
  for (const text of [
    '',
    '0',
    'abc',
    '99999999999',
    'g'.repeat(24),
    '1'.repeat(30),
    '-1',
    '100000000000.5',
  ]) {
    assert.equal(parseAccountId(text), null, text);
  }
  const id = accountId({ user: 3, type: 'trade', currency: 2 });
  for (let at = 0; at < id.length; at++) {
    const changed = `${id.slice(0, at)}${(Number(id[at]) + 1) % 10}${id.slice(at + 1)}`;
    assert.equal(parseAccountId(changed), null, changed);
  }
});
