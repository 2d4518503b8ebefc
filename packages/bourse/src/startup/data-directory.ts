/** A data directory: locked, with its log, its snapshots and its history in SQLite, ready for an engine. */

import {
  type DirectoryLock,
  type EngineOptions,
  type FileLog,
  findShared,
  type FollowerLimits,
  type FollowerParts,
  lockDirectory,
  LogDamaged,
  logDirectory,
  LogGone,
  logReaderIn,
  LogRetention,
  LogTooNew,
  nodeDisk,
  openFileStorage,
  segmentsAmong,
  snapshotsIn,
  SqliteHistoryReader,
  SqliteHistoryWriter,
  waitForOthers,
  type WriterOptions,
} from '@bourse/engine';
import { leaveHistory, makeHistorySound } from './sound-history.ts';

export interface DirectoryOptions {
  readonly segmentBytes?: number;
  /** Called when this process has the lock, before anything in the directory is read. If it throws, opening fails. */
  readonly onLocked?: () => Promise<void>;
  /** This process copied it with its history, which need not be compared with the log. */
  readonly isOwnCopy?: boolean;
  readonly onWarning?: (sentence: string) => void;
  /** A message that somebody must read. Default: onWarning. */
  readonly onAlarm?: (sentence: string) => void;
}

/** The parts of it that an engine needs. */
export interface OpenDirectory
  extends Required<Pick<EngineOptions, 'snapshots' | 'history' | 'isOwned' | 'release'>> {
  readonly log: FileLog;
}

export const historyPath = (dir: string): string => `${dir}/history.db`;

/** Created if it does not exist. Throws DirectoryInUse, LockUnusable, and errors of the log or of history. */
export async function openDirectory(
  dir: string,
  { onLocked, ...options }: DirectoryOptions = {},
): Promise<OpenDirectory> {
  await nodeDisk.makeDirectory(dir);
  const lock = lockDirectory(dir);
  try {
    const isLogThere = (await nodeDisk.list(logDirectory(dir))).length > 0;
    if (lock.isNew && isLogThere) {
      options.onWarning?.(lockWasMissing(dir));
      await waitForOthers();
    }
    await onLocked?.();
    const shared = await findShared(dir);
    if (shared.length > 0) options.onWarning?.(tooShared(dir, shared));
    const history = await openHistory(dir, options);
    try {
      const { checkpoint } = history;
      const { isHeld: isOwned } = lock;
      const storage = await openFileStorage({ disk: nodeDisk, dir, checkpoint, isOwned, ...options });
      return { ...storage, history, isOwned, release: () => leave(dir, lock) };
    } catch (error) {
      history.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function leave(dir: string, lock: DirectoryLock): Promise<void> {
  try {
    if (lock.isHeld()) await leaveHistory(historyPath(dir));
  } finally {
    lock.release();
  }
}

function lockWasMissing(dir: string): string {
  return (
    `${dir} has a log, but its lock file was missing. If another Bourse still runs on this directory, it stops by itself ` +
    'within the next seconds; this start waits for that. After a copy without the lock file nothing is to be done'
  );
}

/** One message, however many files there are: an old directory may have thousands. */
function tooShared(dir: string, [first, ...others]: readonly string[]): string {
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return (
    `Other users of this machine may read ${first}${more}: the data directory holds everybody's orders, money and ` +
    `encrypted API secrets. Run \`chmod -R go= ${dir}\` to keep it to the user that runs Bourse`
  );
}

/** What a follower of the directory works with, on whichever thread it runs. */
export function followerParts(
  dir: string,
  limits: Partial<FollowerLimits>,
  { rest, logCopy, ...options }: WriterOptions & { readonly logCopy?: string } = {},
): Omit<FollowerParts, 'exchange' | 'oldestSnapshot'> {
  const snapshots = snapshotsIn(nodeDisk, dir);
  const logs = { dir: logDirectory(dir), copy: logDirectory(logCopy ?? '') };
  return {
    log: logReaderIn(nodeDisk, dir),
    history: new SqliteHistoryWriter(historyPath(dir), { ...options, ...(rest && { rest }) }),
    snapshots,
    limits,
    ...(logCopy && {
      retention: new LogRetention({ disk: nodeDisk, snapshots, ...logs, ...(rest && { rest }) }),
    }),
    ...(rest && { rest }),
  };
}

/** Checkpoints a history database into its one file. */
export function settleHistory(path: string): void {
  new SqliteHistoryWriter(path).close();
}

/** The writer makes the database; the reader can only read. */
async function openHistory(
  dir: string,
  { isOwnCopy, onAlarm, onWarning }: DirectoryOptions,
): Promise<SqliteHistoryReader> {
  const path = historyPath(dir);
  const [first = 1] = segmentsAmong(await nodeDisk.list(logDirectory(dir)));
  const tell = onAlarm ?? onWarning;
  await makeHistorySound({
    disk: nodeDisk,
    dir,
    path,
    isLogComplete: first === 1,
    ...(!isOwnCopy && { timeOf: (seq: number) => timeOf(dir, seq) }),
    ...(tell && { onAlarm: tell }),
  });
  new SqliteHistoryWriter(path).close();
  return new SqliteHistoryReader(path);
}

/** Undefined if the log does not have the record, or is damaged before it, which is found on opening. */
async function timeOf(dir: string, seq: number): Promise<number | undefined> {
  const log = logReaderIn(nodeDisk, dir);
  try {
    for await (const { time } of log.read(seq, seq)) return time;
  } catch (error) {
    if (!(error instanceof LogGone || error instanceof LogDamaged || error instanceof LogTooNew)) throw error;
  } finally {
    await log.close();
  }
  return undefined;
}
