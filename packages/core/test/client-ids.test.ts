import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientIds } from '../src/matching/orders/client-ids.ts';
import { OPEN_HASH_KEY } from '../src/tables/index-table.ts';
import { seeded } from '@bourse/test-kit/random.ts';

const newIds = () => new ClientIds(OPEN_HASH_KEY, (user) => user);

test('R-C1 a client id is free, active, remembered, and free again', () => {
  const ids = newIds();
  assert.equal(ids.find(3, 'mine'), 0);
  ids.claim(3, 'mine', 10);
  assert.equal(ids.find(3, 'mine'), 10);
  ids.forget(10 ** 15, Infinity);
  assert.equal(ids.find(3, 'mine'), 10, 'an active one is never forgotten');
  ids.finish(3, 'mine', 500);
  ids.forget(499, Infinity);
  assert.equal(ids.find(3, 'mine'), 10);
  ids.forget(500, Infinity);
  assert.equal(ids.find(3, 'mine'), 0);
});

test('R-C1 ids belong to their user', () => {
  const ids = newIds();
  ids.claim(0, 'mine', 1);
  ids.claim(1, 'mine', 2);
  ids.finish(0, 'mine', 5);
  ids.forget(5, Infinity);
  assert.equal(ids.find(0, 'mine'), 0);
  assert.equal(ids.find(1, 'mine'), 2);
  assert.equal(ids.find(2, 'mine'), 0);
  assert.equal(ids.find(-1, 'mine'), 0);
});

test('R-C1 names of object members are ordinary ids', () => {
  const ids = newIds();
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length']) {
    assert.equal(ids.find(0, name), 0, name);
    ids.claim(0, name, 7);
    assert.equal(ids.find(0, name), 7, name);
  }
});

test('R-C1 the id of an altered order passes to its replacement', () => {
  const ids = newIds();
  ids.claim(0, 'mine', 1);
  ids.claim(0, 'mine', 2);
  assert.deepEqual(ids.listDone(), []);
  ids.forget(100, Infinity);
  assert.equal(ids.find(0, 'mine'), 2);
  ids.finish(0, 'mine', 200);
  assert.deepEqual(ids.listDone(), [{ user: 0, clientId: 'mine', id: 2, doneAt: 200 }]);
  ids.forget(200, Infinity);
  assert.equal(ids.find(0, 'mine'), 0);
});

test('R-C1 a user may have half a million ids, and all are free again in the end', () => {
  const ids = newIds();
  const count = 2 ** 19;
  const name = (i: number) => `id-${i}`;
  for (let i = 0; i < count; i++) ids.claim(1, name(i), i + 1);
  for (let i = 0; i < count; i += 997) assert.equal(ids.find(1, name(i)), i + 1);
  ids.claim(1, name(0), count + 1);
  assert.equal(ids.find(1, name(0)), count + 1, 'an id is taken over');
  ids.finish(1, name(0), 1);
  for (let i = 1; i < count; i++) ids.finish(1, name(i), i);
  ids.forget(count - 2, Infinity);
  assert.equal(ids.find(1, name(0)), 0);
  assert.equal(ids.find(1, name(count - 1)), count);
  ids.forget(count, Infinity);
  for (let i = 0; i < count; i += 997) assert.equal(ids.find(1, name(i)), 0);
});

const USERS = 4;
test('R-C1 equals a plain list, over many records', (context) => {
  const random = seeded(context, 701);
  const ids = newIds();
  const model = new Map<string, { id: number; doneAt: number }>();
  const doneInOrder: { user: number; clientId: string; id: number; doneAt: number }[] = [];
  const window = 500;
  let freed = 0;
  for (let time = 1; time <= 60_000; time++) {
    ids.forget(time - window, Infinity);
    for (const [name, { doneAt }] of time % 50 === 0 ? model : []) {
      if (doneAt <= time - window) {
        model.delete(name);
        freed++;
      }
    }
    const user = random.below(USERS);
    const clientId = `c${random.below(200)}`;
    const name = `${user} ${clientId}`;
    const use = model.get(name);
    const isTaken = use !== undefined && use.doneAt > time - window;
    if (ids.find(user, clientId) !== (isTaken ? use.id : 0)) assert.fail(`${name} at ${time}`);
    if (!isTaken) {
      ids.claim(user, clientId, time);
      model.set(name, { id: time, doneAt: Infinity });
    } else if (use.doneAt === Infinity && random.chance(0.5)) {
      ids.finish(user, clientId, time);
      use.doneAt = time;
      doneInOrder.push({ user, clientId, id: use.id, doneAt: time });
    }
    if (time % 5000 === 0) {
      const remembered = doneInOrder.filter(({ doneAt }) => doneAt > time - window);
      assert.deepEqual(ids.listDone(), remembered);
    }
  }
  context.diagnostic(`${doneInOrder.length} done, ${freed} seen to be free again`);
  assert.ok(doneInOrder.length > 8192, 'too few for the queue to be cut');
});
