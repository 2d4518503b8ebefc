/**
 * Where exchange time was, in the data directory of a sandbox. The log tells the time of its last record; a standing
 * clock may have been moved since without anything happening.
 */

import { nodeDisk } from '../../io/node-disk.ts';
import { readText, writeDurableText } from '../../io/text-file.ts';

export const CLOCK_FILE = 'clock.json';

/** 0 where nobody has moved it. */
export async function readClockTime(dir: string): Promise<number> {
  if (!(await nodeDisk.list(dir)).includes(CLOCK_FILE)) return 0;
  const { time } = JSON.parse(await readText(`${dir}/${CLOCK_FILE}`)) as { readonly time: number };
  return time;
}

/** Durable when it resolves. */
export function writeClockTime(dir: string, time: number): Promise<void> {
  return writeDurableText(`${dir}/${CLOCK_FILE}`, JSON.stringify({ time }));
}
