import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AscendingIds } from '../src/tables/ordered.ts';

test('newest returns the same page as slicing a sorted list', () => {
  for (const count of [0, 1, 2, 7, 100]) {
    const ids = new AscendingIds();
    const all = Array.from({ length: count }, (_, at) => 10 + 3 * at);
    for (const id of all) ids.add(id);
    assert.equal(ids.count, count);
    assert.deepEqual(ids.all, all);
    for (const after of [undefined, 0, 10, 11, 13, 40, 307, 1000]) {
      for (const limit of [0, 1, 5, 100, Infinity]) {
        for (const skip of [0, 1, 6, 200]) {
          const wanted = all
            .filter((id) => id < (after ?? Infinity))
            .toReversed()
            .slice(skip, skip + limit);
          const part = { limit, skip, ...(after !== undefined && { after }) };
          assert.deepEqual(ids.newest(part), wanted, JSON.stringify({ count, ...part }));
        }
      }
    }
  }
});
