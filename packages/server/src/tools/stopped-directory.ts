/** A data directory that nobody serves, for tools: opened as a start would, all on this thread. */

import { type Engine, type EngineOptions, openEngine } from '../engine/engine.ts';
import { openFollower } from '../engine/follower.ts';
import { LogReader } from '../engine/log-reader.ts';
import { Snapshots } from '../engine/snapshots.ts';
import { SqliteHistoryReader } from '../history/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../history/sqlite-history-writer.ts';
import { lockDirectory } from '../io/directory-lock.ts';
import { nodeClock } from '../io/node-clock.ts';
import { nodeDisk } from '../io/node-disk.ts';

/** There is no log in the directory, so it is not one of ours. */
export class NoDirectory extends Error {
  override readonly name = 'NoDirectory';
}

export async function requireDirectory(dir: string): Promise<void> {
  if ((await nodeDisk.list(`${dir}/log`)).length === 0) {
    throw new NoDirectory(`${dir} is no data directory of Bourse: there is no log in it.`);
  }
}

export async function lockStopped(dir: string): Promise<() => Promise<void>> {
  const lock = lockDirectory(dir);
  return async () => lock.release();
}

/** Rejects with DirectoryInUse while somebody serves it. */
export async function openStopped(
  dir: string,
  listeners: Pick<EngineOptions, 'onProgress' | 'onWarning'>,
): Promise<Engine> {
  await requireDirectory(dir);
  const historyPath = `${dir}/history.db`;
  return openEngine({
    dir,
    disk: nodeDisk,
    clock: nodeClock,
    lock: () => lockStopped(dir),
    openHistory() {
      new SqliteHistoryWriter(historyPath).close();
      return new SqliteHistoryReader(historyPath);
    },
    startFollower: () =>
      openFollower({
        log: new LogReader(nodeDisk, `${dir}/log`),
        history: new SqliteHistoryWriter(historyPath),
        snapshots: new Snapshots(nodeDisk, `${dir}/snapshots`),
      }),
    ...listeners,
  });
}
