import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DueHeap } from '../src/tables/ordered.ts';
import { OPEN_HASH_KEY } from '../src/tables/index-table.ts';
import { type Random, seeded } from '@bourse/test-kit/random.ts';

interface Entry {
  readonly key: number;
  readonly rank: number;
}

const byDue = (a: Entry, b: Entry) => a.rank - b.rank || a.key - b.key;
const sorted = (model: ReadonlyMap<number, number>): Entry[] =>
  [...model].map(([key, rank]) => ({ key, rank })).toSorted(byDue);

/** Removes everything, in order. */
function drain(heap: DueHeap): Entry[] {
  const taken: Entry[] = [];
  while (heap.size > 0) {
    taken.push({ key: heap.firstKey, rank: heap.firstRank });
    heap.delete(heap.firstKey);
  }
  return taken;
}

function firstOf(model: ReadonlyMap<number, number>): Entry | null {
  let first: Entry | null = null;
  for (const [key, rank] of model)
    if (first === null || byDue({ key, rank }, first) < 0) first = { key, rank };
  return first;
}

function check(heap: DueHeap, model: ReadonlyMap<number, number>): void {
  const first = firstOf(model);
  if (heap.size !== model.size) assert.fail(`size ${heap.size} and not ${model.size}`);
  const wanted = first === null ? Infinity : first.rank;
  if (heap.firstRank !== wanted) assert.fail(`first rank ${heap.firstRank} and not ${wanted}`);
  if (first !== null && heap.firstKey !== first.key)
    assert.fail(`first ${heap.firstKey} and not ${first.key}`);
}

/** Ranks with many ties, times, and prices counted downwards. */
const RANKS: Record<string, (random: Random) => number> = {
  'a few times': (random) => random.below(10),
  'times in milliseconds': (random) => 1_700_000_000_000 + random.below(10 ** 9),
  'prices of loss stops': (random) => -1 - random.below(1000),
  'one time for all': () => 5,
};

for (const [name, draw] of Object.entries(RANKS)) {
  test(`the same as sorting, with moves and deletions: ${name}`, (context) => {
    const random = seeded(context, 601);
    const heap = new DueHeap(OPEN_HASH_KEY);
    const model = new Map<number, number>();
    let moved = 0;
    for (let step = 0; step < 40_000; step++) {
      const key = random.chance(0.5) ? 1 + random.below(150) : 2 ** 40 + random.below(150);
      const kind = random.below(10);
      if (kind < 5) {
        if (model.has(key)) moved++;
        const rank = draw(random);
        heap.set(key, rank);
        model.set(key, rank);
      } else if (kind < 8) {
        heap.delete(key);
        model.delete(key);
      } else if (heap.size > 0) {
        model.delete(heap.firstKey);
        heap.delete(heap.firstKey);
      }
      check(heap, model);
    }
    const expected = sorted(model);
    assert.deepEqual(drain(heap), expected);
    assert.ok(moved > 1000 && expected.length > 20, `${moved} moves, ${expected.length} at the end`);
  });
}

test('thousands of entries, set in any order, are returned sorted', (context) => {
  const random = seeded(context, 602);
  for (const count of [1, 2, 3, 10, 100, 5000]) {
    const heap = new DueHeap(OPEN_HASH_KEY);
    const model = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const key = random.below(2 ** 45);
      const rank = random.below(count);
      heap.set(key, rank);
      model.set(key, rank);
    }
    assert.deepEqual(drain(heap), sorted(model));
  }
});

test('any key can be removed, and the others stay in order', () => {
  const count = 40;
  for (let out = 0; out < count; out++) {
    const heap = new DueHeap(OPEN_HASH_KEY);
    const model = new Map<number, number>();
    for (let key = 0; key < count; key++) {
      const rank = (key * 17) % 13;
      heap.set(key, rank);
      model.set(key, rank);
    }
    heap.delete(out);
    model.delete(out);
    assert.deepEqual(drain(heap), sorted(model));
  }
});

test('ties are ordered by key, in whatever order they were set', () => {
  const heap = new DueHeap(OPEN_HASH_KEY);
  for (const key of [9, 3, 2 ** 33, 7, 0, 12]) heap.set(key, 1);
  heap.set(3, 2);
  heap.set(3, 1);
  assert.deepEqual(
    drain(heap).map(({ key }) => key),
    [0, 3, 7, 9, 12, 2 ** 33],
  );
});

test('an empty heap is never due, and deleting an absent key changes nothing', () => {
  const heap = new DueHeap(OPEN_HASH_KEY);
  assert.equal(heap.firstRank, Infinity);
  heap.delete(1);
  assert.equal(heap.size, 0);
  heap.set(1, 5);
  heap.delete(2);
  assert.deepEqual(drain(heap), [{ key: 1, rank: 5 }]);
  assert.equal(heap.firstRank, Infinity);
});
