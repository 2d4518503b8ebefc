/**
 * Whether records may follow this node's wall clock when it begins to lead: not if the clock has jumped while another node
 * led, and not if it is far ahead of most others'. Otherwise each new leader would believe whatever its clock says, and the
 * jump that stopped the one before would become the time of the exchange.
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

  /** To be called again and again: what it does between two looks may be a jump. Returns by how much it has jumped. */
  look(): number {
    return this.#sinceStart.jumpMs;
  }

  /** The time of a record that another node has just written: a clock that agrees with it is right, whatever it did. */
  compare(time: number): void {
    if (this.look() !== 0 && Math.abs(time - this.#clock.now()) <= this.#jumpMsMax) this.accept();
  }

  /** Somebody says that it is right as it is now. */
  accept(): void {
    this.#sinceStart.believe();
  }

  /** For records behind one of `lastTime`. */
  makeTime(lastTime: number): LogTime {
    return new LogTime(this.#clock, lastTime, this.#jumpMsMax, Math.max(this.look(), this.#aheadMs()));
  }
}
