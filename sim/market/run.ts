/** `npm run sim -- market [--preset calm] [--seed 1] [--hours 24]`: the facts of simulated days, with their bands. */

import { parseArgs } from 'node:util';
import type { PresetName } from '../../packages/server/src/sandbox/market/presets.ts';
import { findFacts, isHeld } from './facts.ts';

const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'calm,wild' },
    seed: { type: 'string', default: '1' },
    hours: { type: 'string', default: '24' },
  },
});
let broken = 0;
for (const preset of values.preset.split(',') as PresetName[]) {
  const begin = performance.now();
  const facts = findFacts(preset, Number(values.seed), Number(values.hours));
  console.log(
    `${preset}, seed ${values.seed}, ${values.hours} h in ${((performance.now() - begin) / 1000).toFixed(1)} s`,
  );
  for (const fact of facts) {
    const { name, value, low, high } = fact;
    const held = isHeld(fact) ? 'ok' : 'OUTSIDE';
    console.log(
      `  ${name.padEnd(64)}${value.toPrecision(4).padStart(10)}  ${low.toPrecision(3)} to ${high.toPrecision(3)}  ${held}`,
    );
    if (!isHeld(fact)) broken += 1;
  }
}
process.exitCode = broken === 0 ? 0 : 1;
