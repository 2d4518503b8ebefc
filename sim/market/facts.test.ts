import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLongRunOnly, ofSize } from '@bourse/test-kit/run-size.ts';
import { BOT_BANDS, isWithin } from './bands.ts';
import { runBot } from './bot.ts';
import { findFacts, isHeld } from './facts.ts';
import { runSolvency } from './solvency.ts';

const MINUTES = 60_000;
const DAY_HOURS = 24;

/** The short run covers one day of the default market; for more seeds use `npm run sim -- market`. */
const DAYS = ofSize(
  [['calm', 1]] as const,
  [
    ['calm', 2],
    ['wild', 1],
  ] as const,
);

for (const [preset, seed] of DAYS) {
  test(`a simulated day of ${preset} shows the facts of a market, seed ${seed}`, {
    timeout: 15 * MINUTES,
  }, (context) => {
    const facts = findFacts(preset, seed, DAY_HOURS);
    for (const { name, value, low, high } of facts) {
      context.diagnostic(
        `${name}: ${value.toPrecision(4)} (${low.toPrecision(3)} to ${high.toPrecision(3)})`,
      );
    }
    assert.deepEqual(
      facts.filter((fact) => !isHeld(fact)),
      [],
    );
  });
}

/** For a week: `npm run sim -- market --money --hours 168`. */
const hours = 8;

for (const preset of ['calm', 'wild'] as const) {
  test(`in ${hours} hours of ${preset} every order is paid for, the ledger sums to zero, and nobody is ruined`, {
    timeout: 15 * MINUTES,
    skip: inLongRunOnly,
  }, (context) => {
    const { unbalanced, unpaid, refused, left } = runSolvency(preset, 3, hours);
    for (const [name, share] of left)
      context.diagnostic(`${name} has ${(100 * share).toFixed(2)} % of its money`);
    assert.deepEqual({ unbalanced, unpaid, refused }, { unbalanced: [], unpaid: 0, refused: [] });
    assert.ok(left.size > 0);
    for (const [name, share] of left) assert.ok(share > 0.5, `${name}: ${share}`);
  });
}

/**
 * Hours that are significant early; the long run plays a whole day of calm. The bot was developed with seeds 1 to 3.
 */
const BOT_HOURS = ofSize(
  [
    ['calm', 5],
    ['crash', 3],
  ] as const,
  [
    ['calm', DAY_HOURS],
    ['crash', 3],
  ] as const,
);

const BOT_SEED = 11;

for (const [preset, botHours] of BOT_HOURS) {
  test(`the maker bot of the examples ${preset === 'calm' ? 'gains' : 'loses'} in ${botHours} hours of ${preset}, seed ${BOT_SEED}`, {
    timeout: 15 * MINUTES,
  }, (context) => {
    const { earned, least, fills, change } = runBot(preset, BOT_SEED, botHours);
    context.diagnostic(`earned ${earned.toFixed(2)} USDT, at least ${least.toFixed(2)}, by ${fills} fills`);
    assert.ok(fills > 50);
    const bands = BOT_BANDS[preset]!;
    assert.ok(isWithin(earned, bands.earned), String(earned));
    if (botHours === DAY_HOURS) assert.ok(isWithin(change, bands.change), String(change));
  });
}
