/** The data directory of a node: locked, with snapshots and history; the log is on the log servers. */

import {
  type EngineOptions,
  lockDirectory,
  logDirectory,
  nodeDisk,
  snapshotsIn,
  SqliteHistoryReader,
} from '@bourse/engine';
import { WrongDirectory } from './credentials.ts';
import { historyPath, settleHistory } from './data-directory.ts';
import { leaveHistory, makeHistorySound } from './sound-history.ts';

export interface NodeDirectory {
  readonly isHeld: () => boolean;
  /** Call after missing snapshots were fetched. `isLogComplete`: the log has its first record. */
  open(isLogComplete: boolean): Promise<Required<Pick<EngineOptions, 'snapshots' | 'history'>>>;
  /** Any number of times. */
  readonly release: () => Promise<void>;
}

/** Created if it does not exist. Throws DirectoryInUse, LockUnusable, WrongDirectory. */
export async function openNodeDirectory(
  dir: string,
  onAlarm: (sentence: string) => void,
): Promise<NodeDirectory> {
  await nodeDisk.makeDirectory(dir);
  const lock = lockDirectory(dir);
  try {
    await checkNoLog(dir);
  } catch (error) {
    lock.release();
    throw error;
  }
  const path = historyPath(dir);
  let isReleased = false;
  return {
    isHeld: () => lock.isHeld(),
    async open(isLogComplete) {
      await makeHistorySound({ disk: nodeDisk, dir, path, isLogComplete, onAlarm });
      settleHistory(path);
      return { snapshots: snapshotsIn(nodeDisk, dir), history: new SqliteHistoryReader(path) };
    },
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      try {
        if (lock.isHeld()) await leaveHistory(path);
      } finally {
        lock.release();
      }
    },
  };
}

async function checkNoLog(dir: string): Promise<void> {
  if ((await nodeDisk.list(logDirectory(dir))).length === 0) return;
  throw new WrongDirectory(
    `${dir} holds an exchange that runs alone, with a log of its own. Give the node a directory of its own with --data.`,
  );
}
