/**
 * A backup of an exchange, running or not, in a directory that is laid out like a data directory: log, newest snapshot,
 * keyring, and `backup.json`, which says how far it reaches. Each backup into the same directory copies what is new.
 *
 * The log is all there is to an exchange, so a backup is consistent if it is a beginning of the log: it ends with a whole
 * record that is durable in the log too. Its log begins with the first record, because history is written from it.
 */

import {
  copyFile,
  findCut,
  findEnd,
  isFile,
  isInside,
  lockDirectory,
  lockForReading,
  LogDamaged,
  logDirectory,
  LogGone,
  LogReplay,
  makeLockFile,
  moveDurably,
  nodeDisk,
  readLines,
  readText,
  removeDirectory,
  removeFile,
  segmentName,
  SegmentReader,
  segmentsAmong,
  snapshotPath,
  snapshotsIn,
  UNFINISHED,
  writeDurableText,
} from '@bourse/engine';
import { beginAgain, CHECKPOINTS_FILE } from '../startup/checkpoints.ts';
import { SECRET_KEYS_FILE } from '../startup/venue.ts';
import { reportOf } from './ledger-check.ts';
import { verifyLog } from './log-verify.ts';
import { KEYRING, NoDirectory, requireDirectory } from './stopped-directory.ts';

/** How far a backup reaches: all records up to this one. */
export interface Reach {
  readonly seq: number;
  /** Time of the record, by the exchange's clock. */
  readonly time: string;
  /** Chain hash of the record, in hex. */
  readonly hash: string;
}

/**
 * Files copied after the log. The checkpoints link a restored log to its original. Each of the venue's keys is written
 * before the first record that needs it, so copying the keys last misses none.
 */
const BESIDE_LOG = [CHECKPOINTS_FILE, SECRET_KEYS_FILE];

export interface BackedUp extends Reach {
  readonly dir: string;
  /** Number of segments copied by this run, and by earlier ones. */
  readonly copied: number;
  readonly kept: number;
  readonly bytes: number;
  /** The record of the newest snapshot in it; 0 for none. */
  readonly snapshot: number;
}

export interface VerifiedBackup extends Reach {
  readonly dir: string;
  readonly records: number;
  readonly commands: number;
  readonly snapshots: number;
  /** One message for each fault. */
  readonly damage: readonly string[];
  /** One message for each finding that is not a fault. */
  readonly notes: readonly string[];
}

export interface RestoredBackup extends Reach {
  readonly dir: string;
}

/** The last record to restore: by its sequence, or the last one at or before a time. */
export type RestorePoint = { readonly seq: number } | { readonly time: number };

/** The directory cannot be used; the message says why and what to do. */
export class BackupUnfit extends Error {
  override readonly name = 'BackupUnfit';
}

const FORMAT = 1;
const MANIFEST = 'backup.json';
const LOCK = 'lock.db';
const SNAPSHOTS_KEPT = 2;
const NOTHING: Reach = { seq: 0, time: '', hash: '' };
const ELSEWHERE = 'Make another backup in a new directory.';

export async function backUp(data: string, dir: string): Promise<BackedUp> {
  await requireDirectory(data);
  await refuseItself(data, dir);
  await refuseForeign(dir);
  const lock = lockDirectory(dir);
  try {
    const before = (await readManifest(dir)) ?? NOTHING;
    if (before === NOTHING) await writeManifest(dir, NOTHING);
    if (before.seq > 0) await requireSameLog(data, dir, before);
    await dropUnfinished(data, dir, before);
    const people = await keyringRows(data);
    const log = await copySegments(data, dir);
    // Keys are written before the records that need them, and removed after: two readings together have all
    // of them.
    for (const row of await keyringRows(data)) people.add(row);
    // Until the manifest is replaced, the earlier backup is the valid one, and it needs the keys that it had.
    // A start uses a person's last row, so the newer ones come last.
    const rows = [...people];
    const earlier = [...(await keyringRows(dir))].filter((row) => !people.has(row));
    if (earlier.length + rows.length > 0) await writeKeyring(dir, [...earlier, ...rows]);
    for (const name of BESIDE_LOG) await copyWhole(data, dir, name);
    const snapshot = await copySnapshot(data, dir, log.reach.seq);
    await writeManifest(dir, log.reach);
    if (earlier.length > 0) await writeKeyring(dir, rows);
    const { copied, kept, bytes, reach } = log;
    return { dir, ...reach, copied, kept, bytes, snapshot };
  } finally {
    lock.release();
  }
}

/** Replays every record, and compares the state with each snapshot on the way. */
export async function verifyBackup(dir: string): Promise<VerifiedBackup> {
  return await whileReading(dir, async () => {
    const reach = await requireManifest(dir);
    const { damage: found, records, commands, firstSeq, lastSeq } = await verifyLog(dir);
    const damage = [...found];
    const listed = await snapshotsIn(nodeDisk, dir).list();
    const seqs = listed.filter((seq) => seq <= reach.seq);
    const notes = unfinishedNotes(dir, listed.slice(seqs.length));
    const result = () => ({ dir, ...reach, records, commands, snapshots: seqs.length, damage, notes });
    if (damage.length > 0) return result();
    if (firstSeq > 1) damage.push(`The log begins with record ${firstSeq}; earlier records are missing.`);
    else if (lastSeq < reach.seq) {
      damage.push(
        `The log ends with record ${lastSeq}, but according to ${MANIFEST} with record ${reach.seq}.`,
      );
    } else if ((await hashOf(dir, reach.seq)) !== reach.hash) {
      damage.push(`Record ${reach.seq} does not have the hash in ${MANIFEST}.`);
    } else damage.push(...(await findWrongStates(dir, reach.seq, seqs)));
    return result();
  });
}

/** Snapshots of an interrupted run, which a restore does not use. */
function unfinishedNotes(dir: string, seqs: readonly number[]): string[] {
  return seqs.map((seq) => {
    const path = snapshotPath(snapshotsIn(nodeDisk, dir).dir, seq);
    return `${path} is of a run that did not finish. The next backup removes it.`;
  });
}

/** A backup that runs meanwhile would replace files. */
async function whileReading<T>(dir: string, read: () => Promise<T>): Promise<T> {
  const release = lockForReading(dir);
  try {
    return await read();
  } finally {
    release();
  }
}

async function findWrongStates(dir: string, lastSeq: number, seqs: readonly number[]): Promise<string[]> {
  const snapshots = snapshotsIn(nodeDisk, dir);
  const damage: string[] = [];
  const replay = (await LogReplay.open(nodeDisk, dir))!;
  const { exchange } = replay;
  for await (const record of replay.records()) {
    if (record.seq > lastSeq) break;
    exchange.apply(record);
    if (!seqs.includes(record.seq)) continue;
    const fault = await snapshots.findFault(record.seq);
    if (fault !== null) damage.push(`${fault}.`);
    else if ((await snapshots.restore(record.seq)).exchange.hash() !== exchange.hash()) {
      damage.push(`${snapshotPath(snapshots.dir, record.seq)} differs from the state that the log produces.`);
    }
  }
  for (const { currency, sum, isZero } of reportOf(exchange).currencies) {
    if (!isZero) damage.push(`The money does not add up: ${sum} ${currency} too much.`);
  }
  return damage;
}

/** Creates a data directory from a backup. The log comes last: until then it is not a data directory. */
export function restoreBackup(dir: string, to: string, point?: RestorePoint): Promise<RestoredBackup> {
  return whileReading(dir, () => restore(dir, to, point));
}

async function restore(dir: string, to: string, point?: RestorePoint): Promise<RestoredBackup> {
  const reach = await requireManifest(dir);
  if ((await nodeDisk.list(to)).length > 0) {
    throw new BackupUnfit(`${to} is not empty. Name a directory that does not exist yet.`);
  }
  if (await isInside(to, dir)) {
    throw new BackupUnfit(`${to} is inside the backup ${dir}: name another directory.`);
  }
  const seq = await seqOf(dir, reach, point);
  // An equal hash of a record proves that everything before it is equal.
  if ((await hashOf(dir, reach.seq)) !== reach.hash) {
    throw new LogDamaged(
      `${dir} does not have record ${reach.seq} as it was backed up. Check it with \`bourse backup verify\`.`,
    );
  }
  const made = `${to}/restoring`;
  try {
    const cut = await findCut(nodeDisk, logDirectory(dir), seq);
    const last = cut.segments.at(-1)!;
    for (const first of cut.segments) {
      const name = segmentName(first);
      const end = first === last ? cut.position : undefined;
      await copyFile(`${logDirectory(dir)}/${name}`, `${logDirectory(made)}/${name}`, end);
    }
    const { damage, firstSeq } = await verifyLog(made);
    if (damage.length > 0) throw new LogDamaged(`${dir}: ${damage.join(' ')}`);
    if (firstSeq !== 1)
      throw new LogDamaged(`${dir}: the log begins with record ${firstSeq}, not with the first.`);
    const snapshot = await newestSnapshot(dir, seq);
    if (snapshot > 0) {
      const [from, own] = [snapshotsIn(nodeDisk, dir).dir, snapshotsIn(nodeDisk, to).dir];
      await copyFile(snapshotPath(from, snapshot), snapshotPath(own, snapshot));
    }
    if (await isFile(`${dir}/${KEYRING}`)) await copyFile(`${dir}/${KEYRING}`, `${to}/${KEYRING}`);
    if (await isFile(`${dir}/${SECRET_KEYS_FILE}`)) {
      await copyFile(`${dir}/${SECRET_KEYS_FILE}`, `${to}/${SECRET_KEYS_FILE}`);
    }
    await beginAgain(to, dir, seq);
    makeLockFile(to);
    await moveDurably(logDirectory(made), logDirectory(to));
    await removeDirectory(made);
    return { dir: to, seq, time: new Date(cut.time).toISOString(), hash: await hashOf(to, seq) };
  } catch (error) {
    for (const name of await nodeDisk.list(to)) await removeDirectory(`${to}/${name}`).catch(() => undefined);
    throw error;
  }
}

async function refuseItself(data: string, dir: string): Promise<void> {
  if ((await isInside(dir, data)) || (await isInside(data, dir))) {
    throw new BackupUnfit(`${dir} overlaps the data directory ${data}. Name a directory on another disk.`);
  }
}

/** An existing directory must be a backup, or a copy of the log alone, which a backup may complete. */
async function refuseForeign(dir: string): Promise<void> {
  const names = (await nodeDisk.list(dir)).filter((name) => name !== LOCK);
  if (names.includes(MANIFEST) || names.every((name) => name === 'log')) return;
  throw new BackupUnfit(`${dir} is not empty and not a backup. Name a directory that does not exist yet.`);
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
    throw new BackupUnfit(`The backup in ${dir} is incomplete. Run \`bourse backup\` again.`);
  }
  if (found) return found;
  throw new NoDirectory(`${dir} is not a backup: it has no ${MANIFEST}. Make one with \`bourse backup\`.`);
}

/** Nothing is overwritten before this is verified: the exchange continues where the backup ends. */
async function requireSameLog(data: string, dir: string, { seq, hash }: Reach): Promise<void> {
  const found = await hashIfThere(data, seq);
  if (found === null) {
    const [first] = await requireDirectory(data);
    // The records in between may be in the backup: an interrupted run copied them, and the exchange has
    // removed them since.
    if (first > seq && (await hashIfThere(dir, first - 1)) !== null) return;
    throw new BackupUnfit(
      first > seq
        ? `The backup ends with record ${seq}, but the log of ${data} begins with ${first}: the records in between are gone. ${ELSEWHERE}`
        : `${dir} reaches record ${seq}, but the log of ${data} does not: it is older, or a different log. ${ELSEWHERE}`,
    );
  }
  if (found === hash) return;
  throw new BackupUnfit(
    `${dir} is a backup of a different log than that of ${data}: record ${seq} differs. ${ELSEWHERE}`,
  );
}

/**
 * Removes what an interrupted run left after the last record of the backup. Segments stay if the exchange
 * has the same records, because it may have removed them since.
 */
async function dropUnfinished(data: string, dir: string, { seq }: Reach): Promise<void> {
  const log = logDirectory(dir);
  await removeDirectory(log + UNFINISHED);
  const snapshots = snapshotsIn(nodeDisk, dir);
  for (const each of await snapshots.list()) {
    if (each > seq) await removeFile(snapshotPath(snapshots.dir, each));
  }
  const segments = segmentsAmong(await nodeDisk.list(log));
  const last = segments.at(-1);
  if (last === undefined) return;
  const { lastSeq, hash } = await findEnd(nodeDisk, log, last);
  const own = await hashIfThere(data, lastSeq);
  if (own === Buffer.from(hash).toString('hex')) return;
  for (const first of segments.filter((each) => each > seq)) await removeFile(`${log}/${segmentName(first)}`);
}

async function hashIfThere(data: string, seq: number): Promise<string | null> {
  try {
    return await hashOf(data, seq);
  } catch (error) {
    if (error instanceof LogGone) return null;
    throw error;
  }
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
    if (segment.nextSeq <= seq) throw new LogGone(`Record ${seq} is not in the log, which ends before it.`);
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
 * A segment that another one follows is complete: a copy with the same size and the same header is whole.
 * The last one is copied as far as its records go.
 */
async function copySegments(data: string, dir: string): Promise<CopiedLog> {
  const [from, to] = [logDirectory(data), logDirectory(dir)];
  await nodeDisk.makeDirectory(to);
  const segments = await requireDirectory(data);
  await requireBeginning(to, segments[0]);
  let [copied, kept, bytes] = [0, 0, 0];
  for (const first of segments.slice(0, -1)) {
    const name = segmentName(first);
    const size = await sizeOf(`${from}/${name}`);
    if (size === null) {
      throw new BackupUnfit(
        `The exchange removed ${name} during the backup. Run the backup again; if this recurs, run it more often.`,
      );
    }
    if ((await sizeOf(`${to}/${name}`)) === size && (await isSameBeginning(from, to, first))) kept++;
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
  // Segments of a longer log.
  for (const first of segmentsAmong(await nodeDisk.list(to))) {
    if (first > last) await removeFile(`${to}/${segmentName(first)}`);
  }
  const reach = {
    seq: lastSeq,
    time: new Date(lastTime).toISOString(),
    hash: Buffer.from(hash).toString('hex'),
  };
  return { reach, copied: copied + 1, kept, bytes: bytes + position };
}

/**
 * Throws unless the log of the exchange, or its copy in the backup, begins with the first record and has no
 * gap.
 */
async function requireBeginning(to: string, first: number): Promise<void> {
  if (first === 1) return;
  const there = segmentsAmong(await nodeDisk.list(to)).filter((each) => each < first);
  if (there[0] === 1 && (await findEnd(nodeDisk, to, there.at(-1)!)).lastSeq === first - 1) return;
  throw new BackupUnfit(
    `The log begins with record ${first}, but a backup needs it from the first record on. ` +
      'Make the backup in the directory of logCopy, which has the others.',
  );
}

/** The header has the hash of all previous records. */
async function isSameBeginning(from: string, to: string, first: number): Promise<boolean> {
  const own = await SegmentReader.open(nodeDisk, from, first);
  await own.close();
  const copied = await SegmentReader.open(nodeDisk, to, first);
  await copied.close();
  return Buffer.from(own.header.hashBefore).equals(copied.header.hashBefore);
}

/** Under a temporary name until every record of the copy was read back. */
async function copyChecked(from: string, to: string, first: number, end?: number): Promise<void> {
  const [source, path] = [`${from}/${segmentName(first)}`, `${to}/${segmentName(first)}`];
  const aside = `${to}${UNFINISHED}`;
  await removeDirectory(aside);
  try {
    await copyFile(source, `${aside}/${segmentName(first)}`, end);
    const { position, tornBytes } = await findEnd(nodeDisk, aside, first);
    const size = (await sizeOf(`${aside}/${segmentName(first)}`))!;
    if (tornBytes > 0 || position !== size) {
      throw new LogDamaged(`${source}, byte ${position}: the copy has no complete record there.`);
    }
    await nodeDisk.rename(`${aside}/${segmentName(first)}`, path);
    await nodeDisk.syncDirectory(to);
  } finally {
    await removeDirectory(aside);
  }
}

/**
 * The records in the file become durable first: a backup must not have records that a power failure could
 * remove from the log.
 */
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

/** Copies a file that its writer replaces atomically. */
async function copyWhole(data: string, dir: string, name: string): Promise<void> {
  if (!(await isFile(`${data}/${name}`))) return;
  const path = `${dir}/${name}`;
  await removeFile(path + UNFINISHED);
  await copyFile(`${data}/${name}`, path + UNFINISHED);
  await moveDurably(path + UNFINISHED, path);
}

function writeKeyring(dir: string, rows: readonly string[]): Promise<void> {
  return writeDurableText(`${dir}/${KEYRING}`, rows.join(''));
}

/** Rows end with a line break; an incomplete row is being written. */
async function keyringRows(data: string): Promise<Set<string>> {
  const rows = new Set<string>();
  if (!(await isFile(`${data}/${KEYRING}`))) return rows;
  for await (const lines of readLines(`${data}/${KEYRING}`)) {
    for (const line of lines) if (line.endsWith('\n')) rows.add(line);
  }
  return rows;
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
  if (fault !== null) throw new BackupUnfit(`${fault} after it was copied. Check the disk of ${dir}.`);
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
