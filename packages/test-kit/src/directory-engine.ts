/** An engine as in production, follower on its thread and history in SQLite, without the interface in front. */

import { type Engine, type EngineOptions, openEngine } from '../../engine/src/engine.ts';
import type { FollowerLimits } from '../../engine/src/follower.ts';
import { FollowerThread } from '../../engine/src/follower-thread.ts';
import { nodeClock } from '../../engine/src/io/clock.ts';
import { openDirectory } from '../../bourse/src/startup/data-directory.ts';
import type { FollowerTask } from '../../bourse/src/startup/follower-worker.ts';

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
