/** Wakes the sequencer when time alone changes something: an order expires, a dead man's switch fires. */

import type { Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import type { LogTime } from './log-time.ts';

/** The machine's clock may jump while a timer runs, so the time is checked at least this often. */
const LOOK_AGAIN_MS = 1000;

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
    this.#start(this.#clock, due, isMachine ? Math.min(delayMs, LOOK_AGAIN_MS) : delayMs);
  }

  /** Retries later, whether or not something is due. */
  armLater(): void {
    this.#start(this.#clock.machine, this.#exchange.nextDue, LOOK_AGAIN_MS);
  }

  cancel(): void {
    this.#cancel();
    this.#armedFor = Infinity;
    this.#cancelWatch?.();
    this.#cancelWatch = null;
  }

  /** Polls by the machine's time as long as something will be due. */
  #watch(): void {
    this.#cancelWatch ??= this.#clock.machine.after(LOOK_AGAIN_MS, () => {
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
