/**
 * History is checked before it is used. If it is damaged, or another version wrote it, it is written anew from the log,
 * provided that the log reaches back to the first record.
 *
 * The check reads the complete database. Up to ALWAYS_BYTES it runs at every start. A larger database is trusted if its
 * size and modification time are those that the last clean stop noted. If they are not, its newest rows must also have the
 * times of their records: otherwise it belongs to another exchange, and users would see each other's orders.
 */

import {
  type Disk,
  faultOfHistory,
  faultOfVersion,
  HistoryDamaged,
  makePrivateFile,
  newestRows,
  readText,
  removeFile,
  stampOf,
  writePrivateText,
} from '@bourse/engine';

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
