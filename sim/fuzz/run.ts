/**
 * npm run sim -- fuzz [--inputs N] [--seed N]: promise 13 with any number of inputs, 200,000 per server.
 *
 * npm run sim -- fuzz --connections N [--seed N] [--plant loop|crash|operator-loop] [--venue]: the same for bytes on
 * connections, 50,000 per exchange, which is a separate process; `--plant` breaks it on purpose, to show that this is
 * detected. With `--venue` it has a listener for operators, which gets every second connection.
 */

import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz.ts';
import { runWire } from './wire/wire.ts';

const ROUND = 200_000;
const WIRE_ROUND = 50_000;
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: String(ROUND) },
    connections: { type: 'string' },
    seed: { type: 'string', default: '1' },
    plant: { type: 'string', default: '' },
    venue: { type: 'boolean', default: false },
  },
});

interface Outcome {
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
}

/** Runs rounds until all are done or one fails, and sums their counts. */
async function rounds(
  wanted: number,
  size: number,
  run: (seed: number, count: number) => Promise<Outcome>,
): Promise<void> {
  const totals: Record<string, number> = {};
  let seed = Number(values.seed);
  for (let done = 0; done < wanted; done += size, seed++) {
    const startedAt = performance.now();
    const report = await run(seed, Math.min(size, wanted - done));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(JSON.stringify({ ...report, seconds }));
    for (const [what, count] of Object.entries(report.counts)) totals[what] = (totals[what] ?? 0) + count;
    if (report.failures.length === 0) continue;
    process.exitCode = 1;
    break;
  }
  console.log(`all of it: ${JSON.stringify(totals)}`);
}

if (values.connections === undefined) await rounds(Number(values.inputs), ROUND, runFuzz);
else {
  const { plant, venue } = values;
  await rounds(Number(values.connections), WIRE_ROUND, (seed, connections) =>
    runWire({ seed, connections, plant, venue }),
  );
}
