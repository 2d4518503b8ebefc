/** A data directory: locked, with its log, its snapshots and its history in SQLite, ready for an engine. */

import type { EngineOptions } from '../engine/engine.ts';
import { logReaderIn, openFileStorage, snapshotsIn } from '../engine/file-storage.ts';
import type { FollowerLimits, FollowerParts } from '../engine/follower.ts';
import { SqliteHistoryReader } from '../history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter, type WriterOptions } from '../history/sqlite/sqlite-history-writer.ts';
import { lockDirectory } from '../io/directory-lock.ts';
import type { FileLog } from '../log/file-log.ts';
import { nodeDisk } from '../io/node-disk.ts';

export interface DirectoryOptions {
  readonly segmentBytes?: number;
  /** The directory is this process's; nothing in it was looked at yet. What it throws ends the opening. */
  readonly onLocked?: () => Promise<void>;
  readonly onWarning?: (sentence: string) => void;
}

/** What an engine needs of it. */
export interface OpenDirectory extends Required<Pick<EngineOptions, 'snapshots' | 'history' | 'release'>> {
  readonly log: FileLog;
}

export const historyPath = (dir: string): string => `${dir}/history.db`;

/** Made when it is not there. Throws DirectoryInUse, LockUnusable, and what is wrong with the log or with history. */
export async function openDirectory(
  dir: string,
  { onLocked, ...options }: DirectoryOptions = {},
): Promise<OpenDirectory> {
  await nodeDisk.makeDirectory(dir);
  const lock = lockDirectory(dir);
  try {
    await onLocked?.();
    const history = openHistory(historyPath(dir));
    try {
      const { checkpoint } = history;
      const storage = await openFileStorage({ disk: nodeDisk, dir, checkpoint, ...options });
      return { ...storage, history, release: async () => lock.release() };
    } catch (error) {
      history.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What a follower of the directory works with, on whichever thread it runs. */
export function followerParts(
  dir: string,
  limits: Partial<FollowerLimits>,
  { rest, ...options }: WriterOptions = {},
): Omit<FollowerParts, 'exchange' | 'oldestSnapshot'> {
  return {
    log: logReaderIn(nodeDisk, dir),
    history: new SqliteHistoryWriter(historyPath(dir), { ...options, ...(rest && { rest }) }),
    snapshots: snapshotsIn(nodeDisk, dir),
    limits,
    ...(rest && { rest }),
  };
}

/** Brings what waits beside a database of history into its one file. */
export function settleHistory(path: string): void {
  new SqliteHistoryWriter(path).close();
}

/** The writer makes the database; the reader can only read. */
function openHistory(path: string): SqliteHistoryReader {
  new SqliteHistoryWriter(path).close();
  return new SqliteHistoryReader(path);
}
