/** A clock that stands still until it is advanced; wall and monotonic time can diverge. */

import type { Clock } from '../../engine/src/io/clock.ts';

export class ManualClock implements Clock {
  wall: number;
  monotonic = 1000;
  #slept = 0;
  #timers: { at: number; action: () => void }[] = [];

  constructor(wall = 1_700_000_000_000) {
    this.wall = wall;
  }

  now(): number {
    return this.wall;
  }

  elapsed(): number {
    return this.monotonic;
  }

  sinceBoot(): number {
    return this.monotonic + this.#slept;
  }

  /** The machine sleeps: only the wall clock advances. */
  sleep(ms: number): void {
    this.wall += ms;
    this.#slept += ms;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { at: this.monotonic + Math.max(0, delayMs), action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  soon(action: () => void): void {
    queueMicrotask(action);
  }

  next(action: () => void): void {
    queueMicrotask(action);
  }

  get machine(): Clock {
    return this;
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Sets the wall clock; nothing else happens. */
  jump(byMs: number): void {
    this.wall += byMs;
  }

  /** Advances both clocks in one step, as after sleep; due timers run once. */
  leap(ms: number): void {
    this.wall += ms;
    this.monotonic += ms;
    const due = this.#timers.filter(({ at }) => at <= this.monotonic).toSorted((a, b) => a.at - b.at);
    for (const timer of due) {
      // An earlier timer may have cancelled it.
      if (!this.#timers.includes(timer)) continue;
      this.#timers = this.#timers.filter((each) => each !== timer);
      timer.action();
    }
  }

  /** Advances to the next timer and runs it; does nothing if there is none. */
  leapToNext(): void {
    if (this.#timers.length === 0) return;
    this.leap(Math.max(0, Math.min(...this.#timers.map(({ at }) => at)) - this.monotonic));
  }

  /** Drops all timers: the process that waited is gone. */
  forget(): void {
    this.#timers = [];
  }

  /** Advances both clocks and runs due timers, with everything they trigger. */
  async pass(ms: number): Promise<void> {
    const end = this.monotonic + ms;
    for (let rounds = 0; rounds < 10_000; rounds++) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end);
      if (!next) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      const step = Math.max(0, next.at - this.monotonic);
      this.monotonic += step;
      this.wall += step;
      next.action();
      await settle();
    }
    this.wall += end - this.monotonic;
    this.monotonic = end;
    await settle();
  }
}

/** Lets all pending microtasks and immediates run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock on which the test ends event loop iterations and advances time. */
export class TurningClock extends ManualClock {
  #soon: (() => void)[] = [];

  override soon(action: () => void): void {
    this.#soon.push(action);
  }

  turn(): void {
    const actions = this.#soon;
    this.#soon = [];
    for (const action of actions) action();
  }
}
