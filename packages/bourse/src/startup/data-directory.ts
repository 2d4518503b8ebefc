/**
 * A data directory, of an exchange that runs alone or of a cluster's node: its lock, log, snapshots and
 * history.
 *
 * History is checked before it is used. If it is damaged, or another version wrote it, it is written anew
 * from the log, provided that the log reaches back to the first record.
 *
 * The check reads the complete database. Up to ALWAYS_BYTES it runs at every start. A larger database is
 * trusted if its size and modification time are those that the last clean stop noted. If they are not, its
 * newest rows must also have the times of their records: otherwise it belongs to another exchange, and users
 * would see each other's orders.
 */

import {
  type DirectoryLock,
  type Disk,
  type EngineOptions,
  faultOfHistory,
  faultOfVersion,
  type FileLog,
  findShared,
  type FollowerLimits,
  type FollowerParts,
  HistoryDamaged,
  lockDirectory,
  LogDamaged,
  logDirectory,
  LogGone,
  logReaderIn,
  LogRetention,
  LogTooNew,
  makePrivateFile,
  newestRows,
  nodeDisk,
  openFileStorage,
  readText,
  removeFile,
  segmentsAmong,
  snapshotsIn,
  SqliteHistoryReader,
  SqliteHistoryWriter,
  stampOf,
  waitForOthers,
  writePrivateText,
  type WriterOptions,
} from '@bourse/engine';

/** The directory was created by another kind of start, or with another key. */
export class WrongDirectory extends Error {
  override readonly name = 'WrongDirectory';
}

/** One to two seconds of reading. */
const ALWAYS_BYTES = 256 << 20;
/** The files of an SQLite database. */
const PARTS = ['', '-wal', '-shm'];

const stampPath = (path: string): string => `${path}-stamp`;

export interface SoundHistoryOptions {
  readonly disk: Disk;
  readonly dir: string;
  readonly path: string;
  /** The log has its first record. */
  readonly isLogComplete: boolean;
  /** The time of a record; undefined if the log does not have it. Omitted: the history is known to match its log. */
  readonly timeOf?: (seq: number) => Promise<number | undefined>;
  readonly alwaysBytes?: number;
  readonly onAlarm?: (sentence: string) => void;
}

/** Makes sure that the database can be opened for writing, or throws HistoryDamaged. */
export async function makeHistorySound(options: SoundHistoryOptions): Promise<void> {
  const { path, isLogComplete, onAlarm } = options;
  makePrivateFile(path);
  const fault = await findFault(options);
  // Removes the note, because from now on the database changes.
  await removeFile(stampPath(path));
  if (fault === null) return;
  if (!isLogComplete) throw new HistoryDamaged(cannotBeMended(path, fault));
  const aside = await moveAside(options);
  makePrivateFile(path);
  onAlarm?.(writtenAnew(path, fault, aside));
}

/** Call when the database is finally closed. */
export async function leaveHistory(path: string): Promise<void> {
  const stamp = await stampOf(path);
  if (stamp && !(await hasPagesElsewhere(path))) await writePrivateText(stampPath(path), stamp.text);
}

async function findFault(options: SoundHistoryOptions): Promise<string | null> {
  const { path, alwaysBytes = ALWAYS_BYTES } = options;
  const ofVersion = faultOfVersion(path);
  if (ofVersion !== null) return ofVersion;
  const { bytes, isAsLeft } = await lookAt(path);
  if (isAsLeft && bytes > alwaysBytes) return null;
  return faultOfHistory(path) ?? (isAsLeft || bytes === 0 ? null : await foreignRow(options));
}

async function lookAt(path: string): Promise<{ readonly bytes: number; readonly isAsLeft: boolean }> {
  const stamp = await stampOf(path);
  const noted = await readText(stampPath(path)).catch(() => '');
  return { bytes: stamp?.bytes ?? 0, isAsLeft: stamp?.text === noted && !(await hasPagesElsewhere(path)) };
}

async function foreignRow({ path, timeOf }: SoundHistoryOptions): Promise<string | null> {
  if (timeOf === undefined) return null;
  for (const { name, seq, time } of newestRows(path)) {
    const logged = await timeOf(seq);
    if (logged !== undefined && logged !== time) {
      return `it belongs to another exchange: ${name} has record ${seq} at ${timeText(time)}, and the log has it at ${timeText(logged)}`;
    }
  }
  return null;
}

const timeText = (time: number): string => new Date(time).toISOString();

/** Its write-ahead log is not empty: another process has it open, or it was not closed cleanly. */
async function hasPagesElsewhere(path: string): Promise<boolean> {
  return ((await stampOf(`${path}-wal`))?.bytes ?? 0) > 0;
}

/** Moves the database to an unused name, so that one moved earlier is kept. */
async function moveAside({ disk, dir, path }: SoundHistoryOptions): Promise<string> {
  const names = new Set((await disk.list(dir)).map((name) => `${dir}/${name}`));
  let aside = `${path}.damaged`;
  for (let again = 2; names.has(aside); again++) aside = `${path}.damaged-${again}`;
  for (const part of PARTS) if (names.has(path + part)) await disk.rename(path + part, aside + part);
  await disk.syncDirectory(dir);
  return aside;
}

function writtenAnew(path: string, fault: string, aside: string): string {
  return (
    `${path} cannot be used (${fault}). It was moved to ${aside}, and history is rebuilt from the log, which has every ` +
    'record since the first: nothing is missing, and this start takes as long as reading all of the log'
  );
}

function cannotBeMended(path: string, fault: string): string {
  return (
    `${path} cannot be used (${fault}), and it cannot be rebuilt, because the log does not reach back to the first ` +
    'record. Put back from one copy, taken at one time, the database with the files named like it with -wal and -shm; ' +
    'the log and the snapshots stay as they are. Nothing was changed.'
  );
}

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
/** With log, snapshots and history, ready for an engine. */
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
    'within the next seconds; this start waits for that. After a copy without the lock file no action is needed'
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

/** The parts that a follower of the directory needs, on any thread. */
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

/** The writer creates the database; a reader cannot. */
async function openHistory(
  dir: string,
  { isOwnCopy, onAlarm, onWarning }: DirectoryOptions,
): Promise<SqliteHistoryReader> {
  const path = historyPath(dir);
  const [first = 1] = segmentsAmong(await nodeDisk.list(logDirectory(dir)));
  const report = onAlarm ?? onWarning;
  await makeHistorySound({
    disk: nodeDisk,
    dir,
    path,
    isLogComplete: first === 1,
    ...(!isOwnCopy && { timeOf: (seq: number) => recordTime(dir, seq) }),
    ...(report && { onAlarm: report }),
  });
  new SqliteHistoryWriter(path).close();
  return new SqliteHistoryReader(path);
}

/** Undefined if the log does not have the record, or is damaged before it, which is found on opening. */
async function recordTime(dir: string, seq: number): Promise<number | undefined> {
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

/** Without a log: that is on the log servers. */
export interface NodeDirectory {
  readonly isHeld: () => boolean;
  /** Call after missing snapshots were fetched. `isLogComplete`: the log has its first record. */
  open(isLogComplete: boolean): Promise<Required<Pick<EngineOptions, 'snapshots' | 'history'>>>;
  /** Idempotent. */
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
