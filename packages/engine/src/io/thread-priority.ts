/** Scheduling priorities, for machines with fewer CPUs than busy threads. */

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

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
