/**
 * A backup of an exchange, running or not, in a directory that is laid out like a data directory: log, newest snapshot,
 * keyring, and `backup.json`, which says how far it reaches. Each backup into the same directory copies what is new.
 *
 * The log is all there is to an exchange, so a backup is consistent if it is a beginning of the log: it ends with a whole
 * record that is durable in the log too. Everything else in it is older than that record or goes with it.
 */

import {
  copyFile,
  findCut,
  findEnd,
  isFile,
  isInside,
  lockDirectory,
  LogDamaged,
  logDirectory,
  LogGone,
  makeLockFile,
  moveDurably,
  nodeDisk,
  readText,
  removeDirectory,
  removeFile,
  segmentName,
  SegmentReader,
  segmentsAmong,
  snapshotPath,
  snapshotsIn,
  SqliteHistoryReader,
  writeDurableText,
} from '@bourse/engine';
import { historyPath } from '../startup/data-directory.ts';
import { NoDirectory, requireDirectory } from './stopped-directory.ts';
import { checkLedger } from './ledger-check.ts';
import { verifyLog } from './log-verify.ts';

/** How far a backup reaches: all records up to this one. */
export interface Reach {
  readonly seq: number;
  /** Of the record, by the exchange's clock. */
  readonly time: string;
  /** Chain hash of the record, in hex. */
  readonly hash: string;
}

export interface BackedUp extends Reach {
  readonly dir: string;
  readonly firstSeq: number;
  /** Segments of the log that were copied, and that were there before. */
  readonly copied: number;
  readonly kept: number;
  readonly bytes: number;
  /** The record of the newest snapshot in it; 0 for none. */
  readonly snapshot: number;
}

export interface VerifiedBackup extends Reach {
  readonly dir: string;
  readonly firstSeq: number;
  readonly records: number;
  readonly commands: number;
  readonly snapshots: number;
  /** What is wrong, one sentence each. */
  readonly damage: readonly string[];
}

export interface RestoredBackup extends Reach {
  readonly dir: string;
}

/** The directory cannot be used for this; the sentence says why and what to do. */
export class BackupUnfit extends Error {
  override readonly name = 'BackupUnfit';
}

const FORMAT = 1;
const MANIFEST = 'backup.json';
const KEYRING = 'keyring';
const LOCK = 'lock.db';
const NOTHING: Reach = { seq: 0, time: '', hash: '' };
const UNFINISHED = '.tmp';
const SNAPSHOTS_KEPT = 2;

export async function backUp(data: string, dir: string): Promise<BackedUp> {
  await requireDirectory(data);
  await refuseItself(data, dir);
  const lock = lockDirectory(dir);
  try {
    const before = (await readManifest(dir)) ?? (await begin(dir));
    // Older than the last record: history must not be ahead of the log.
    const history = await copyHistory(data, dir);
    const segments = await requireDirectory(data);
    if (before.seq > 0) await requireSameLog(data, dir, before, segments);
    const log = await copySegments(data, dir, segments);
    const [firstSeq] = segmentsAmong(await nodeDisk.list(logDirectory(dir)));
    if (firstSeq === 1) await removeFile(historyPath(dir));
    else await moveDurably(history, historyPath(dir));
    await removeFile(history);
    // A person's key is written before the first record that needs it, so it is in a keyring that is read after the log.
    await copyKeyring(data, dir);
    const snapshot = await copySnapshot(data, dir, log.reach.seq);
    await writeManifest(dir, log.reach);
    const { copied, kept, bytes, reach } = log;
    return { dir, firstSeq, ...reach, copied, kept, bytes, snapshot };
  } finally {
    lock.release();
  }
}

export async function verifyBackup(dir: string): Promise<VerifiedBackup> {
  const reach = await requireManifest(dir);
  const { damage: found, records, commands, firstSeq, lastSeq } = await verifyLog(dir);
  const damage = [...found];
  if (damage.length === 0 && lastSeq < reach.seq) {
    damage.push(`The log ends with record ${lastSeq}, and ${MANIFEST} says that it reaches ${reach.seq}.`);
  } else if (damage.length === 0 && (await hashOf(dir, reach.seq)) !== reach.hash) {
    damage.push(`Record ${reach.seq} is not the one that ${MANIFEST} names.`);
  }
  const snapshots = snapshotsIn(nodeDisk, dir);
  const seqs = await snapshots.list();
  for (const seq of seqs) {
    const fault = await snapshots.findFault(seq);
    if (fault !== null) damage.push(`${fault}.`);
  }
  if (firstSeq > 1 && !seqs.some((seq) => seq >= firstSeq - 1)) {
    damage.push(`The log begins with record ${firstSeq}, and there is no snapshot to begin from.`);
  }
  // What a start on it would do: it goes on from the newest snapshot, record by record.
  if (damage.length === 0) {
    const { currencies } = await checkLedger(dir, {});
    const wrong = currencies.filter(({ isZero }) => !isZero).map(({ currency, sum }) => `${sum} ${currency}`);
    if (wrong.length > 0) damage.push(`The money in it does not add up: ${wrong.join(', ')} too much.`);
  }
  return { dir, ...reach, firstSeq, records, commands, snapshots: seqs.length, damage };
}

/** The last record to restore: by its sequence, or the last one at or before a time. */
export type RestorePoint = { readonly seq: number } | { readonly time: number };

/** Makes a data directory from a backup. It must not be there, or be empty, and is there only when it is whole. */
export async function restoreBackup(dir: string, to: string, point?: RestorePoint): Promise<RestoredBackup> {
  const reach = await requireManifest(dir);
  if ((await nodeDisk.list(to)).length > 0) {
    throw new BackupUnfit(`${to} is not empty: name a directory that is not there yet.`);
  }
  const seq = await seqOf(dir, reach, point);
  const [firstSeq] = await requireDirectory(dir);
  const snapshot = await newestSnapshot(dir, seq);
  if (firstSeq > 1 && snapshot < firstSeq - 1) {
    throw new BackupUnfit(
      `Record ${seq} cannot be restored: the log in ${dir} begins with record ${firstSeq}, and there is no snapshot between.`,
    );
  }
  const made = `${to}${UNFINISHED}`;
  await removeDirectory(made);
  try {
    const cut = await findCut(nodeDisk, logDirectory(dir), seq);
    const last = cut.segments.at(-1)!;
    for (const first of cut.segments) {
      const name = segmentName(first);
      const end = first === last ? cut.position : undefined;
      await copyFile(`${logDirectory(dir)}/${name}`, `${logDirectory(made)}/${name}`, end);
    }
    if (snapshot > 0) {
      await copyFile(
        snapshotPath(snapshotsIn(nodeDisk, dir).dir, snapshot),
        snapshotPath(snapshotsIn(nodeDisk, made).dir, snapshot),
      );
    }
    if (firstSeq > 1) await restoreHistory(dir, made, seq);
    if (await isFile(`${dir}/${KEYRING}`)) await copyFile(`${dir}/${KEYRING}`, `${made}/${KEYRING}`);
    const { damage } = await verifyLog(made);
    if (damage.length > 0) throw new LogDamaged(`${dir}: ${damage.join(' ')}`);
    makeLockFile(made);
    await removeDirectory(to);
    await moveDurably(made, to);
    return { dir: to, seq, time: new Date(cut.time).toISOString(), hash: await hashOf(to, seq) };
  } catch (error) {
    await removeDirectory(made).catch(() => undefined);
    throw error;
  }
}

async function refuseItself(data: string, dir: string): Promise<void> {
  if ((await isInside(dir, data)) || (await isInside(data, dir))) {
    throw new BackupUnfit(
      `${dir} and the data directory ${data} are not apart: name a directory on another disk.`,
    );
  }
}

/** Begins a backup where there is none. Until it is done, it reaches no record. */
async function begin(dir: string): Promise<Reach> {
  if ((await nodeDisk.list(dir)).some((name) => name !== LOCK)) {
    throw new BackupUnfit(`${dir} is not empty and no backup: name a directory that is not there yet.`);
  }
  await writeManifest(dir, NOTHING);
  return NOTHING;
}

function writeManifest(dir: string, reach: Reach): Promise<void> {
  return writeDurableText(`${dir}/${MANIFEST}`, `${JSON.stringify({ format: FORMAT, ...reach }, null, 2)}\n`);
}

async function readManifest(dir: string): Promise<Reach | null> {
  if (!(await isFile(`${dir}/${MANIFEST}`))) return null;
  let found: Partial<Reach> & { readonly format?: number };
  try {
    found = JSON.parse(await readText(`${dir}/${MANIFEST}`)) as typeof found;
  } catch {
    throw new BackupUnfit(`${dir}/${MANIFEST} is damaged: make another backup in a new directory.`);
  }
  const { format, seq, time, hash } = found;
  if (
    format !== FORMAT ||
    !Number.isSafeInteger(seq) ||
    typeof time !== 'string' ||
    typeof hash !== 'string'
  ) {
    throw new BackupUnfit(`${dir}/${MANIFEST} has format ${format}, and this Bourse reads ${FORMAT}.`);
  }
  return { seq: seq!, time, hash };
}

async function requireManifest(dir: string): Promise<Reach> {
  const found = await readManifest(dir);
  if (found?.seq === 0) {
    throw new BackupUnfit(`The backup in ${dir} was begun and did not end: run \`bourse backup\` again.`);
  }
  if (found) return found;
  throw new NoDirectory(
    `${dir} is no backup: there is no ${MANIFEST} in it. Make one with \`bourse backup\`.`,
  );
}

/** Nothing is written over before this holds: the exchange goes on where the backup ends. */
async function requireSameLog(
  data: string,
  dir: string,
  { seq, hash }: Reach,
  segments: readonly [number, ...number[]],
): Promise<void> {
  if (segments[0] > seq + 1) {
    throw new BackupUnfit(
      `The backup ends with record ${seq}, and the log of ${data} begins with ${segments[0]}: what was between is gone. ` +
        'Make another backup in a new directory.',
    );
  }
  let found: string;
  try {
    found = await hashOf(data, seq);
  } catch (error) {
    if (!(error instanceof LogGone)) throw error;
    throw new BackupUnfit(
      `${dir} reaches record ${seq}, and the log of ${data} does not: it is older, or another one. ` +
        'Make another backup in a new directory.',
    );
  }
  if (found === hash) return;
  throw new BackupUnfit(
    `${dir} is a backup of another log than that of ${data}: record ${seq} is a different one. ` +
      'Make another backup in a new directory.',
  );
}

/** Chain hash of a record. */
async function hashOf(data: string, seq: number): Promise<string> {
  const dir = logDirectory(data);
  const segments = segmentsAmong(await nodeDisk.list(dir));
  // A segment's header has the hash of the record before it.
  if (segments.includes(seq + 1)) return await hashIn(dir, seq + 1, seq);
  const first = segments.findLast((each) => each <= seq);
  if (first === undefined) throw new LogGone(`Record ${seq} is not in the log of ${data}.`);
  return await hashIn(dir, first, seq);
}

async function hashIn(dir: string, first: number, seq: number): Promise<string> {
  const segment = await SegmentReader.open(nodeDisk, dir, first);
  try {
    while (segment.nextSeq <= seq && (segment.nextInWindow() || (await segment.next())));
    if (segment.nextSeq <= seq) throw new LogGone(`Record ${seq} is not in the log: it ends before.`);
    return Buffer.from(segment.hash).toString('hex');
  } finally {
    await segment.close();
  }
}

interface CopiedLog {
  readonly reach: Reach;
  readonly copied: number;
  readonly kept: number;
  readonly bytes: number;
}

/**
 * A segment that is followed by another one is written no more, and has its final size: with the same size the copy is
 * whole. The last one is copied as far as its records go.
 */
async function copySegments(
  data: string,
  dir: string,
  segments: readonly [number, ...number[]],
): Promise<CopiedLog> {
  const [from, to] = [logDirectory(data), logDirectory(dir)];
  await nodeDisk.makeDirectory(to);
  let [copied, kept, bytes] = [0, 0, 0];
  for (const first of segments.slice(0, -1)) {
    const name = segmentName(first);
    const size = await sizeOf(`${from}/${name}`);
    // A running exchange gives up segments that it has a copy of.
    if (size === null) continue;
    if ((await sizeOf(`${to}/${name}`)) === size) kept++;
    else {
      await copyChecked(from, to, first);
      copied++;
      bytes += size;
    }
  }
  const last = segments.at(-1)!;
  const { lastSeq, lastTime, hash, position } = await findEnd(nodeDisk, from, last);
  await makeDurable(`${from}/${segmentName(last)}`);
  await copyChecked(from, to, last, position);
  const reach = {
    seq: lastSeq,
    time: new Date(lastTime).toISOString(),
    hash: Buffer.from(hash).toString('hex'),
  };
  return { reach, copied: copied + 1, kept, bytes: bytes + position };
}

/** Under another name until every record of the copy was read back. */
async function copyChecked(from: string, to: string, first: number, end?: number): Promise<void> {
  const [source, path] = [`${from}/${segmentName(first)}`, `${to}/${segmentName(first)}`];
  const aside = `${to}${UNFINISHED}`;
  await removeDirectory(aside);
  try {
    await copyFile(source, `${aside}/${segmentName(first)}`, end);
    const { position, tornBytes } = await findEnd(nodeDisk, aside, first);
    const size = (await sizeOf(`${aside}/${segmentName(first)}`))!;
    if (tornBytes > 0 || position !== size) {
      throw new LogDamaged(`${source}, byte ${position}: the copy does not hold a whole record there.`);
    }
    await nodeDisk.rename(`${aside}/${segmentName(first)}`, path);
    await nodeDisk.syncDirectory(to);
  } finally {
    await removeDirectory(aside);
  }
}

/** What is in the file now is durable: a backup must not have a record that a loss of power takes from the log. */
async function makeDurable(path: string): Promise<void> {
  const file = await nodeDisk.open(path, 'read');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<number | null> {
  if (!(await isFile(path))) return null;
  const file = await nodeDisk.open(path, 'read');
  try {
    return await file.size();
  } finally {
    await file.close();
  }
}

/** Where the copy is. Only a log without its first record needs it: otherwise a start writes history from the log. */
async function copyHistory(data: string, dir: string): Promise<string> {
  const path = `${historyPath(dir)}${UNFINISHED}`;
  await removeFile(path);
  const [first] = await requireDirectory(data);
  if (first > 1 && (await isFile(historyPath(data)))) {
    const history = new SqliteHistoryReader(historyPath(data));
    try {
      await history.backUp(path);
    } finally {
      history.close();
    }
  }
  return path;
}

async function restoreHistory(dir: string, made: string, seq: number): Promise<void> {
  const path = historyPath(dir);
  if (!(await isFile(path))) return;
  const history = new SqliteHistoryReader(path);
  const { checkpoint } = history;
  history.close();
  if (checkpoint > seq) {
    throw new BackupUnfit(
      `Record ${seq} cannot be restored: the history in ${dir} reaches record ${checkpoint}, and the log does not go ` +
        `back to its first record, from which a start could write another. Restore record ${checkpoint} or a later one.`,
    );
  }
  await copyFile(path, historyPath(made));
}

/** Rows end with a line break; one that is being written does not yet. */
async function copyKeyring(data: string, dir: string): Promise<void> {
  if (!(await isFile(`${data}/${KEYRING}`))) return;
  const text = await readText(`${data}/${KEYRING}`);
  await writeDurableText(`${dir}/${KEYRING}`, text.slice(0, text.lastIndexOf('\n') + 1));
}

async function newestSnapshot(dir: string, seqMax: number): Promise<number> {
  const snapshots = snapshotsIn(nodeDisk, dir);
  const seqs = (await snapshots.list()).filter((seq) => seq <= seqMax);
  for (const seq of seqs.toReversed()) if ((await snapshots.findFault(seq)) === null) return seq;
  return 0;
}

async function copySnapshot(data: string, dir: string, seqMax: number): Promise<number> {
  const [from, to] = [snapshotsIn(nodeDisk, data), snapshotsIn(nodeDisk, dir)];
  const seq = await newestSnapshot(data, seqMax);
  const there = await to.list();
  if (seq === 0 || there.includes(seq)) return there.at(-1) ?? 0;
  const path = snapshotPath(to.dir, seq);
  await removeFile(path + UNFINISHED);
  await copyFile(snapshotPath(from.dir, seq), path + UNFINISHED);
  await moveDurably(path + UNFINISHED, path);
  const fault = await to.findFault(seq);
  if (fault !== null) throw new BackupUnfit(`${fault} after it was copied: look at the disk of ${dir}.`);
  for (const old of [...there, seq].slice(0, -SNAPSHOTS_KEPT)) await removeFile(snapshotPath(to.dir, old));
  return seq;
}

async function seqOf(dir: string, reach: Reach, point?: RestorePoint): Promise<number> {
  if (point === undefined) return reach.seq;
  const seq = 'seq' in point ? point.seq : await lastBefore(dir, point.time);
  if (seq <= reach.seq) return seq;
  throw new BackupUnfit(`The backup reaches record ${reach.seq}, of ${reach.time}, and not record ${seq}.`);
}

/** The last record at or before a time. */
async function lastBefore(data: string, time: number): Promise<number> {
  const dir = logDirectory(data);
  const segments = await requireDirectory(data);
  let seq = 0;
  for (const first of segments.toReversed()) {
    const segment = await SegmentReader.open(nodeDisk, dir, first);
    try {
      if (first > 1 && segment.header.timeBefore > time) continue;
      seq = first - 1;
      while ((segment.nextInWindow() || (await segment.next())) && segment.time <= time) {
        seq = segment.nextSeq - 1;
      }
      break;
    } finally {
      await segment.close();
    }
  }
  if (seq >= segments[0]) return seq;
  throw new BackupUnfit(
    `The log in ${data} has no record at or before ${new Date(time).toISOString()}: name a later time.`,
  );
}
