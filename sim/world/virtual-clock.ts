/** The clock of a simulated world: it stands still until the world moves it, and its wall may be set, also back. */

import type { Clock } from '../../packages/server/src/io/clock.ts';

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

export class VirtualClock implements Clock {
  #wall: number;
  #elapsed = 0;
  #timers: Timer[] = [];

  constructor(wall: number) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { at: this.#elapsed + Math.max(0, delayMs), action };
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

  get hasTimers(): boolean {
    return this.#timers.length > 0;
  }

  /** Time passes in one go, as when the machine sleeps; what has become due runs once. */
  pass(ms: number): void {
    this.#wall += ms;
    this.#elapsed += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#elapsed).toSorted((a, b) => a.at - b.at);
    for (const timer of due) {
      // One that ran before may have taken it back.
      if (!this.#timers.includes(timer)) continue;
      this.#timers = this.#timers.filter((each) => each !== timer);
      timer.action();
    }
  }

  /** Passes until the next timer has run; nothing when there is none. */
  passToNext(): void {
    if (this.#timers.length === 0) return;
    this.pass(Math.max(0, Math.min(...this.#timers.map(({ at }) => at)) - this.#elapsed));
  }

  /** Somebody sets the wall clock. */
  jump(byMs: number): void {
    this.#wall += byMs;
  }

  /** The process that waited is gone. */
  forget(): void {
    this.#timers = [];
  }
}
