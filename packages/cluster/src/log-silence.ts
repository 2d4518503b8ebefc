/** Durations of silence in milliseconds: without records, without the end of the log, without results of commands. */

import type { Clock } from '@bourse/engine';

const ASLEEP_MS = 1000;

export class LogSilence {
  readonly #clock: Clock;
  #recordAt: number;
  /** When this process last resumed after a pause: it has not yet received what was sent meanwhile. */
  #awakeAt: number;
  #beatAt: number;
  /** When this node was last known to have the complete log. */
  #endAt: number;
  /** Since when a command has been pending without a record; null if none is. */
  #stuckSince: number | null = null;

  constructor({ machine }: Clock) {
    this.#clock = machine;
    this.#recordAt = machine.elapsed();
    this.#endAt = this.#recordAt;
    this.#awakeAt = this.#recordAt;
    this.#beatAt = this.#recordAt;
  }

  /** Call ten times a second. */
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

  /** This node had the complete log at that moment. */
  endAt(at: number): void {
    this.#endAt = Math.max(this.#endAt, at);
  }

  /** A command is pending from now on. */
  awaitRecord(): void {
    this.#stuckSince ??= this.#clock.elapsed();
  }

  /** Since the last record arrived, or could have arrived. */
  get recordMs(): number {
    return this.#clock.elapsed() - Math.max(this.#recordAt, this.#awakeAt);
  }

  /** Since this node was known to have the complete log. */
  get ageMs(): number {
    return this.#clock.elapsed() - this.#endAt;
  }

  /** Since a command has been pending without a record; 0 if none is. */
  get stuckMs(): number {
    return this.#stuckSince === null ? 0 : this.#clock.elapsed() - this.#stuckSince;
  }
}
