/** How long nothing was heard: of records, of the end of the log, and of answers to commands. In milliseconds. */

import type { Clock } from '@bourse/engine';

const ASLEEP_MS = 1000;

export class LogSilence {
  readonly #clock: Clock;
  #recordAt: number;
  /** When this process last went on after it had stood still: it has not heard yet what was said meanwhile. */
  #awakeAt: number;
  #beatAt: number;
  /** When everything in the log was last known to be here. */
  #endAt: number;
  /** Since when a command waits without a record; null while none does. */
  #stuckSince: number | null = null;

  constructor({ machine }: Clock) {
    this.#clock = machine;
    this.#recordAt = machine.elapsed();
    this.#endAt = this.#recordAt;
    this.#awakeAt = this.#recordAt;
    this.#beatAt = this.#recordAt;
  }

  /** To be called ten times a second. */
  beat(): void {
    const now = this.#clock.elapsed();
    if (now - this.#beatAt > ASLEEP_MS) this.#awakeAt = now;
    this.#beatAt = now;
  }

  /** A record was applied. */
  endWithRecord(isCommandWaiting: boolean): void {
    this.#recordAt = this.#clock.elapsed();
    this.#stuckSince = isCommandWaiting ? this.#recordAt : null;
  }

  /** At that moment everything in the log was here. */
  endAt(at: number): void {
    this.#endAt = Math.max(this.#endAt, at);
  }

  /** A command waits from now on. */
  awaitRecord(): void {
    this.#stuckSince ??= this.#clock.elapsed();
  }

  /** Since the last record came, or could have come. */
  get recordMs(): number {
    return this.#clock.elapsed() - Math.max(this.#recordAt, this.#awakeAt);
  }

  /** Since everything in the log was known to be here. */
  get ageMs(): number {
    return this.#clock.elapsed() - this.#endAt;
  }

  /** Since a command waits without a record; 0 while none does. */
  get stuckMs(): number {
    return this.#stuckSince === null ? 0 : this.#clock.elapsed() - this.#stuckSince;
  }
}
