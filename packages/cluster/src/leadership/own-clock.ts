/**
 * Whether records may follow this node's wall clock when it becomes the leader: not if the clock has jumped while another
 * node led, and not if it is far ahead of most others'. Otherwise each new leader would believe its own clock, and the jump
 * that stopped the previous one would become the time of the exchange.
 */

import { type Clock, LogTime } from '@bourse/engine';

export class OwnClock {
  readonly #clock: Clock;
  readonly #jumpMsMax: number;
  /** How far it is ahead of most other nodes' clocks. */
  readonly #aheadMs: () => number;
  /** Since the start of this process. */
  readonly #sinceStart: LogTime;

  constructor(clock: Clock, jumpMsMax: number | undefined, aheadMs: () => number) {
    this.#clock = clock;
    this.#jumpMsMax = jumpMsMax ?? Infinity;
    this.#aheadMs = aheadMs;
    this.#sinceStart = new LogTime(clock, 0, this.#jumpMsMax);
  }

  /** Call repeatedly: a change between two calls may be a jump. Returns the size of the jump. */
  look(): number {
    return this.#sinceStart.jumpMs;
  }

  /** The time of a record that another node has just written: a clock that agrees with it is right. */
  compare(time: number): void {
    if (this.look() !== 0 && Math.abs(time - this.#clock.now()) <= this.#jumpMsMax) this.accept();
  }

  /** An operator accepted the clock. */
  accept(): void {
    this.#sinceStart.believe();
  }

  /** For records after one of `lastTime`. */
  makeTime(lastTime: number): LogTime {
    return new LogTime(this.#clock, lastTime, this.#jumpMsMax, Math.max(this.look(), this.#aheadMs()));
  }
}
