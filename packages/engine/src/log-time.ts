/**
 * The time of records. It follows the wall clock while that goes forward. While the wall clock is behind the
 * log (it was set back, or another machine wrote the log), time continues from the log at half the rate of the
 * monotonic clock. So it never goes back, never stops, and the wall clock catches up.
 *
 * A wall clock that jumps against the monotonic one by more than a bound is not followed: time continues at the monotonic
 * rate until the clock is back, or an operator accepts it.
 */

import type { Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';

/** The rate of the log's time relative to the monotonic clock while the wall clock is behind. */
const BEHIND_PACE = 1 / 2;

export class LogTime {
  readonly #clock: Clock;
  readonly #jumpMsMax: number;
  /** The time to continue from, and the monotonic clock at that moment. */
  #time: number;
  #elapsed: number;
  /** The values of both clocks when the wall clock was last trusted. */
  #wallTrusted: number;
  #elapsedTrusted: number;
  /** Total time that the machine had slept by then. */
  #slept: number;
  #jumpMs = 0;

  /**
   * `lastTime`: of the log's last record, or 0. `aheadMs`: how far the wall clock is ahead of those of most other
   * machines that write the log; above the limit it counts as a jump.
   */
  constructor(clock: Clock, lastTime: number, jumpMsMax = Infinity, aheadMs = 0) {
    this.#clock = clock;
    this.#jumpMsMax = jumpMsMax;
    this.#time = lastTime;
    this.#elapsed = clock.elapsed();
    this.#wallTrusted = clock.now() - (aheadMs > jumpMsMax ? aheadMs : 0);
    this.#elapsedTrusted = this.#elapsed;
    this.#slept = this.#sleptSoFar();
  }

  /** Whole milliseconds since 1970, never less than before. */
  now(): number {
    const wall = Math.floor(this.#clock.now());
    const elapsed = this.#clock.elapsed();
    const isTrusted = this.#check(wall, elapsed);
    if (isTrusted && wall >= this.#time) {
      this.#time = wall;
      this.#elapsed = elapsed;
    } else {
      // Fractions of a millisecond are carried over to the next call.
      const pace = isTrusted ? BEHIND_PACE : 1;
      const passed = Math.floor((elapsed - this.#elapsed) * pace);
      this.#time += passed;
      this.#elapsed += passed / pace;
    }
    return this.#time;
  }

  /** How far the wall clock has jumped, forward or (negative) back; 0 while it is trusted. */
  get jumpMs(): number {
    this.#check(this.#clock.now(), this.#clock.elapsed());
    return this.#jumpMs;
  }

  /** An operator accepts the current wall clock. */
  trust(): void {
    this.#trust(this.#clock.now(), this.#clock.elapsed());
  }

  #check(wall: number, elapsed: number): boolean {
    let jump = wall - this.#wallTrusted - (elapsed - this.#elapsedTrusted);
    // The monotonic clock may stand still while the machine sleeps; in that case the wall clock is right.
    if (Math.abs(jump) > this.#jumpMsMax) jump -= this.#sleptSoFar() - this.#slept;
    if (Math.abs(jump) <= this.#jumpMsMax) this.#trust(wall, elapsed);
    else this.#jumpMs = jump;
    return this.#jumpMs === 0;
  }

  #trust(wall: number, elapsed: number): void {
    const jump = wall - this.#wallTrusted - (elapsed - this.#elapsedTrusted);
    if (Math.abs(jump) > this.#jumpMsMax) this.#slept = this.#sleptSoFar();
    this.#wallTrusted = wall;
    this.#elapsedTrusted = elapsed;
    this.#jumpMs = 0;
  }

  #sleptSoFar(): number {
    return this.#clock.sinceBoot ? this.#clock.sinceBoot() - this.#clock.elapsed() : 0;
  }
}

/** The machine's clock may jump while a timer runs, so the time is checked at least this often. */
const RECHECK_MS = 1000;

/** Wakes the sequencer when time alone changes something: an order expires, a dead man's switch fires. */
export class TickTimer {
  readonly #clock: Clock;
  readonly #time: LogTime;
  readonly #exchange: Exchange;
  readonly #onDue: () => void;
  /** When the timer fires, in log time; Infinity while there is none. */
  #armedFor = Infinity;
  #cancel: () => void = () => undefined;
  #cancelWatch: (() => void) | null = null;

  /** `onDue` is called when something is due; it may do nothing, and must set the timer again. */
  constructor(clock: Clock, time: LogTime, exchange: Exchange, onDue: () => void) {
    this.#clock = clock;
    this.#time = time;
    this.#exchange = exchange;
    this.#onDue = onDue;
  }

  /** An earlier timer need not be replaced: when it fires, it checks the time and is set again. */
  arm(): void {
    const due = this.#exchange.nextDue;
    if (due === Infinity) return;
    // A sandbox's clock may advance by a year at once, so its timer is set for the due time itself. It may also follow
    // the wall clock, whose timers can come late, so the time is checked by a second timer too.
    const isMachine = this.#clock === this.#clock.machine;
    if (!isMachine) this.#watch();
    if (due >= this.#armedFor) return;
    const delayMs = due - this.#time.now();
    this.#start(this.#clock, due, isMachine ? Math.min(delayMs, RECHECK_MS) : delayMs);
  }

  /** Retries later, whether or not something is due. */
  armLater(): void {
    this.#start(this.#clock.machine, this.#exchange.nextDue, RECHECK_MS);
  }

  cancel(): void {
    this.#cancel();
    this.#armedFor = Infinity;
    this.#cancelWatch?.();
    this.#cancelWatch = null;
  }

  /** Polls by the machine's time as long as something will be due. */
  #watch(): void {
    this.#cancelWatch ??= this.#clock.machine.after(RECHECK_MS, () => {
      this.#cancelWatch = null;
      const due = this.#exchange.nextDue;
      if (due <= this.#time.now()) this.#onDue();
      if (due < Infinity) this.#watch();
    });
  }

  #start(clock: Clock, due: number, delayMs: number): void {
    this.#cancel();
    this.#armedFor = due;
    this.#cancel = clock.after(Math.max(0, delayMs), () => {
      this.#armedFor = Infinity;
      this.#onDue();
    });
  }
}
