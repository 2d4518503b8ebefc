import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OnceIds } from '../src/access/once-ids.ts';
import { OPEN_HASH_KEY } from '../src/tables/index-table.ts';
import { seeded } from '@bourse/test-kit/random.ts';

const START = 1_700_000_000_000;

test('O1 equals a plain Map, however slowly ids are removed', (context) => {
  const random = seeded(context, 741);
  const ids = new OnceIds(OPEN_HASH_KEY);
  const untils = new Map<string, number>();
  let [time, repeated, again] = [START, 0, 0];
  for (let step = 0; step < 60_000; step++) {
    if (random.chance(0.2)) time += random.pick([1, 7, 400, 1500]);
    ids.forget(time, random.pick([0, 1, 5]));
    const id = `request-${random.below(3000)}`;
    const until = time + random.pick([0, 1, 1000, 5000, 60_000]);
    const known = untils.get(id);
    const isKnown = known !== undefined && known >= time;
    const refused = ids.claim({ id, until }, time);
    if ((refused?.code === 'request-repeated') !== isKnown) assert.fail(`${id} at ${time}`);
    if (isKnown) repeated++;
    else {
      if (known !== undefined) again++;
      untils.set(id, until);
    }
    if (step % 5000 === 0) {
      const left = [...untils]
        .filter(([, end]) => end >= time)
        .map(([each, end]) => ({ id: each, until: end }));
      assert.deepEqual(
        ids.list(time),
        left.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
    }
  }
  context.diagnostic(`${repeated} repeated, ${again} taken again`);
  assert.ok(repeated > 1000 && again > 1000);
  ids.forget(time + 70_000, Infinity);
  assert.equal(ids.size, 0);
  assert.equal(ids.buckets, 0);
});

test('O1 thousands that expire together are removed a few at a time', () => {
  const ids = new OnceIds(OPEN_HASH_KEY);
  const count = 5000;
  for (let i = 0; i < count; i++) assert.equal(ids.claim({ id: `${i}`, until: START }, START), null);
  ids.forget(START + 63, 10_000);
  assert.equal(ids.size, count, 'the stretch is not over');
  ids.forget(START + 64, 3000);
  assert.equal(ids.size, count - 3000);
  assert.deepEqual(ids.list(START), ids.list(START - 1), 'all of them have expired or are gone');
  ids.forget(START + 64, 3000);
  assert.equal(ids.size, 0);
});

test('O1 an expired id may be claimed again before it is removed, and is kept until its new expiry', () => {
  const ids = new OnceIds(OPEN_HASH_KEY);
  assert.equal(ids.claim({ id: 'a', until: START }, START), null);
  assert.equal(ids.claim({ id: 'a', until: START + 5000 }, START + 1)?.code, undefined);
  ids.forget(START + 4000, Infinity);
  assert.equal(ids.claim({ id: 'a', until: START + 5000 }, START + 5000)?.code, 'request-repeated');
  assert.deepEqual(ids.list(START + 5000), [{ id: 'a', until: START + 5000 }]);
  ids.forget(START + 7000, Infinity);
  assert.equal(ids.size, 0);
});

test('O1 an invalid id is rejected for its format', () => {
  const ids = new OnceIds(OPEN_HASH_KEY);
  for (const id of ['', 'a'.repeat(65), '\u0178', 'a\n']) {
    assert.equal(ids.claim({ id, until: START }, START)?.code, 'text-invalid', JSON.stringify(id));
  }
});
