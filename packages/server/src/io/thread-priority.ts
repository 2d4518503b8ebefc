/** Whose turn it is when there are fewer processors than threads that want one. */

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * The calling thread yields to the others of the process from now on, where the system knows priorities of threads
 * (Linux, which calls a thread's number a process's); elsewhere nothing changes.
 */
export function yieldToOthers(nice: number): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, nice);
  } catch {
    // No such system, or not allowed: then all threads are equal, as they were.
  }
}
