/** npm run sim -- overload [--seconds N] [--connections N]: 0.5, 1, 2 and 5 times the exchange's capacity. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, runOverload } from './overload.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, connections: { type: 'string', default: '32' } },
});
const dir = mkdtempSync(join(tmpdir(), 'bourse-overload-'));
const ms = (value: number) => `${value.toFixed(1)} ms`;
try {
  const report = await runOverload(dir, {
    loads: [0.5, 1, 2, 5],
    seconds: Number(values.seconds),
    connections: Number(values.connections),
    warmUps: 20_000,
  });
  console.log(`capacity ${Math.round(report.capacity)} orders/s; at most ${report.queueBound} may wait`);
  for (const { load, offered, answered, refused, ...more } of report.loads) {
    console.log(`load ${load}: ${offered} offered, ${answered.count} answered (p99 ${ms(answered.p99Ms)}), `);
    console.log(`  ${refused.count} refused (p50 ${ms(refused.p50Ms)}, p99 ${ms(refused.p99Ms)})`);
    console.log(`  ${more.queueMost} waited at most, ${Math.round(more.memoryMost / 2 ** 20)} MiB at most`);
    console.log(
      `  ${ms(more.otherMsMost)} for others at most, ${ms(more.behindMsMost)} behind the timetable at most`,
    );
    console.log(`  statuses ${JSON.stringify(more.statuses)}`);
  }
  const faults = faultsOf(report);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
