/**
 * What the log shows of the time: its last record has the time of the node that led then. It decides where the clocks of
 * the nodes do not: a node that is alone compares with nobody else, and of two that differ either may be right.
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

  /** By how much the time of the last record is ahead of this node's wall clock; less than 0: behind. */
  get lastAheadMs(): number {
    return this.#log.lastTime - this.#clock.now();
  }

  /**
   * By how much the log's time would be ahead if a record were written now; at least, because a record may be older than
   * this node has seen it. To be asked often, so that a new record is seen soon.
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
