/** Virtual time of one world: a queue of pending events. Everything follows from the seed. */

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

  /** After all other events due at the same time. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#happenings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#happenings[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Runs until then; the consequences of each event run before the next event. */
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

/** The lifetime of a process: its events wait while it is paused, and are dropped once it is killed. */
export class SimProcess {
  readonly #timeline: Timeline;
  readonly #waiting: (() => void)[] = [];
  /** The offset by which its wall clock was set. */
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
    // One after the other, like an event loop that resumes.
    for (const action of this.#waiting.splice(0)) this.after(0, action);
  }

  kill(): void {
    this.#state = 'killed';
  }

  /** `skewMs`: the error of its machine's wall clock. */
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
