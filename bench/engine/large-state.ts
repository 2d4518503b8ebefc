/** A million open orders of a hundred thousand users: start-up time, and the cost of a snapshot on the live thread. */

import { threadCpuUsage } from 'node:process';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import type { Engine } from '../../packages/engine/src/engine.ts';
import { collectGarbage } from '../core/memory.ts';
import { Spells } from '../http/cpu.ts';
import { largeExchange, prepareDirectory, restingOrder } from './scene.ts';

const CALLERS = 16;
/** Several, because a single figure depends on other load on the machine. */
const SNAPSHOTS = 5;

export interface LargeState {
  readonly users: number;
  readonly orders: number;
  readonly snapshotBytes: number;
  /** From opening the directory to the first response. */
  readonly readyMs: number;
  /** Several snapshots: the time of the follower for each, and the longest pause of the live thread during it. */
  readonly snapshotMs: number;
  readonly pauses: LongestPauses;
  /** The same load for the same duration without a snapshot. */
  readonly pausesWithout: LongestPauses;
  /** Commands acknowledged during one snapshot. */
  readonly commandsDuring: number;
}

/**
 * Medians over several rounds: the longest pause; the longest pause outside throttled periods, NaN if a round had
 * none; and the CPU time of the thread during that pause.
 */
export interface LongestPauses {
  readonly ms: number;
  readonly eachMs: readonly number[];
  readonly steadyMs: number;
  readonly steadyRanMs: number;
  /** The longest CPU time of the thread between two ticks, which excludes waiting for a CPU. */
  readonly ownMs: number;
}

export async function measureLargeState(dir: string, users: number, orders: number): Promise<LargeState> {
  await prepareDirectory(dir, largeExchange(users, orders), []);
  const start = performance.now();
  const engine = await openDirectoryEngine(dir);
  await submit(
    engine,
    restingOrder(0, () => 1),
  );
  const readyMs = performance.now() - start;
  await engine.historyCaughtUp();
  // The state was created on this thread too: exclude its garbage.
  collectGarbage();
  await load(engine, users, sleep(1000));
  const during: Loaded[] = [];
  const without: Loaded[] = [];
  let snapshotBytes = 0;
  for (let i = 0; i < SNAPSHOTS; i++) {
    const taking = engine.snapshot();
    during.push(await load(engine, users, taking));
    snapshotBytes = (await taking).bytes;
    without.push(await load(engine, users, sleep(during[i].ms)));
    // History pauses while the follower takes its snapshot.
    await engine.historyCaughtUp();
  }
  await engine.close();
  return {
    users,
    orders,
    snapshotBytes,
    readyMs,
    snapshotMs: median(during.map(({ ms }) => ms)),
    pauses: longestPauses(during),
    pausesWithout: longestPauses(without),
    commandsDuring: median(during.map(({ commands }) => commands)),
  };
}

/** Skips rounds that were throttled from start to end. */
function longestPauses(turns: readonly Loaded[]): LongestPauses {
  const eachMs = turns.map(({ pauses }) => pauses.longest.ms);
  const steady = turns.flatMap(({ pauses }) => pauses.steady ?? []);
  return {
    ms: median(eachMs),
    eachMs,
    steadyMs: median(steady.map(({ ms }) => ms)),
    steadyRanMs: median(steady.map(({ ranMs }) => ranMs)),
    ownMs: median(turns.map(({ pauses }) => pauses.ownMs)),
  };
}

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Loaded {
  readonly commands: number;
  readonly ms: number;
  readonly pauses: Pauses;
}

/** Callers place orders until the promise settles. */
async function load(engine: Engine, users: number, until: Promise<unknown>): Promise<Loaded> {
  const phase = { isOver: false };
  let commands = 0;
  let seed = 7;
  const below = (end: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 4294967296) * end);
  };
  void until.then(() => {
    phase.isOver = true;
  });
  const standstill = new Standstill();
  const start = performance.now();
  standstill.start();
  const call = async () => {
    while (!phase.isOver) {
      // Constant number of orders: a table that grows also blocks the thread, which is not measured here.
      const user = below(users);
      const { outcome } = await submit(engine, restingOrder(user, below));
      if (outcome.kind !== 'order') throw new Error('an order was refused');
      await submit(engine, { kind: 'cancel-order', user, symbol: 0, order: outcome.order });
      commands += 2;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return { commands, ms: performance.now() - start, pauses: standstill.stop() };
}

// How long a thread is blocked, measured as the delay of a 1 ms timer. Each tick also checks the CPU, to
// separate pauses caused by throttling (see ../http/cpu.ts), and the thread's own CPU time, because a
// pause without it means that the thread waited for a busy CPU.

const TICK_MS = 1;

export interface Pause {
  readonly ms: number;
  /** The thread's own CPU time during the pause. */
  readonly ranMs: number;
}

interface Pauses {
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

class Standstill {
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
    this.#ranMs = threadMs();
    this.#timer = setTimeout(() => {
      const ms = performance.now() - this.#at - TICK_MS;
      this.#ticks.push({ at: this.#at, ms: Math.max(0, ms), ranMs: threadMs() - this.#ranMs });
      this.#begin();
    }, TICK_MS);
  }
}

/** CPU time of this thread. */
function threadMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}

function longestOf(ticks: readonly Tick[]): Pause | null {
  let longest: Tick | null = null;
  for (const tick of ticks) if (longest === null || tick.ms > longest.ms) longest = tick;
  return longest && { ms: longest.ms, ranMs: longest.ranMs };
}
