/** A simulated day of `calm`, as fast as it goes, until history has all of it. */

import type { Figure } from './figure.ts';
import { startMeasured } from './measured.ts';

const SECONDS = 60;
const HOUR_MS = 3_600_000;
const LOOK_MS = 50;

export async function measureFastForward(hours: number): Promise<Figure[]> {
  const sandbox = await startMeasured({ market: 'calm', clock: 'manual' });
  try {
    const [startedAt, before] = [performance.now(), await sandbox.use()];
    await sandbox.call('POST', '/clock/advance', { ms: hours * HOUR_MS });
    await historyCaughtUp(sandbox.connection.baseUrl);
    const value = ((performance.now() - startedAt) / 1000) * (24 / hours);
    const cpuMs = ((await sandbox.use()).cpuMs - before.cpuMs) * (24 / hours);
    return [
      { key: 'daySeconds', name: 'a simulated day, with history', value, unit: 's', bar: SECONDS, cpuMs },
    ];
  } finally {
    await sandbox.stop();
  }
}

async function historyCaughtUp(baseUrl: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    if (/^bourse_history_lag_records 0$/m.test(metrics)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
