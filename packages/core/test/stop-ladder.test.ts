import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seeded } from '@bourse/test-kit/random.ts';
import { StopLadder } from '../src/matching/stops/stop-table.ts';

/** Ranges of stop prices; the ranks of `loss` stops are negative. */
const PLACES: Record<string, (random: Random) => number> = {
  'all over': (random) => 1 + random.below(5000),
  'negative ranks': (random) => -1 - random.below(5000),
  'a few prices, many at each': (random) => 100 + random.below(5),
  'one price': () => 7,
};

for (const [name, draw] of Object.entries(PLACES)) {
  test(`the same as a plain list: ${name}`, (context) => {
    const random = seeded(context, 611);
    const ladder = new StopLadder();
    const list: { rank: number; id: number }[] = [];
    let most = 0;
    for (let step = 1; step <= 12_000; step++) {
      const isGrowing = step % 6000 < 4000;
      if (random.chance(isGrowing ? 0.8 : 0.2) || list.length === 0) {
        const rank = draw(random);
        ladder.add(rank, step);
        list.push({ rank, id: step });
      } else {
        const [{ rank, id }] = list.splice(random.below(list.length), 1);
        ladder.remove(rank, id);
      }
      most = Math.max(most, list.length);
      if (step % 20 !== 0) continue;
      const asked = draw(random) + random.below(3) - 1;
      const due = list.filter(({ rank }) => rank <= asked).map(({ id }) => id);
      assert.equal(ladder.smallestUpTo(asked), Math.min(...due));
      assert.equal(ladder.firstRank, Math.min(...list.map(({ rank }) => rank)));
    }
    for (const { rank, id } of list) ladder.remove(rank, id);
    assert.equal(ladder.firstRank, Infinity);
    assert.equal(ladder.smallestUpTo(Infinity), Infinity);
    assert.ok(most > 1000, 'too few for blocks to split');
  });
}
