/** Progress at a terminal for work that takes longer than a second: one line, which is removed at the end. */

import { type Clock, nodeClock } from '@bourse/engine';

const TICK_MS = 1000;
const ERASE_LINE = '\r\x1b[K';

/** Standard error, or its substitute in a test. */
export interface StatusStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

let lastShown = Number.NEGATIVE_INFINITY;

/** Replaces the previous line at a terminal; elsewhere it is a separate line. */
export function showStatus(text: string, stream: StatusStream = process.stderr): void {
  lastShown = nodeClock.elapsed();
  stream.write(stream.isTTY ? `${ERASE_LINE}${text}` : `${text}\n`);
}

/** Only at a terminal: programs and log files must not depend on the machine's speed. */
export async function withProgress<T>(
  what: string,
  work: Promise<T>,
  stream: StatusStream = process.stderr,
  clock: Pick<Clock, 'elapsed' | 'after'> = nodeClock,
): Promise<T> {
  if (!stream.isTTY) return work;
  const startedAt = clock.elapsed();
  let isShown = false;
  const tick = (): void => {
    cancel = clock.after(TICK_MS, tick);
    const now = clock.elapsed();
    // Work that reports its own progress is left alone.
    if (now - lastShown < TICK_MS / 2) return;
    isShown = true;
    stream.write(`${ERASE_LINE}${what}: ${seconds(now - startedAt)} s`);
  };
  let cancel = clock.after(TICK_MS, tick);
  try {
    return await work;
  } finally {
    cancel();
    if (isShown || lastShown >= startedAt) stream.write(ERASE_LINE);
  }
}

const seconds = (ms: number): number => Math.round(ms / 1000);
