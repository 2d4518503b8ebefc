/** Sync latency of the disk alone, a lower bound for the latency of a durable order. */

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const SYNCS = 1000;
/** Approximate log bytes of the orders of one sync. */
const BYTES = 4096;
const PAUSE_MS = 2;

/** Alternates writes and syncs on a new file. */
export async function measureSyncs(
  path: string,
): Promise<{ readonly p50Ms: number; readonly p99Ms: number }> {
  const file = openSync(path, 'wx');
  const bytes = Buffer.alloc(BYTES, 1);
  const times: number[] = [];
  for (let i = 0; i < SYNCS; i++) {
    const begun = performance.now();
    writeSync(file, bytes);
    fdatasyncSync(file);
    times.push(performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  closeSync(file);
  times.sort((a, b) => a - b);
  return { p50Ms: times[SYNCS / 2], p99Ms: times[SYNCS * 0.99] };
}
