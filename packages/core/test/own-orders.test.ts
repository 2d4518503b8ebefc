import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '@bourse/test-kit/random.ts';
import { OPEN_HASH_KEY } from '../src/tables/index-table.ts';
import { OrderTable } from '../src/matching/orders/order-table.ts';
import { TraderTable } from '../src/matching/orders/trader-table.ts';

const USERS = 3;

function begin() {
  const orders = new OrderTable();
  const traders = new TraderTable(OPEN_HASH_KEY);
  for (let user = 0; user < USERS; user++) traders.add(user, 0, 2 * user, 2 * user + 1);
  let id = 0;
  return {
    traders,
    place(user: number): number {
      const row = orders.draft();
      orders.setOwner(row, user, 0);
      orders.setTrader(row, traders.find(user, 0));
      orders.commit(row, ++id);
      traders.append(orders, row, user);
      return row;
    },
    end(row: number): void {
      traders.unlink(orders, row, orders.user(row));
      orders.free(row);
    },
    placeOf: (row: number): number => orders.ownPlace(row),
    listOf(user: number): number[] {
      const rows: number[] = [];
      let row = traders.firstOrder(traders.find(user, 0));
      for (; row >= 0; row = traders.nextOrder(orders, row)) rows.push(row);
      return rows;
    },
  };
}

test("each trader's orders are listed in order of arrival, whichever of them leave", (context) => {
  const random = seeded(context, 2741);
  const { traders, place, end, listOf } = begin();
  const expected: number[][] = [[], [], []];
  for (let i = 0; i < 60_000; i++) {
    const user = random.below(USERS);
    const own = expected[user];
    // Alternates between long and empty lists.
    if (random.chance(i % 8000 < 4000 ? 0.6 : 0.3)) own.push(place(user));
    else if (own.length > 0) end(own.splice(random.below(own.length), 1)[0]);
    if (i % 500 === 0)
      for (let each = 0; each < USERS; each++) assert.deepEqual(listOf(each), expected[each]);
    assert.equal(traders.orderCount(traders.find(user, 0)), own.length);
    assert.equal(traders.orderCountOfUser(user), own.length);
  }
  assert.ok(expected.every((own) => own.length < 1000));
});

test('an order that leaves during a walk does not end it', () => {
  const { traders, place, end, listOf } = begin();
  const rows = Array.from({ length: 100 }, () => place(1));
  for (const row of rows) {
    assert.equal(traders.firstOrder(traders.find(1, 0)), row);
    end(row);
  }
  assert.deepEqual(listOf(1), []);
  const again = place(1);
  assert.deepEqual(listOf(1), [again]);
});

test('positions are reused, for a trader with no other order and for one with some', () => {
  const { place, end, placeOf, listOf } = begin();
  const stays = place(0);
  let highest = 0;
  for (let i = 0; i < 10_000; i++) {
    for (const user of [0, 1]) {
      const row = place(user);
      highest = Math.max(highest, placeOf(row));
      end(row);
    }
  }
  assert.deepEqual([listOf(0), listOf(1)], [[stays], []]);
  // A chunk for each of the three traders, and two more for the one whose first chunk is never left.
  assert.ok(highest < 5 * 16, `place ${highest}`);
});

test('a number that is not a user is not mistaken for the user it would be shifted to', () => {
  const { traders } = begin();
  assert.equal(traders.find(1, 0), 1);
  for (const user of [-1, 0.5, 1.5, USERS, 2 ** 31, 2 ** 32 + 1, Number.NaN]) {
    assert.equal(traders.find(user, 0), -1, String(user));
  }
});
