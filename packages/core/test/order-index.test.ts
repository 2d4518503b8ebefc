import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderIndex } from '../src/matching/orders/order-index.ts';
import { seeded } from '@bourse/test-tools/random.ts';

test('orders are found by their ids while they come and go, chains are added and the index grows', (context) => {
  const random = seeded(context, 611);
  const index = new OrderIndex(1024);
  let capacity = 8192;
  let rows = new Float64Array(capacity * 8);
  const active = new Map<number, number>();
  const free: number[] = [];
  let used = 0;
  let id = 2 ** 40;
  for (let i = 0; i < 200_000; i++) {
    // More come than go, until the last quarter.
    if (active.size === 0 || random.chance(i < 150_000 ? 0.6 : 0.2)) {
      id += 1 + random.below(3);
      const row = free.pop() ?? used++;
      if (row === capacity) {
        capacity *= 2;
        const larger = new Float64Array(capacity * 8);
        larger.set(rows);
        rows = larger;
        index.grow();
      }
      rows[row * 8] = id;
      index.add(id, row, rows);
      active.set(id, row);
    } else {
      const gone = pickOf(active, random.below(Math.min(active.size, 50)));
      const row = active.get(gone)!;
      index.remove(gone, row);
      active.delete(gone);
      free.push(row);
      if (index.find(gone, rows) !== -1) assert.fail(`order ${gone} is still found`);
    }
    if (i % 10_000 === 0) {
      for (const [each, row] of active) if (index.find(each, rows) !== row) assert.fail(`order ${each}`);
      assert.equal(index.find(id + 1, rows), -1);
    }
  }
  context.diagnostic(`${used} rows, ${active.size} active at the end`);
  assert.ok(capacity > 8192, 'the index never grew');
});

function pickOf(map: ReadonlyMap<number, number>, skip: number): number {
  let left = skip;
  for (const key of map.keys()) if (left-- === 0) return key;
  throw new Error('nothing to pick');
}
