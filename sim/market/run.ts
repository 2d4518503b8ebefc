/**
 * npm run sim -- market [--preset calm,wild] [--seed 1,2,3] [--hours 24]
 *
 * Prints the statistics of simulated days with their bands. `--money` checks the agents' money after each hour
 * instead: `--money --hours 168` is a week. `--bot` lets the example maker bot trade: it must gain on a day of `calm`
 * and lose on one of `crash`.
 */

import { parseArgs } from 'node:util';
import type { PresetName } from '../../packages/sandbox/src/market/presets.ts';
import { BOT_BANDS, isWithin } from './bands.ts';
import { runBot } from './bot.ts';
import { findFacts, isHeld } from './facts.ts';
import { isSolvent, runSolvency } from './solvency.ts';

const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'calm,wild' },
    seed: { type: 'string', default: '1' },
    hours: { type: 'string', default: '24' },
    money: { type: 'boolean', default: false },
    bot: { type: 'boolean', default: false },
  },
});
const hours = Number(values.hours);
let broken = 0;
for (const preset of values.preset.split(',') as PresetName[]) {
  for (const seed of values.seed.split(',').map(Number)) {
    const begin = performance.now();
    const lines = values.bot
      ? botLines(preset, seed)
      : values.money
        ? moneyLines(preset, seed)
        : factLines(preset, seed);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`${preset}, seed ${seed}, ${hours} h in ${seconds} s`);
    for (const line of lines) console.log(`  ${line}`);
  }
}
process.exitCode = broken === 0 ? 0 : 1;

function factLines(preset: PresetName, seed: number): string[] {
  return findFacts(preset, seed, hours).map((fact) => {
    const { name, value, low, high } = fact;
    if (!isHeld(fact)) broken += 1;
    const figure = value.toPrecision(4).padStart(10);
    const band = `${low.toPrecision(3)} to ${high.toPrecision(3)}`;
    return `${name.padEnd(64)}${figure}  ${band}  ${isHeld(fact) ? 'ok' : 'OUTSIDE'}`;
  });
}

function moneyLines(preset: PresetName, seed: number): string[] {
  const solvency = runSolvency(preset, seed, hours);
  const { unbalanced, unpaid, refused, left } = solvency;
  if (!isSolvent(solvency)) broken += 1;
  return [
    `currencies that did not sum to zero: ${unbalanced.join(', ') || 'none'}`,
    `orders that somebody could not pay for: ${unpaid}`,
    `other refusals: ${refused.join(', ') || 'none'}`,
    ...Array.from(left, ([name, share]) => `${name} has ${(100 * share).toFixed(2)} % of its money`),
    isSolvent(solvency) ? 'ok' : 'NOT SOLVENT',
  ];
}

function botLines(preset: PresetName, seed: number): string[] {
  const { earned, least, fills, change } = runBot(preset, seed, hours);
  const bands = BOT_BANDS[preset];
  // The price change over part of a day has no band.
  const isEarned = bands === undefined || isWithin(earned, bands.earned);
  const isChange = bands === undefined || hours < 24 || isWithin(change, bands.change);
  if (!isEarned || !isChange) broken += 1;
  const figures = `${earned.toFixed(2)} USDT by ${fills} fills, at least ${least.toFixed(2)} on the way`;
  return [
    `the maker bot earned ${figures}  ${isEarned ? 'ok' : 'OUTSIDE'}`,
    `the price moved by ${(100 * change).toFixed(1)} %  ${isChange ? 'ok' : 'OUTSIDE'}`,
  ];
}
