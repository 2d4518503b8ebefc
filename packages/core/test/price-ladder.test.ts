import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from '@bourse/test-kit/steps.ts';
import { LevelTable, PriceLadder } from '../src/matching/book/price-levels.ts';
import { type Random, seeded } from '@bourse/test-kit/random.ts';

/** The same as a sorted array, best last. */
class Model {
  readonly ranks: number[] = [];
  readonly levels = new Map<number, number>();

  insert(rank: number, level: number): void {
    this.ranks.splice(this.#placeOf(rank), 0, rank);
    this.levels.set(rank, level);
  }

  remove(rank: number): void {
    this.ranks.splice(this.#placeOf(rank), 1);
    this.levels.delete(rank);
  }

  find(rank: number): number {
    return this.levels.get(rank) ?? -1;
  }

  get best(): number {
    return this.ranks.length === 0 ? -1 : this.find(this.ranks[this.ranks.length - 1]);
  }

  #placeOf(rank: number): number {
    let low = 0;
    let high = this.ranks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ranks[middle] < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Every level has something, and every third one an ordinary order. */
const totalOf = (level: number): number => 1 + ((level * 7919) % 1000);
const ordinaryOf = (level: number): number => (level % 3 === 0 ? 1 + (level % 5) : 0);

/** Asks have negative ranks: a ladder is of one side. */
class Pair {
  readonly table = new LevelTable();
  readonly ladder: PriceLadder;
  readonly model = new Model();

  constructor(isBids = true, tick = 1) {
    this.ladder = new PriceLadder(isBids ? 0 : 1, tick, this.table);
  }

  insert(rank: number): void {
    const price = Math.abs(rank);
    const found = this.model.find(rank);
    const level = this.ladder.levelAt(price);
    if (found >= 0) {
      if (level !== found) assert.fail(`the level at ${price} is ${level}, not ${found}`);
      return;
    }
    this.table.addTotal(level, totalOf(level));
    this.table.addOrdinary(level, ordinaryOf(level));
    this.model.insert(rank, level);
  }

  remove(rank: number): void {
    const level = this.model.find(rank);
    if (level < 0) return;
    this.table.addTotal(level, -totalOf(level));
    this.table.addOrdinary(level, -ordinaryOf(level));
    this.ladder.remove(level);
    this.model.remove(rank);
  }

  /** Including prices next to existing ones, which share slots with them. */
  checkFound(rank: number): void {
    for (const near of [rank - 1, rank, rank + 1]) {
      const found = this.ladder.find(Math.abs(near));
      if (found !== this.model.find(near)) assert.fail(`${near}: ${found}, not ${this.model.find(near)}`);
    }
  }

  check(): void {
    if (this.ladder.best !== this.model.best) assert.fail(`best ${this.ladder.best}, not ${this.model.best}`);
  }

  checkAll(): void {
    const walked: number[] = [];
    this.ladder.walk((level) => {
      walked.push(level);
      return true;
    });
    assert.deepEqual(
      walked,
      this.model.ranks.toReversed().map((rank) => this.model.find(rank)),
    );
    this.check();
    this.#checkSums();
    for (const rank of this.model.ranks) this.checkFound(rank);
  }

  /** From beyond the best to beyond the worst, at levels and between them. */
  #checkSums(): void {
    const { ranks } = this.model;
    const best = ranks.findLast((rank) => ordinaryOf(this.model.find(rank)) > 0);
    assert.equal(this.ladder.bestOrdinary(), best === undefined ? -1 : this.model.find(best));
    let total = 0;
    assert.equal(this.ladder.totalFrom((ranks.at(-1) ?? 0) + 1), 0);
    for (let at = ranks.length - 1; at >= 0; at--) {
      total += totalOf(this.model.find(ranks[at]));
      if (at % 17 !== 0) continue;
      assert.equal(this.ladder.totalFrom(ranks[at]), total);
      if (ranks[at - 1] !== ranks[at] - 1) assert.equal(this.ladder.totalFrom(ranks[at] - 1), total);
    }
    assert.equal(this.ladder.totalFrom(-(2 ** 51)), total);
  }
}

/** Places where levels come and go; asks have negative ranks. */
const PLACES: Record<string, (random: Random, step: number) => number> = {
  'bids all over': (random) => 1 + random.below(8000),
  'asks all over': (random) => -1 - random.below(8000),
  'bids near the best': (random) => 5000 - Math.floor(random.below(1000) ** 2 / 250),
  'a price that wanders up': (random, step) => 1 + Math.floor(step / 20) + random.below(300),
  'asks of a price that falls': (random, step) => -20_000 + Math.floor(step / 20) + random.below(300),
  'prices up to 2^50': (random) => 2 ** 50 - 1 - random.below(3000) * 2 ** 38,
};

for (const [name, draw] of Object.entries(PLACES)) {
  test(`the same as a sorted array: ${name}`, (context) => {
    const random = seeded(context, 501);
    // The tick of the prices up to 2^50 is too small for them, so that many choose the same slot.
    const pair = new Pair(draw(random, 0) > 0);
    let most = 0;
    for (let step = 0; step < 60_000; step++) {
      const rank = draw(random, step);
      // Fills up, stays, and empties again; sometimes the best is removed, as in a sweep.
      const isGrowing = step % 30_000 < 18_000;
      if (random.chance(isGrowing ? 0.75 : 0.2)) pair.insert(rank);
      else if (random.chance(0.3)) pair.remove(pair.model.ranks.at(-1) ?? rank);
      else if (random.chance(0.5))
        pair.remove(pair.model.ranks.length > 0 ? random.pick(pair.model.ranks) : rank);
      else pair.remove(rank);
      most = Math.max(most, pair.model.ranks.length);
      pair.check();
      pair.checkFound(rank);
      if (step % 3000 === 0) pair.checkAll();
    }
    pair.checkAll();
    context.diagnostic(`at most ${most} levels`);
    assert.ok(most > 250, 'too few levels for blocks to split');
  });
}

test('thousands of levels, inserted and removed in every order', (context) => {
  const random = seeded(context, 502);
  const count = 5000;
  const up = Array.from({ length: count }, (_, i) => i + 1);
  const orders: Record<string, number[]> = {
    rising: up,
    falling: up.toReversed(),
    'from both ends': up.map((_, i) => (i % 2 === 0 ? i / 2 + 1 : count - (i - 1) / 2)),
    random: up
      .map((rank) => ({ rank, at: random.bits() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ rank }) => rank),
  };
  for (const inserting of Object.values(orders)) {
    for (const removing of Object.values(orders)) {
      const pair = new Pair();
      for (const rank of inserting) pair.insert(rank);
      pair.checkAll();
      for (const rank of removing) {
        pair.remove(rank);
        pair.check();
        if (pair.model.ranks.length % 1250 === 0) pair.checkAll();
      }
      assert.equal(pair.ladder.best, -1);
    }
  }
});

test('empty, then one level, then empty again', () => {
  for (const rank of [1, -1, 7, -(2 ** 50) + 1, 2 ** 50 - 1]) {
    const pair = new Pair(rank > 0);
    pair.check();
    pair.insert(rank);
    pair.check();
    pair.checkAll();
    pair.remove(rank);
    pair.check();
    pair.checkAll();
  }
});

test('prices that share a slot are found, and so is a row that another ladder had', () => {
  const table = new LevelTable();
  const bids = new PriceLadder(0, 1000, table);
  const asks = new PriceLadder(1, 1000, table);
  const prices = Array.from({ length: 3000 }, (_, i) => (i + 1) * 65_536 * 1000);
  const levels = prices.map((price) => bids.levelAt(price));
  assert.equal(new Set(levels).size, prices.length);
  for (const [i, price] of prices.entries()) assert.equal(bids.find(price), levels[i]);
  for (const [i, price] of prices.entries()) {
    bids.remove(levels[i]);
    // The freed row is the next to be used.
    assert.equal(asks.levelAt(price), levels[i]);
    assert.equal(bids.find(price), -1);
    assert.equal(asks.find(price), levels[i]);
  }
  assert.equal(bids.best, -1);
  assert.equal(asks.best, levels[0]);
});

test('prices chosen to share a slot cost a search, not a scan of all of them', () => {
  const COUNT = 20_000;
  const stepsFor = (apart: number): number => {
    const ladder = new PriceLadder(0, 1, new LevelTable());
    return stepsOf(() => {
      for (let i = 1; i <= COUNT; i++) ladder.levelAt(i * apart);
      for (let i = 1; i <= COUNT; i++) assert.ok(ladder.find(i * apart) >= 0);
    });
  };
  const spread = stepsFor(7);
  const shared = stepsFor(65_536);
  assert.ok(
    spread > COUNT && shared < spread * 2 && shared < COUNT * 200,
    `${shared} steps, and ${spread} where each has its own`,
  );
});

test('an emptied block in the middle is removed, and its prices can be added again', () => {
  const pair = new Pair();
  for (let rank = 1; rank <= 1000; rank++) pair.insert(rank);
  for (let rank = 200; rank <= 800; rank++) pair.remove(rank);
  pair.checkAll();
  pair.check();
  for (let rank = 800; rank >= 200; rank -= 3) pair.insert(rank);
  pair.checkAll();
});

test('a walk ends when the visitor returns false', () => {
  const { ladder } = new Pair();
  for (let rank = 1; rank <= 500; rank++) ladder.levelAt(rank);
  for (const steps of [1, 2, 127, 128, 129, 499]) {
    const seen: number[] = [];
    ladder.walk((level) => {
      seen.push(level);
      return seen.length < steps;
    });
    assert.deepEqual(
      seen,
      Array.from({ length: steps }, (_, i) => 499 - i),
    );
  }
});

test('a new price in every gap of full blocks', () => {
  for (const count of [127, 128, 129, 192, 256]) {
    for (let gap = 0; gap <= count; gap++) {
      const pair = new Pair();
      for (let i = 1; i <= count; i++) pair.insert(2 * i);
      pair.insert(2 * gap + 1);
      pair.checkAll();
    }
  }
});
