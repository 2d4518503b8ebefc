import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OfUsers } from '../src/matching/stops/stop-table.ts';
import { Random } from '@bourse/test-kit/random.ts';

const SEED = 20_251;

test(`a user has what was added and not removed, by id: seed ${SEED}`, () => {
  const random = new Random(SEED);
  const index = new OfUsers<{ id: number; user: number }>();
  const model = new Map<number, { id: number; user: number }>();
  let most = 0;
  for (let step = 0; step < 5000; step++) {
    const id = random.below(200);
    const known = model.get(id);
    if (known) {
      index.remove(known);
      model.delete(id);
    } else {
      const thing = { id, user: random.below(5) };
      index.add(thing);
      model.set(id, thing);
    }
    const user = random.below(6);
    const own = [...model.values()].filter((each) => each.user === user).toSorted((a, b) => a.id - b.id);
    assert.deepEqual(index.of(user), own, `step ${step}`);
    most = Math.max(most, own.length);
  }
  assert.ok(most > 10, 'not idle');
});
