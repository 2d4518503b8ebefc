/**
 * The engine of one process and one directory: lock, log, core and sequencer on this thread, history and snapshots on
 * the follower's.
 */

import { type Engine, openEngine } from '../engine/engine.ts';
import { FollowerThread } from '../engine/follower-thread.ts';
import type { RecoveryProgress } from '../engine/recovery.ts';
import { SqliteHistoryReader } from '../history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../history/sqlite/sqlite-history-writer.ts';
import type { Clock } from '../io/clock.ts';
import { lockDirectory } from '../io/directory-lock.ts';
import { nodeDisk } from '../io/node-disk.ts';
import type { Settings } from '../config/settings.ts';
import type { FollowerTask } from './follower-worker.ts';

export interface EmbeddedOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  /** The follower's thread was started; it is not ready yet. */
  readonly onFollowerStart: () => void;
  /** The directory is this process's; nothing in it was looked at yet. */
  readonly onLocked: () => Promise<void>;
  readonly onProgress: (progress: RecoveryProgress) => void;
  readonly onWarning: (sentence: string) => void;
  readonly onStop: (why: Error) => void;
}

export function openEmbedded({
  settings,
  clock,
  onFollowerStart,
  onLocked,
  ...listeners
}: EmbeddedOptions): Promise<Engine> {
  const { data: dir, snapshotRecords, snapshotBytes, historyRetentionMs: retentionMs } = settings;
  const historyPath = `${dir}/history.db`;
  const task: FollowerTask = { dir, historyPath, limits: { snapshotRecords, snapshotBytes, retentionMs } };
  return openEngine({
    dir,
    disk: nodeDisk,
    clock,
    async lock() {
      const lock = lockDirectory(dir);
      try {
        await onLocked();
      } catch (error) {
        lock.release();
        throw error;
      }
      return async () => lock.release();
    },
    openHistory() {
      // The writer makes the database; the reader can only read.
      new SqliteHistoryWriter(historyPath).close();
      return new SqliteHistoryReader(historyPath);
    },
    startFollower() {
      const starting = FollowerThread.start(new URL('./follower-worker.ts', import.meta.url), task);
      onFollowerStart();
      return starting;
    },
    limits: { queueMax: settings.queueCommandsMax, queueBytesMax: settings.queueBytesMax },
    keepSegments: settings.keepLog,
    ...listeners,
  });
}
