/** A clock that stands still until it is told; wall and monotonic time may be moved apart. */

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

  /** The machine sleeps: the monotonic clock stands still, and the wall clock does not. */
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

  /** The wall clock is set, and nothing else happens. */
  jump(byMs: number): void {
    this.wall += byMs;
  }

  /** Both clocks go on in one go, as when the machine sleeps; what has become due runs once. */
  leap(ms: number): void {
    this.wall += ms;
    this.monotonic += ms;
    const due = this.#timers.filter(({ at }) => at <= this.monotonic).toSorted((a, b) => a.at - b.at);
    for (const timer of due) {
      // One that ran before may have taken it back.
      if (!this.#timers.includes(timer)) continue;
      this.#timers = this.#timers.filter((each) => each !== timer);
      timer.action();
    }
  }

  /** Leaps until the next timer has run; nothing when there is none. */
  leapToNext(): void {
    if (this.#timers.length === 0) return;
    this.leap(Math.max(0, Math.min(...this.#timers.map(({ at }) => at)) - this.monotonic));
  }

  /** The process that waited is gone. */
  forget(): void {
    this.#timers = [];
  }

  /** Both clocks go on, and timers that are due run, with everything they set off. */
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

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
