/** Virtual time of one world: pending events in order. Everything follows from the seed. */

import type { Clock } from '../../packages/engine/src/io/clock.ts';

interface Happening {
  readonly at: number;
  action: () => void;
}

const nothing = (): void => undefined;

export class Timeline {
  now = 0;
  #happenings: Happening[] = [];

  after(delayMs: number, action: () => void): () => void {
    const happening = { at: this.now + Math.max(0, delayMs), action };
    this.#happenings.splice(this.#placeOf(happening.at), 0, happening);
    return () => {
      happening.action = nothing;
    };
  }

  /** After everything that is due at the same time. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#happenings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#happenings[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Until then, with everything that follows from each happening before the next one. */
  async runUntil(end: number): Promise<void> {
    for (;;) {
      const [next] = this.#happenings;
      if (!next || next.at > end) break;
      this.#happenings.shift();
      this.now = next.at;
      if (next.action === nothing) continue;
      next.action();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.now = end;
  }
}

/** The life of one process: what happens to it waits while it is paused, and never comes once it is killed. */
export class SimProcess {
  readonly #timeline: Timeline;
  readonly #waiting: (() => void)[] = [];
  /** How far its wall clock was set. */
  jumpMs = 0;
  #state: 'runs' | 'paused' | 'killed' = 'runs';

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get isRunning(): boolean {
    return this.#state === 'runs';
  }

  do(action: () => void): void {
    if (this.#state === 'runs') action();
    else if (this.#state === 'paused') this.#waiting.push(action);
  }

  after(delayMs: number, action: () => void): () => void {
    return this.#timeline.after(delayMs, () => this.do(action));
  }

  pause(): void {
    if (this.#state === 'runs') this.#state = 'paused';
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'runs';
    // One after the other, like an event loop that wakes up.
    for (const action of this.#waiting.splice(0)) this.after(0, action);
  }

  kill(): void {
    this.#state = 'killed';
  }

  /** `skewMs`: how wrong the wall clock of its machine is. */
  clock(skewMs: number): Clock {
    const timeline = this.#timeline;
    const clock: Clock = {
      now: () => 1_700_000_000_000 + timeline.now + skewMs + this.jumpMs,
      elapsed: () => timeline.now,
      after: (delayMs, action) => this.after(delayMs, action),
      soon: (action) => void this.after(0, action),
      next: (action) => queueMicrotask(action),
      get machine() {
        return clock;
      },
    };
    return clock;
  }
}
