/**
 * How long a command may take. A caller gets a response before its own timeout (ccxt: 10 s), and after that response the
 * command is already in a record or never will be: the leader drops expired commands.
 *
 * A deadline is in the leader's monotonic clock. A node knows a lower bound of that clock from the leader's last
 * announcement, so the leader's deadline never passes later than the node's own; wall clocks are not involved.
 */

import type { Clock } from '@bourse/engine';

/** From `send` until the command must be in a record that is being appended. */
export const TAKE_MS = 4000;
/** After that, for appending the record: no attempt is sent once the first of its callers has a response. */
export const APPEND_MS = 1000;
/** From `send` until the caller gets any response. */
export const ANSWER_MS = TAKE_MS + APPEND_MS;
/** Nothing is sent to a leader that was silent for this long: its callers can still be told that nothing was executed. */
export const UNHEARD_MS = 1500;
/** A node that has not known for this long whether it has the complete log rejects reads and closes its feeds. */
export const STALE_MS = 5000;
/** A node that has not heard a leader for this long reports that there is none. */
export const LEADERLESS_MS = 3000;
/** After the servers had no space for a record, commands are rejected for this long. */
export const FULL_MS = 1000;

const ASLEEP_MS = 1000;

/** Durations of silence in milliseconds: without records, without the end of the log, without results of commands. */
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
