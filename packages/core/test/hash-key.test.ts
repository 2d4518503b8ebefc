/** The hash key prevents users from choosing colliding keys, and nothing observable depends on it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from '@bourse/test-kit/steps.ts';
import { Exchange } from '../src/exchange.ts';
import { type HashKey, IndexTable, OPEN_HASH_KEY } from '../src/tables/index-table.ts';
import { makeRecords } from './golden-records.ts';
import { applyTo, tell } from '@bourse/test-kit/venue.ts';

const OTHER_KEYS: readonly HashKey[] = [
  [0, 0],
  [0x12345678, 0x9abcdef1],
  [0xfffffffe, 0xffffffff],
];

/** The odd number whose product with this one is 1, modulo 2^32. */
function inverse(odd: number): number {
  let result = odd;
  for (let i = 0; i < 5; i++) result = Math.imul(result, 2 - Math.imul(odd, result));
  return result;
}

/** Numbers below 2^51 that collide in a table of any size with this key. */
function collidingKeys(count: number, [low, high]: HashKey): number[] {
  const back = inverse(low | 1);
  return Array.from({ length: count }, (_, i) => {
    const lower = Math.imul(7 - Math.imul(i + 1, high | 1), back) >>> 0;
    return (i + 1) * 2 ** 32 + lower;
  });
}

test('keys that collide under one hash key do not under another', () => {
  const keys = collidingKeys(4000, OPEN_HASH_KEY);
  const fill = (hashKey: HashKey) =>
    stepsOf(() => {
      const table = new IndexTable(16, hashKey);
      for (const [row, key] of keys.entries()) table.set(key, row);
      for (const [row, key] of keys.entries()) assert.equal(table.get(key), row);
    });
  const attacked = fill(OPEN_HASH_KEY);
  for (const key of OTHER_KEYS) {
    const steps = fill(key);
    assert.ok(steps * 5 < attacked, `${steps} steps with ${key}, ${attacked} with the key that was guessed`);
  }
});

test('outcomes, events and state are the same to the byte with any key', () => {
  const open = new Exchange();
  const others = OTHER_KEYS.map((key) => new Exchange(key));
  for (const record of makeRecords()) {
    const told = tell(applyTo(open, record));
    for (const other of others) assert.equal(tell(applyTo(other, record)), told);
  }
  for (const [i, other] of others.entries()) {
    assert.equal(other.hash(), open.hash());
    assert.equal(Exchange.restore(other.snapshot(), OTHER_KEYS.at(i - 1)).hash(), open.hash());
  }
});
