/**
 * How long a thread is blocked, measured as the delay of a 1 ms timer. Each tick also checks the CPU, to separate
 * pauses caused by throttling (see ../http/spells.ts), and the thread's own CPU time, because a pause without it
 * means that the thread waited for a busy CPU.
 */

import { threadCpuUsage } from 'node:process';
import { Spells } from '../http/spells.ts';

const TICK_MS = 1;

export interface Pause {
  readonly ms: number;
  /** The thread's own CPU time during the pause. */
  readonly ranMs: number;
}

export interface Pauses {
  /** The longest pause. */
  readonly longest: Pause;
  /** The longest pause outside throttled periods; null if there was none. */
  readonly steady: Pause | null;
  /**
   * The longest CPU time of the thread between two ticks outside throttled periods: its own work and garbage
   * collection.
   */
  readonly ownMs: number;
}

interface Tick extends Pause {
  readonly at: number;
}

export class Standstill {
  readonly #spells = new Spells();
  readonly #ticks: Tick[] = [];
  #timer: NodeJS.Timeout | null = null;
  #at = 0;
  #ranMs = 0;

  start(): void {
    this.#begin();
  }

  /** Stops the measurement; call it once. */
  stop(): Pauses {
    if (this.#timer) clearTimeout(this.#timer);
    const isSteady = this.#spells.steady(Float64Array.from(this.#ticks, ({ at }) => at));
    const steady = this.#ticks.filter((_, i) => isSteady[i]);
    const ownMs = steady.reduce((most, tick) => Math.max(most, tick.ranMs), 0);
    return { longest: longestOf(this.#ticks) ?? { ms: 0, ranMs: 0 }, steady: longestOf(steady), ownMs };
  }

  #begin(): void {
    this.#spells.look();
    this.#at = performance.now();
    this.#ranMs = ranMs();
    this.#timer = setTimeout(() => {
      const ms = performance.now() - this.#at - TICK_MS;
      this.#ticks.push({ at: this.#at, ms: Math.max(0, ms), ranMs: ranMs() - this.#ranMs });
      this.#begin();
    }, TICK_MS);
  }
}

/** CPU time of this thread. */
function ranMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}

function longestOf(ticks: readonly Tick[]): Pause | null {
  let longest: Tick | null = null;
  for (const tick of ticks) if (longest === null || tick.ms > longest.ms) longest = tick;
  return longest && { ms: longest.ms, ranMs: longest.ranMs };
}
