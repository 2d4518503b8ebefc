/**
 * npm run sim -- day [--market calm] [--hours 24] [--clocks manual,x1000,x10000]
 *
 * Simulates hours of a real sandbox at each clock: duration, speed reached, and trades per simulated second, which
 * must not depend on the clock.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSettings } from '../../packages/bourse/src/config/load.ts';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';

const { values } = parseArgs({
  options: {
    market: { type: 'string', default: 'calm' },
    hours: { type: 'string', default: '24' },
    clocks: { type: 'string', default: 'manual,x1000,x10000' },
  },
});
const HOUR_MS = 3_600_000;
/** The polling interval of a running clock. */
const LOOK_MS = 50;
const hours = Number(values.hours);

console.log(`${'clock'.padEnd(8)}  simulated s   took s     speed   trades  trades per simulated s`);
for (const clock of values.clocks.split(',')) {
  const { simulatedS, wallS, trades } = await runFor(clock, hours * HOUR_MS);
  const figures = [
    clock.padEnd(8),
    simulatedS.toFixed(0).padStart(13),
    wallS.toFixed(1).padStart(9),
    (simulatedS / wallS).toFixed(0).padStart(10),
    String(trades).padStart(9),
    (trades / simulatedS).toFixed(3).padStart(24),
  ];
  console.log(figures.join(''));
}

async function runFor(clock: string, ms: number) {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-day-'));
  const { settings } = loadSettings({
    flags: { data: dir, port: '0', logLevel: 'silent', market: values.market, clock: 'manual' },
    env: {},
  });
  const running = await startExchange(settings);
  let trades = 0;
  running.engine.subscribe(({ marketEvents }) => {
    for (const { kind } of marketEvents) if (kind === 'trade') trades++;
  });
  const sandbox = running.sandbox!;
  const { clock: exchangeClock } = sandbox.world;
  const [from, begin] = [exchangeClock.now(), performance.now()];
  // All start at the same exchange time, because some hours of the day are busier than others.
  if (clock === 'manual') await sandbox.advance(ms);
  else await sandbox.changeClock('scaled', Number(clock.slice(1)));
  while (exchangeClock.now() < from + ms) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const simulatedS = (exchangeClock.now() - from) / 1000;
  const wallS = (performance.now() - begin) / 1000;
  const seen = trades;
  await running.close();
  rmSync(dir, { recursive: true, force: true });
  return { simulatedS, wallS, trades: seen };
}
