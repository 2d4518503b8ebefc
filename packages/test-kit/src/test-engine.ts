/**
 * Engines for tests: on real files with history in memory and the follower on the same thread, or as in
 * production.
 */

import assert from 'node:assert/strict';
import { Exchange } from '@bourse/core';
import { type Engine, type EngineOptions, openEngine } from '../../engine/src/engine.ts';
import { logReaderIn, openFileStorage, snapshotsIn } from '../../engine/src/file-storage.ts';
import { type FollowerLimits, openFollower } from '../../engine/src/follower.ts';
import { type Disk, nodeDisk } from '../../engine/src/io/disk.ts';
import { nodeClock, type Clock } from '../../engine/src/io/clock.ts';
import type { MemoryHistory } from './memory-history.ts';
import { Digest } from '../../engine/src/digest.ts';
import { Unavailable } from '../../engine/src/exchange-port.ts';
import { Sequencer, type SequencerLimits, type SequencerParts } from '../../engine/src/sequencer.ts';
import { ManualClock } from './manual-clock.ts';
import { openMarket } from './market.ts';
import { MemoryLog } from './memory-log.ts';
import { submit } from './submit.ts';
import { openDirectory } from '../../bourse/src/startup/data-directory.ts';
import type { FollowerTask } from '../../bourse/src/startup/follower-worker.ts';
import { FollowerThread } from '../../engine/src/follower-thread.ts';

export interface TestEngineOptions extends Partial<EngineOptions> {
  readonly disk?: Disk;
  readonly segmentBytes?: number;
  readonly followerLimits?: Partial<FollowerLimits>;
}

export async function openTestEngine(
  dir: string,
  history: MemoryHistory,
  { followerLimits, segmentBytes, disk = nodeDisk, ...options }: TestEngineOptions = {},
): Promise<Engine> {
  const { onWarning } = options;
  const { checkpoint } = history;
  const storage = await openFileStorage({
    disk,
    dir,
    checkpoint,
    ...(segmentBytes && { segmentBytes }),
    ...(onWarning && { onWarning }),
  });
  return openEngine({
    ...storage,
    history,
    clock: nodeClock,
    startFollower: () =>
      openFollower({
        log: logReaderIn(disk, dir),
        history,
        snapshots: snapshotsIn(disk, dir),
        ...(followerLimits && { limits: followerLimits }),
      }),
    followPauseMs: 5,
    ...options,
  });
}

/** A sequencer of a small market on a log in memory; a test makes its records durable. */
export async function open(
  limits: Partial<SequencerLimits> = {},
  parts: Pick<SequencerParts, 'clockJumpMsMax' | 'onClock'> = {},
) {
  const clock = new ManualClock();
  return { clock, ...(await openWith(clock, limits, parts)) };
}

export async function openWith(
  clock: Clock,
  limits: Partial<SequencerLimits> = {},
  parts: Pick<SequencerParts, 'clockJumpMsMax' | 'onClock'> = {},
) {
  const log = new MemoryLog();
  const exchange = new Exchange();
  exchange.keepDone = true;
  const stops: Error[] = [];
  const sequencer = new Sequencer({
    log,
    exchange,
    clock,
    digest: new Digest(),
    limits,
    ...parts,
    onStop: (why) => stops.push(why),
  });
  for (const command of openMarket()) await submit(sequencer, command);
  log.isAutomatic = false;
  return { log, exchange, sequencer, stops };
}

/** Asserts that a command is rejected for this reason. */
export const refusedAs = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof Unavailable);
  assert.equal(error.reason, reason);
  return true;
};

// As in production, follower on its thread and history in SQLite, without the interface in front.

export const WORKER = new URL('../../bourse/src/startup/follower-worker.ts', import.meta.url);

export interface DirectoryEngineOptions extends Partial<EngineOptions> {
  readonly segmentBytes?: number;
}

export async function openDirectoryEngine(
  dir: string,
  { segmentBytes, ...options }: DirectoryEngineOptions = {},
  limits: Partial<FollowerLimits> = {},
): Promise<Engine> {
  const { onWarning, onAlarm } = options;
  const task: FollowerTask = { dir, limits };
  return openEngine({
    ...(await openDirectory(dir, {
      ...(segmentBytes && { segmentBytes }),
      ...(onWarning && { onWarning }),
      ...(onAlarm && { onAlarm }),
    })),
    clock: nodeClock,
    startFollower: () => FollowerThread.start(WORKER, task),
    ...options,
  });
}
