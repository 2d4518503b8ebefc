/**
 * Time for the exchange, so that a virtual clock can drive all of it. There are two kinds: the exchange's time, which
 * a sandbox may change, and the machine's, for timeouts of sockets and requests.
 */

import { readlinkSync } from 'node:fs';
import { setPriority, uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970; may jump, even backwards. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  elapsed(): number;
  /** Milliseconds since the machine started, including sleep; omitted if `elapsed` includes sleep as well. */
  sinceBoot?(): number;
  /** Calls `action` once, after at least `delayMs`; the returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
  /** Calls `action` once, after the events already queued for this thread. */
  soon(action: () => void): void;
  /** Calls `action` once, right after the current callback, before any other event is handled. */
  next(action: () => void): void;
  /** The machine's own clock; this clock itself if they are the same. */
  readonly machine: Clock;
  /**
   * Set if the same requests at the same times must give the same log, however fast the machine is: then nothing may
   * depend on how long something took.
   */
  readonly isDeterministic?: boolean;
  /** Set while exchange time is independent of the machine's: records that nobody observes then need no sync. */
  readonly isSimulated?: boolean;
}

/** setTimeout's maximum; a longer wait ends early, and the caller checks the time anyway. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The machine's clocks. */
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

// Scheduling, for machines with fewer CPUs than busy threads.

const WORK_MS = 0.25;
/** About a tenth of a millisecond, with the system's overhead. */
const REST_MS = 0.05;

/**
 * Lowers the priority of the calling thread, if the system has priorities of threads
 * (Linux, which calls a thread's number a process's); elsewhere nothing changes.
 */
export function yieldToOthers(nice: number): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, nice);
  } catch {
    // Not supported or not permitted: all threads keep the same priority.
  }
}

/**
 * For a background thread, which calls it often: sleeps for a moment after every moment of work. Linux lets a thread
 * run for 3 ms before another gets its CPU, and priorities do not shorten that.
 */
export function makeRests(): () => void {
  const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let restedAt = performance.now();
  return () => {
    if (performance.now() - restedAt < WORK_MS) return;
    Atomics.wait(nobodyWakes, 0, 0, REST_MS);
    restedAt = performance.now();
  };
}
