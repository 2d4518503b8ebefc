/**
 * Exchange time and ticker times, stored in the data directory of a sandbox. The log has the time of its last record,
 * but a standing clock may have been advanced since without any record, and most tickers changed earlier.
 */

import type { TickerMark } from '@bourse/api';
import { nodeDisk, readText, writeDurableText } from '@bourse/engine';

export const CLOCK_FILE = 'clock.json';
/** The largest valid date in milliseconds. */
const TIME_MAX = 8.64e15;

export interface ClockFile {
  /** 0 if the clock was never moved, or the file is damaged: then time continues from the log's last record. */
  readonly time: number;
  readonly tickers: readonly TickerMark[];
}

const NONE: ClockFile = { time: 0, tickers: [] };

export async function readClockFile(dir: string, onDamage: (warning: string) => void): Promise<ClockFile> {
  if (!(await nodeDisk.list(dir)).includes(CLOCK_FILE)) return NONE;
  const path = `${dir}/${CLOCK_FILE}`;
  const found = parse(await readText(path));
  if (found === undefined) {
    onDamage(`${path} is damaged. Exchange time goes on from the last record of the log, or from --time.`);
  }
  return found ?? NONE;
}

function parse(text: string): ClockFile | undefined {
  try {
    const { time, tickers } = JSON.parse(text) as Partial<Record<keyof ClockFile, unknown>>;
    if (typeof time !== 'number' || !(time >= 0 && time <= TIME_MAX)) return undefined;
    return { time, tickers: Array.isArray(tickers) && tickers.every(isMark) ? tickers : [] };
  } catch {
    return undefined;
  }
}

const isMark = (mark: unknown): mark is TickerMark =>
  typeof mark === 'number' || (Array.isArray(mark) && mark.length === 2 && mark.every(Number.isFinite));

/** Durable when it resolves. */
export function writeClockFile(dir: string, file: ClockFile): Promise<void> {
  return writeDurableText(`${dir}/${CLOCK_FILE}`, JSON.stringify(file));
}
