/** A data directory that nobody serves, for tools: opened as a start would, all on this thread. */

import { type Engine, type EngineOptions, openEngine } from '../engine/engine.ts';
import { openFollower } from '../engine/follower.ts';
import { HistoryDamaged, HistoryUnfit } from '../history/history.ts';
import { LogReader } from '../log/log-reader.ts';
import { segmentsAmong } from '../log/segment.ts';
import { Snapshots } from '../engine/snapshots.ts';
import { SqliteHistoryReader } from '../history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../history/sqlite/sqlite-history-writer.ts';
import { lockDirectory } from '../io/directory-lock.ts';
import { nodeClock } from '../io/node-clock.ts';
import { nodeDisk } from '../io/node-disk.ts';

const HISTORY = 'history.db';

/** There is no log in the directory, so it is not one of ours. */
export class NoDirectory extends Error {
  override readonly name = 'NoDirectory';
}

/** The segments of its log, by their first record. */
export async function requireDirectory(dir: string): Promise<readonly [number, ...number[]]> {
  const [first, ...others] = segmentsAmong(await nodeDisk.list(`${dir}/log`));
  if (first === undefined) {
    throw new NoDirectory(`${dir} is no data directory of Bourse: there is no log in it.`);
  }
  return [first, ...others];
}

/**
 * The last record that history or a snapshot has, so that it must be in the log; 0 for none. A history that cannot be
 * read is no reason not to look at the log: `onWarning` gets a sentence.
 */
export async function knownSeqOf(dir: string, onWarning?: (sentence: string) => void): Promise<number> {
  const newest = await new Snapshots(nodeDisk, `${dir}/snapshots`).newestSeq();
  if (!(await nodeDisk.list(dir)).includes(HISTORY)) return newest;
  try {
    const history = new SqliteHistoryReader(`${dir}/${HISTORY}`);
    const { checkpoint } = history;
    history.close();
    return Math.max(newest, checkpoint);
  } catch (error) {
    if (!(error instanceof HistoryDamaged || error instanceof HistoryUnfit)) throw error;
    onWarning?.(`Whether history has more than the log is not known: ${error.message}`);
    return newest;
  }
}

export async function lockStopped(dir: string): Promise<() => Promise<void>> {
  const lock = lockDirectory(dir);
  return async () => lock.release();
}

/**
 * Rejects with DirectoryInUse while somebody serves it. What the service keeps is for its own settings to say: a tool
 * gives up no segment and no history.
 */
export async function openStopped(
  dir: string,
  listeners: Pick<EngineOptions, 'onProgress' | 'onWarning'>,
): Promise<Engine> {
  await requireDirectory(dir);
  const historyPath = `${dir}/${HISTORY}`;
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
        limits: { retentionMs: Infinity },
      }),
    keepSegments: true,
    ...listeners,
  });
}
