import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexTable, OPEN_HASH_KEY } from '../src/tables/index-table.ts';
import { type Random, seeded } from '@bourse/test-kit/random.ts';

const STEPS = 200_000;

/** Families of keys that collide in a table of any size: neighbours, equal low bits, equal high bits. */
const FAMILIES: Record<string, (random: Random) => number> = {
  'neighbouring ids': (random) => random.below(600),
  'one block of ids beyond 2^32': (random) => 2 ** 32 + random.below(600),
  'equal low 32 bits': (random) => random.below(600) * 2 ** 32 + 7,
  'multiples of a large power of two': (random) => random.below(600) * 2 ** 20,
  'up to the last safe integer': (random) => Number.MAX_SAFE_INTEGER - random.below(600),
  'account keys': (random) => ((random.below(60) + 1) * 8 + random.below(5)) * 4096 + random.below(3),
  'anything at all': (random) => random.units(53),
};

function verify(table: IndexTable, model: Map<number, number>, asked: Iterable<number>): void {
  if (table.size !== model.size) assert.fail(`size ${table.size} and not ${model.size}`);
  for (const key of asked) {
    const expected = model.get(key) ?? -1;
    if (table.get(key) !== expected) assert.fail(`key ${key}: ${table.get(key)} and not ${expected}`);
  }
}

for (const [name, draw] of Object.entries(FAMILIES)) {
  test(`the same as a Map: ${name}`, (context) => {
    const random = seeded(context, 401);
    const table = new IndexTable(16, OPEN_HASH_KEY);
    const model = new Map<number, number>();
    const everSeen = new Set<number>();
    let deleted = 0;
    for (let step = 0; step < STEPS; step++) {
      const key = draw(random);
      if (everSeen.size < 2000) everSeen.add(key);
      // Long phases of growing and of shrinking, so that runs of entries form and are split.
      const isGrowing = step % 4000 < 2000;
      if (random.chance(isGrowing ? 0.7 : 0.3)) {
        const value = random.bits() >>> 1;
        table.set(key, value);
        model.set(key, value);
      } else {
        if (model.delete(key)) deleted++;
        table.delete(key);
      }
      const asked = draw(random);
      verify(table, model, [key, asked]);
      if (step % 10_000 === 0) verify(table, model, everSeen);
    }
    verify(table, model, everSeen);
    verify(table, model, model.keys());
    for (const key of model.keys()) table.delete(key);
    verify(table, new Map(), everSeen);
    context.diagnostic(`${deleted} deletions`);
    assert.ok(deleted > 100 || name === 'anything at all', 'idle');
  });
}

test('a long queue of ids: the oldest is removed, the next is added', () => {
  const table = new IndexTable(4, OPEN_HASH_KEY);
  const waiting = 300;
  for (let id = 1; id <= 100_000; id++) {
    table.set(id, id % 1000);
    if (id > waiting) table.delete(id - waiting);
  }
  assert.equal(table.size, waiting);
  for (let id = 100_000 - waiting + 1; id <= 100_000; id++) assert.equal(table.get(id), id % 1000);
  assert.equal(table.get(100_000 - waiting), -1);
});

test('grows from the smallest table to 100,000 entries', () => {
  const table = new IndexTable(2, OPEN_HASH_KEY);
  for (let key = 0; key < 100_000; key++) table.set(key * 3, key);
  assert.equal(table.size, 100_000);
  for (let key = 0; key < 100_000; key++) {
    if (table.get(key * 3) !== key || table.get(key * 3 + 1) !== -1) assert.fail(`key ${key * 3}`);
  }
});

test('invalid keys are absent, in an empty table and in a full one', () => {
  const table = new IndexTable(16, OPEN_HASH_KEY);
  const strangers = [
    -1,
    -2,
    -(2 ** 32),
    -Infinity,
    Infinity,
    Number.NaN,
    0.5,
    1.5,
    2 ** 32 + 0.5,
    -0.5,
    2 ** 60,
  ];
  for (let round = 0; round < 2; round++) {
    for (const stranger of strangers) assert.equal(table.get(stranger), -1, `${stranger}`);
    for (let key = 0; key < 1000; key++) table.set(key, key);
  }
  assert.equal(table.get(-0), 0);
});

test('a value is replaced, and deleting an absent key changes nothing', () => {
  const table = new IndexTable(16, OPEN_HASH_KEY);
  table.set(5, 1);
  table.set(5, 2);
  table.delete(6);
  table.delete(Number.NaN);
  assert.equal(table.get(5), 2);
  assert.equal(table.size, 1);
  table.delete(5);
  table.delete(5);
  assert.equal(table.get(5), -1);
  assert.equal(table.size, 0);
});
