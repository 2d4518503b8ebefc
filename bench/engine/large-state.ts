/** A million open orders of a hundred thousand users: how long a start takes, and what a snapshot costs the live thread. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Engine } from '../../packages/server/src/engine/engine.ts';
import { openDirectoryEngine } from '@bourse/test-tools/directory-engine.ts';
import { collectGarbage } from '../core/memory.ts';
import { largeExchange, prepareDirectory, restingOrder } from './scene.ts';
import { submit } from '../../packages/server/src/engine/submit.ts';

const CALLERS = 16;
/** Several, because a single figure depends on what else the machine does at that moment. */
const SNAPSHOTS = 5;
const RESOLUTION_MS = 1;

export interface LargeState {
  readonly users: number;
  readonly orders: number;
  readonly snapshotBytes: number;
  /** From opening the directory to the first answer. */
  readonly readyMs: number;
  /** Several snapshots: how long the follower took, and the longest that the live thread stood still meanwhile. */
  readonly snapshotMs: number;
  readonly pauseMs: number;
  readonly pausesMs: readonly number[];
  /** The same load for the same time without a snapshot: what the machine itself does. */
  readonly pauseWithoutMs: number;
  readonly pausesWithoutMs: readonly number[];
  /** Answered while one snapshot was taken. */
  readonly commandsDuring: number;
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
  // The state was made on this thread too: what that left behind is no matter of the engine's.
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
    // While the follower took its snapshot, history waited.
    await engine.historyCaughtUp();
  }
  await engine.close();
  const pausesMs = during.map(({ pauseMs }) => pauseMs);
  const pausesWithoutMs = without.map(({ pauseMs }) => pauseMs);
  return {
    users,
    orders,
    snapshotBytes,
    readyMs,
    snapshotMs: median(during.map(({ ms }) => ms)),
    pauseMs: median(pausesMs),
    pausesMs,
    pauseWithoutMs: median(pausesWithoutMs),
    pausesWithoutMs,
    commandsDuring: median(during.map(({ commands }) => commands)),
  };
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1];
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Loaded {
  readonly commands: number;
  readonly ms: number;
  readonly pauseMs: number;
}

/** Callers place orders until the promise is settled. */
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
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const start = performance.now();
  delays.enable();
  const call = async () => {
    while (!phase.isOver) {
      // As many as before: a table that grows stops the thread too, and that is another matter.
      const user = below(users);
      const { outcome } = await submit(engine, restingOrder(user, below));
      if (outcome.kind !== 'order') throw new Error('an order was refused');
      await submit(engine, { kind: 'cancel-order', user, symbol: 0, order: outcome.order });
      commands += 2;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  delays.disable();
  return { commands, ms: performance.now() - start, pauseMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS) };
}
