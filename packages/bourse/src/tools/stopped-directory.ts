/** A data directory without a running service, opened for tools as a start would, but on one thread. */

import { basename } from 'node:path';
import {
  type CopiedSegments,
  copyFile,
  copyLog,
  copySegments,
  type Engine,
  type EngineOptions,
  findCut,
  HistoryDamaged,
  HistoryUnfit,
  isFile,
  lockDirectory,
  logDirectory,
  LogGone,
  makeLockFile,
  nodeClock,
  nodeDisk,
  openEngine,
  openFollower,
  removeDirectory,
  segmentsAmong,
  type SnapshotInfo,
  snapshotsIn,
  SqliteHistoryReader,
} from '@bourse/engine';
import { beginAgain } from '../startup/checkpoints.ts';
import { followerParts, historyPath, openDirectory } from '../startup/data-directory.ts';
import { SECRET_KEYS_FILE } from '../startup/venue.ts';

/** The directory has no log, so it is not a data directory. */
export class NoDirectory extends Error {
  override readonly name = 'NoDirectory';
}

/** The file with the keys of people. */
export const KEYRING = 'keyring';

/** Returns the first record of each segment of its log. */
export async function requireDirectory(dir: string): Promise<readonly [number, ...number[]]> {
  const [first, ...others] = segmentsAmong(await nodeDisk.list(logDirectory(dir)));
  if (first === undefined) {
    throw new NoDirectory(`${dir} is not a data directory of Bourse: it has no log.`);
  }
  return [first, ...others];
}

/**
 * The last record in history or in a snapshot, which the log must therefore have; 0 for none. An unreadable
 * history is only reported with `onWarning`: the log can still be verified.
 */
export async function knownSeqOf(dir: string, onWarning?: (sentence: string) => void): Promise<number> {
  const newest = await snapshotsIn(nodeDisk, dir).newestSeq();
  if (!(await nodeDisk.list(dir)).includes(basename(historyPath(dir)))) return newest;
  try {
    const history = new SqliteHistoryReader(historyPath(dir));
    const { checkpoint } = history;
    history.close();
    return Math.max(newest, checkpoint);
  } catch (error) {
    if (!(error instanceof HistoryDamaged || error instanceof HistoryUnfit)) throw error;
    onWarning?.(`Cannot tell whether history has more records than the log: ${error.message}`);
    return newest;
  }
}

export async function lockStopped(dir: string): Promise<() => Promise<void>> {
  const lock = lockDirectory(dir);
  return async () => lock.release();
}

/**
 * Rejects with DirectoryInUse while a service runs on it. Retention is a setting of the service, so a tool
 * removes no segments and no history.
 */
async function openStopped(
  dir: string,
  listeners: Pick<EngineOptions, 'onProgress' | 'onWarning'>,
): Promise<Engine> {
  await requireDirectory(dir);
  const { onWarning } = listeners;
  const opened = await openDirectory(dir, onWarning && { onWarning });
  const { lastTime } = opened.log;
  return openEngine({
    ...opened,
    // The exchange's time stands still, so that nothing becomes due and the log stays as it is. A sandbox's time may be
    // far from the machine's, and a copy may be of any age.
    clock: { ...nodeClock, now: () => lastTime },
    startFollower: () => openFollower(followerParts(dir, { retentionMs: Infinity })),
    keepSegments: true,
    ...listeners,
  });
}

export interface CopiedLog extends CopiedSegments {
  readonly dir: string;
}

/** Copies the complete segments of the log of a data directory, whether or not an exchange runs on it. */
export async function copyLogOf(dir: string, to: string): Promise<CopiedLog> {
  await requireDirectory(dir);
  return { dir: to, ...(await copySegments(nodeDisk, logDirectory(dir), logDirectory(to))) };
}

/** Takes a snapshot of a stopped directory, so that the next start is fast. History is brought up to date on the way. */
export async function takeSnapshot(
  dir: string,
  listeners: Pick<EngineOptions, 'onProgress' | 'onWarning'>,
): Promise<SnapshotInfo> {
  const engine = await openStopped(dir, listeners);
  try {
    return await engine.snapshot();
  } finally {
    await engine.close();
  }
}

// A copy of a stopped directory as of one of its records, in another directory.

export interface Forked {
  readonly dir: string;
  readonly seq: number;
  /** The time of its last record. */
  readonly time: string;
}

/** Copies only the log and keys: the next start creates snapshots and history from it. */
export async function forkDirectory(dir: string, seq: number, target: string): Promise<Forked> {
  const [first] = await requireDirectory(dir);
  if (first !== 1) {
    throw new LogGone(
      `The log of ${dir} begins with record ${first}: a fork needs it from the first record on.`,
    );
  }
  if ((await nodeDisk.list(target)).length > 0) {
    throw new NoDirectory(`${target} is not empty. Name a directory that does not exist yet.`);
  }
  const release = await lockStopped(dir);
  try {
    const cut = await findCut(nodeDisk, logDirectory(dir), seq);
    await copyLog(logDirectory(dir), logDirectory(target), cut);
    for (const name of [KEYRING, SECRET_KEYS_FILE]) {
      if (await isFile(`${dir}/${name}`)) await copyFile(`${dir}/${name}`, `${target}/${name}`);
    }
    await beginAgain(target, dir, seq);
    makeLockFile(target);
    return { dir: target, seq, time: new Date(cut.time).toISOString() };
  } catch (error) {
    await removeDirectory(target).catch(() => undefined);
    throw error;
  } finally {
    await release();
  }
}
