/**
 * Where exchange time was, in the data directory of a sandbox. The log tells the time of its last record; a standing
 * clock may have been moved since without anything happening.
 */

import { nodeDisk } from '../../io/node-disk.ts';
import { readText, writeDurableText } from '../../io/text-file.ts';

export const CLOCK_FILE = 'clock.json';
/** The last millisecond that there is a date for. */
const TIME_MAX = 8.64e15;

/** 0 where nobody has moved it, and where the file is damaged: then time goes on from the log's last record. */
export async function readClockTime(dir: string, onDamage: (warning: string) => void): Promise<number> {
  if (!(await nodeDisk.list(dir)).includes(CLOCK_FILE)) return 0;
  const path = `${dir}/${CLOCK_FILE}`;
  const time = timeIn(await readText(path));
  if (time === undefined) {
    onDamage(`${path} is damaged. Exchange time goes on from the last record of the log, or from --time.`);
  }
  return time ?? 0;
}

function timeIn(text: string): number | undefined {
  try {
    const { time } = JSON.parse(text) as { readonly time: unknown };
    return typeof time === 'number' && time >= 0 && time <= TIME_MAX ? time : undefined;
  } catch {
    return undefined;
  }
}

/** Durable when it resolves. */
export function writeClockTime(dir: string, time: number): Promise<void> {
  return writeDurableText(`${dir}/${CLOCK_FILE}`, JSON.stringify({ time }));
}
