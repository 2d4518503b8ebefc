/** Processor time that processes have used so far, as Linux counts it. */

import { readFileSync } from 'node:fs';

/** Of a second: what the kernel counts in, whatever its own ticks are. */
const TICK_US = 10_000;

/** Microseconds, of all threads; 0 where the system does not say. */
export function processorUs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may have blanks in it; the 12th and 13th from there are time in user and system mode.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  } catch {
    return 0;
  }
}
