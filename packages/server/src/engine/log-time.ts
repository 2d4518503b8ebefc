/**
 * The time of records. It follows the wall clock as long as that goes forward; while the wall clock is behind what the
 * log already says (it was set back, or another machine wrote the log), time goes on from there at the pace of the
 * monotonic clock. So it never goes back, and never stands still.
 */

import type { Clock } from '../io/clock.ts';

export class LogTime {
  readonly #clock: Clock;
  /** Where time goes on from, and what the monotonic clock said then. */
  #time: number;
  #elapsed: number;

  /** `lastTime`: of the log's last record, 0 for none. */
  constructor(clock: Clock, lastTime: number) {
    this.#clock = clock;
    this.#time = lastTime;
    this.#elapsed = clock.elapsed();
  }

  /** Whole milliseconds since 1970, never less than before. */
  now(): number {
    const wall = Math.floor(this.#clock.now());
    const elapsed = this.#clock.elapsed();
    if (wall >= this.#time) {
      this.#time = wall;
      this.#elapsed = elapsed;
    } else {
      // Parts of a millisecond stay on the account.
      const passed = Math.floor(elapsed - this.#elapsed);
      this.#time += passed;
      this.#elapsed += passed;
    }
    return this.#time;
  }
}
