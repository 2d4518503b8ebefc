/**
 * Keeps an error that affects every request from filling the log: the first line of a cause is written at once, then
 * at most one every REPEAT_MS, with the number of suppressed lines.
 */

import type { Clock } from '@bourse/engine';

const REPEAT_MS = 60_000;
/** Further causes share one line, because error texts may vary without limit. */
const CAUSES_MAX = 100;
const OTHERS = 'others';

interface Cause {
  writtenAt: number;
  leftOut: number;
}

export class CauseLimit {
  readonly #causes = new Map<string, Cause>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of lines suppressed for this cause since the last one; undefined if this one is suppressed too. */
  take(cause: string): number | undefined {
    const now = this.#clock.elapsed();
    const key = this.#causes.has(cause) || this.#makeRoom(now) ? cause : OTHERS;
    const known = this.#causes.get(key);
    if (known === undefined) {
      this.#causes.set(key, { writtenAt: now, leftOut: 0 });
      return 0;
    }
    if (now - known.writtenAt < REPEAT_MS) {
      known.leftOut++;
      return undefined;
    }
    const { leftOut } = known;
    Object.assign(known, { writtenAt: now, leftOut: 0 });
    return leftOut;
  }

  #makeRoom(now: number): boolean {
    if (this.#causes.size < CAUSES_MAX) return true;
    for (const [key, { writtenAt }] of this.#causes) {
      if (now - writtenAt >= REPEAT_MS) this.#causes.delete(key);
    }
    return this.#causes.size < CAUSES_MAX;
  }
}
