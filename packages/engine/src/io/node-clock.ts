/** The machine's clocks. */

import { uptime } from 'node:os';
import type { Clock } from './clock.ts';
import { setTimeout as wait } from 'node:timers/promises';

/** setTimeout's maximum; a longer wait ends early, and the caller checks the time anyway. */
const DELAY_MS_MAX = 2 ** 31 - 1;

export const nodeClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sinceBoot: () => uptime() * 1000,
  after(delayMs, action) {
    // Timers do not keep the process alive: anything due is done at the next start.
    const timer = setTimeout(action, Math.min(Math.max(0, Math.ceil(delayMs)), DELAY_MS_MAX)).unref();
    return () => clearTimeout(timer);
  },
  soon: (action) => void setImmediate(action),
  next: (action) => process.nextTick(action),
  get machine() {
    return nodeClock;
  },
};

/** For tools: unlike the clock's timers, it keeps the process alive. Ends early on the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal }).catch(() => undefined);
}
