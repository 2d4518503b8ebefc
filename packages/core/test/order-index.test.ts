import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderIndex } from '../src/matching/orders/order-table.ts';
import { seeded } from '@bourse/test-kit/random.ts';

test('orders are found by their ids while they come and go, chains are added and the index grows', (context) => {
  const random = seeded(context, 611);
  const index = new OrderIndex(1024);
  let capacity = 4096;
  let ids = new Float64Array(capacity * 8);
  let nexts = new Int32Array(capacity * 8);
  const active = new Map<number, number>();
  const free: number[] = [];
  let used = 0;
  let id = 2 ** 40;
  for (let i = 0; i < 200_000; i++) {
    // More are added than removed, until the last quarter.
    if (active.size === 0 || random.chance(i < 150_000 ? 0.6 : 0.2)) {
      id += 1 + random.below(3);
      const row = free.pop() ?? used++;
      if (row === capacity) {
        capacity *= 2;
        const [oldIds, oldNexts] = [ids, nexts];
        ids = new Float64Array(capacity * 8);
        ids.set(oldIds);
        nexts = new Int32Array(capacity * 8);
        nexts.set(oldNexts);
        index.grow();
      }
      ids[row * 8] = id;
      index.add(id, row, ids, nexts);
      active.set(id, row);
    } else {
      const gone = pickOf(active, random.below(Math.min(active.size, 50)));
      const row = active.get(gone)!;
      index.remove(gone, row, nexts);
      active.delete(gone);
      free.push(row);
      if (index.find(gone, ids, nexts) !== -1) assert.fail(`order ${gone} is still found`);
    }
    if (i % 10_000 === 0) {
      for (const [each, row] of active)
        if (index.find(each, ids, nexts) !== row) assert.fail(`order ${each}`);
      assert.equal(index.find(id + 1, ids, nexts), -1);
    }
  }
  context.diagnostic(`${used} rows, ${active.size} active at the end`);
  assert.ok(capacity > 4096, 'the index never grew');
});

test('orders whose ids end in the same bits are found and removed in any order', () => {
  const index = new OrderIndex(1024);
  const ids = new Float64Array(64);
  const nexts = new Int32Array(64);
  const idOf = (row: number) => 5 + row * 2 ** 32;
  for (const removals of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 2, 0, 3],
    [2, 3, 0, 1],
  ]) {
    for (let row = 0; row < 4; row++) {
      ids[row * 8] = idOf(row);
      index.add(idOf(row), row, ids, nexts);
    }
    const active = new Set([0, 1, 2, 3]);
    for (const gone of removals) {
      index.remove(idOf(gone), gone, nexts);
      active.delete(gone);
      for (let row = 0; row < 4; row++) {
        assert.equal(index.find(idOf(row), ids, nexts), active.has(row) ? row : -1);
      }
    }
  }
});

function pickOf(map: ReadonlyMap<number, number>, skip: number): number {
  let left = skip;
  for (const key of map.keys()) if (left-- === 0) return key;
  throw new Error('nothing to pick');
}
