/**
 * Loaded into the exchange's process before anything else (`--import`): measures the CPU time of single iterations of
 * its event loop. No response is sent before an iteration ends, and unlike a bystander's latency this hardly depends
 * on the load of the machine.
 */

import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 1;
/** Shorter iterations are not recorded. */
const TOLD_MS = 5;

/** The environment variable with its output file; if unset, there is no probe. */
export const PROBE_FILE = 'STARVE_PROBE';

const path = process.env[PROBE_FILE];
if (isMainThread && path !== undefined) {
  // Between two ticks there is one iteration of the loop and at most a tick of idle time, which costs no CPU time.
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= TOLD_MS) appendFileSync(path, `${Date.now()} ${ms}\n`);
    before = process.threadCpuUsage();
  }, TICK_MS).unref();
}
