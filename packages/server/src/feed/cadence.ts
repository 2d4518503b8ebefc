/** Topics that speak at most so often: what changes in between is gathered, and only how it ends up is told. */

import type { Clock } from '../io/clock.ts';

export class Cadence {
  private readonly clock: Clock;
  private readonly intervalMs: number;
  private readonly tell: (symbols: ReadonlySet<number>) => void;
  private changed = new Set<number>();
  private cancel: (() => void) | undefined;

  /** `tell` gets the symbols that have changed since it was called last. */
  constructor(clock: Clock, intervalMs: number, tell: (symbols: ReadonlySet<number>) => void) {
    this.clock = clock;
    this.intervalMs = intervalMs;
    this.tell = tell;
  }

  note(symbol: number): void {
    this.changed.add(symbol);
    this.cancel ??= this.clock.after(this.intervalMs, this.run);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private readonly run = (): void => {
    this.cancel = undefined;
    const { changed } = this;
    this.changed = new Set();
    this.tell(changed);
  };
}
