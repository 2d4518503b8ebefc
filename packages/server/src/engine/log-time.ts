/**
 * The time of records. It follows the wall clock as long as that goes forward; while the wall clock is behind what the
 * log already says (it was set back, or another machine wrote the log), time goes on from there at half the pace of the
 * monotonic clock. So it never goes back, never stands still, and the wall clock catches up with it.
 */

import type { Clock } from '../io/clock.ts';

/** Of the log's time to the monotonic clock while the wall clock is behind. */
const BEHIND_PACE = 1 / 2;

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
      // What is too little for a whole millisecond is counted the next time.
      const passed = Math.floor((elapsed - this.#elapsed) * BEHIND_PACE);
      this.#time += passed;
      this.#elapsed += passed / BEHIND_PACE;
    }
    return this.#time;
  }
}
