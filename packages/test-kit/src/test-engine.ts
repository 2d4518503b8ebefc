/** An engine on real files with history in memory and the follower on the same thread. */

import { type Engine, type EngineOptions, openEngine } from '../../engine/src/engine.ts';
import { logReaderIn, openFileStorage, snapshotsIn } from '../../engine/src/file-storage.ts';
import { type FollowerLimits, openFollower } from '../../engine/src/follower.ts';
import type { Disk } from '../../engine/src/io/disk.ts';
import { nodeClock } from '../../engine/src/io/node-clock.ts';
import { nodeDisk } from '../../engine/src/io/node-disk.ts';
import type { MemoryHistory } from './memory-history.ts';

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
