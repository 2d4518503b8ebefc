/** Reads of history that belong together, although another thread may write to it in between. */

import type { HistoryReader } from './history.ts';

/** Maximum number of attempts while it is written in between. */
const LOOKS_MAX = 1000;

/** A result of a query, and the record up to which it is complete. */
export interface SteadyRead<T> {
  readonly value: T;
  readonly checkpoint: number;
}

export function readSteadily<T>(history: Pick<HistoryReader, 'checkpoint'>, read: () => T): SteadyRead<T> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const { checkpoint } = history;
    const value = read();
    if (history.checkpoint === checkpoint) return { value, checkpoint };
  }
  throw new Error('history never stood still');
}
