/** Formats and aggregates figures. */

import { readFileSync } from 'node:fs';

export const show = (name: string, text: string): void => console.log(`${name.padEnd(46)} ${text}`);

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** Nearest-rank percentile; of few values the 99th percentile is the maximum. */
export const at = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * list.length) - 1)] ?? 0;

export const median = (list: readonly number[]): number => at(list, 0.5);

// CPU time that processes have used so far, from /proc.

/** USER_HZ: ticks per second in /proc, whatever the kernel's own tick rate. */
const TICK_US = 10_000;

/** Microseconds over all threads; 0 if the system does not provide it. */
export function processorUs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain spaces, so count from behind it: fields 12 and 13 are user and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  } catch {
    return 0;
  }
}
