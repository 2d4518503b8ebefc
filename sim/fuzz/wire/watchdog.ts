/**
 * The watchdog, a thread beside the event loop: a loop that does not beat while its process uses CPU time is stuck,
 * and the process is killed. It counts CPU time, not wall time, so that a busy machine does not matter; wall time alone counts
 * after minutes.
 */

import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const LOOK_MS = 100;
const SILENT_MS_MAX = 120_000;
const STDERR = 2;

const { beat, cpuSecondsMax } = workerData as { readonly beat: Int32Array; readonly cpuSecondsMax: number };
let seen = 0;
let seenAt = performance.now();
let used = process.cpuUsage();

setInterval(() => {
  const now = Atomics.load(beat, 0);
  if (now !== seen || now === 0) {
    seen = now;
    seenAt = performance.now();
    used = process.cpuUsage();
    return;
  }
  const { user, system } = process.cpuUsage(used);
  const cpuSeconds = (user + system) / 1e6;
  const silentMs = performance.now() - seenAt;
  if (cpuSeconds < cpuSecondsMax && silentMs < SILENT_MS_MAX) return;
  // Not console: that goes through the event loop.
  writeSync(
    STDERR,
    `STALL: no heartbeat for ${Math.round(silentMs)} ms and ${cpuSeconds.toFixed(1)} s of processor time\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);
