/** An engine as in production, follower on its thread and history in SQLite, without the interface in front. */

import { type Engine, type EngineOptions, openEngine } from '../../src/engine/engine.ts';
import type { FollowerLimits } from '../../src/engine/follower.ts';
import { FollowerThread } from '../../src/engine/follower-thread.ts';
import { SqliteHistoryReader } from '../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../src/history/sqlite/sqlite-history-writer.ts';
import { lockDirectory } from '../../src/io/directory-lock.ts';
import { nodeClock } from '../../src/io/node-clock.ts';
import { nodeDisk } from '../../src/io/node-disk.ts';
import type { FollowerTask } from '../../src/startup/follower-worker.ts';

export const WORKER = new URL('../../src/startup/follower-worker.ts', import.meta.url);

export function openDirectoryEngine(
  dir: string,
  options: Partial<EngineOptions> = {},
  limits: Partial<FollowerLimits> = {},
): Promise<Engine> {
  const historyPath = `${dir}/history.db`;
  const task: FollowerTask = { dir, historyPath, limits };
  return openEngine({
    dir,
    disk: nodeDisk,
    clock: nodeClock,
    async lock() {
      const lock = lockDirectory(dir);
      return async () => lock.release();
    },
    openHistory() {
      new SqliteHistoryWriter(historyPath).close();
      return new SqliteHistoryReader(historyPath);
    },
    startFollower: () => FollowerThread.start(WORKER, task),
    ...options,
  });
}
