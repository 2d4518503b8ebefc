/**
 * The log as a clock: its last record carries the time of the leader. It decides where the nodes' clocks do not: a single
 * node has nothing to compare with, and of two that differ either may be right.
 */

import type { Clock } from '@bourse/engine';

export class LogClock {
  readonly #log: { readonly lastTime: number };
  readonly #clock: Clock;
  #seenTime: number;
  #seenAt: number;

  constructor(log: { readonly lastTime: number }, { machine }: Clock) {
    this.#log = log;
    this.#clock = machine;
    this.#seenTime = log.lastTime;
    this.#seenAt = machine.elapsed();
  }

  /** How far the time of the last record is ahead of this node's wall clock; negative: behind. */
  get lastAheadMs(): number {
    return this.#log.lastTime - this.#clock.now();
  }

  /**
   * A lower bound of how far the log's time would be ahead if a record were written now, because a record may be older than
   * its arrival here. Call often, so that a new record is noticed soon.
   */
  get nowAheadMs(): number {
    const elapsed = this.#clock.elapsed();
    if (this.#log.lastTime !== this.#seenTime) {
      this.#seenTime = this.#log.lastTime;
      this.#seenAt = elapsed;
    }
    return this.lastAheadMs + elapsed - this.#seenAt;
  }
}
