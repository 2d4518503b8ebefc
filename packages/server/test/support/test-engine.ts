/** An engine on real files with history in memory and the follower on the same thread. */

import { Engine, type EngineOptions, openEngine } from '../../src/engine/engine.ts';
import { type FollowerLimits, openFollower } from '../../src/engine/follower.ts';
import type { HistoryReader } from '../../src/history/history.ts';
import { LogReader } from '../../src/log/log-reader.ts';
import { Snapshots } from '../../src/engine/snapshots.ts';
import type { Disk } from '../../src/io/disk.ts';
import { nodeClock } from '../../src/io/node-clock.ts';
import { nodeDisk } from '../../src/io/node-disk.ts';
import type { MemoryHistory } from './memory-history.ts';

export interface TestEngineOptions extends Partial<EngineOptions> {
  readonly disk?: Disk;
  readonly followerLimits?: Partial<FollowerLimits>;
}

export function openTestEngine(
  dir: string,
  history: MemoryHistory,
  { followerLimits, disk = nodeDisk, ...options }: TestEngineOptions = {},
): Promise<Engine> {
  const reader = { checkpoint: history.checkpoint, close: () => undefined } as unknown as HistoryReader;
  return openEngine({
    dir,
    disk,
    clock: nodeClock,
    lock: async () => async () => undefined,
    openHistory: () => reader,
    startFollower: () =>
      openFollower({
        log: new LogReader(disk, `${dir}/log`),
        history,
        snapshots: new Snapshots(disk, `${dir}/snapshots`),
        ...(followerLimits && { limits: followerLimits }),
      }),
    followPauseMs: 5,
    ...options,
  });
}
