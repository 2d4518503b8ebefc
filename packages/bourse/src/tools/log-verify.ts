/** Verifies every record of a log. Reads only. */

import {
  type Disk,
  goToEnd,
  isMissing,
  LogDamaged,
  logDirectory,
  lost,
  NO_HASH,
  nodeDisk,
  segmentName,
  SegmentReader,
  segmentsAmong,
  type Tail,
} from '@bourse/engine';
import { knownSeqOf } from './stopped-directory.ts';

export interface LogReport {
  readonly segments: number;
  readonly records: number;
  readonly commands: number;
  /** The size of all segments, with headers and preallocated space. */
  readonly bytes: number;
  /** 0 if the log is empty. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Chain hash of the last record, in hex: two logs that agree on it agree on everything before. */
  readonly lastHash: string;
  /** One message for each damage. */
  readonly damage: readonly string[];
  /** One message for each finding that is not damage. */
  readonly notes: readonly string[];
}

/** The directory has no log. */
export class NoLog extends Error {
  override readonly name = 'NoLog';
}

/** The log has no such user, symbol or record. */
export class NotInLog extends Error {
  override readonly name = 'NotInLog';
}

/** The end of a segment, where the next one must continue. */
interface Joint {
  readonly seq: number;
  readonly hash: Uint8Array;
}

/** `dir` is the data directory. Throws NoLog, and LogTooNew for what a newer version wrote. */
export async function verifyLog(dir: string, disk: Disk = nodeDisk): Promise<LogReport> {
  const log = logDirectory(dir);
  const notes: string[] = [];
  // Read before the log: a running service keeps writing, and a history newer than the log would look like
  // damage.
  const knownSeq = await knownSeqOf(dir, (sentence) => notes.push(sentence));
  const segments = segmentsAmong(await disk.list(log));
  if (segments.length === 0)
    throw new NoLog(`No log in ${dir}: ${log} has no file such as ${segmentName(1)}.`);
  const check = new Check(disk, log, knownSeq, notes);
  for (const first of segments) await check.segment(first, first === segments.at(-1));
  return check.report();
}

class Check {
  readonly #disk: Disk;
  readonly #log: string;
  readonly #knownSeq: number;
  /** Of the first segment. */
  #firstSeq = 0;
  #segments = 0;
  #records = 0;
  #commands = 0;
  #bytes = 0;
  readonly #damage: string[] = [];
  readonly #notes: string[];
  /** Null after damage, where nothing is known. */
  #joint: Joint | null = null;
  #lastSeq = 0;
  #lastHash: Uint8Array = NO_HASH;

  constructor(disk: Disk, log: string, knownSeq: number, notes: string[]) {
    this.#disk = disk;
    this.#log = log;
    this.#knownSeq = knownSeq;
    this.#notes = notes;
  }

  async segment(first: number, isLast: boolean): Promise<void> {
    const joint = this.#joint;
    this.#joint = null;
    const segment = await this.#open(first);
    if (segment === 'given up') return this.#forget();
    if (this.#segments === 0) this.#firstSeq = first;
    this.#segments += 1;
    if (joint !== null && joint.seq !== first) {
      this.#damage.push(
        `Records ${joint.seq} to ${first - 1} are missing: there is no segment ${segmentName(joint.seq)}.`,
      );
    }
    if (segment === 'damaged') return;
    try {
      if (joint !== null && joint.seq === first && !Buffer.from(joint.hash).equals(segment.hash)) {
        this.#damage.push(
          `${segment.name}, byte 0, record ${first}: it does not continue the previous segment.`,
        );
      }
      const tail = await goToEnd(segment, () => this.#record(segment));
      await this.#end(segment, tail, isLast);
      this.#bytes += await segment.size();
    } finally {
      await segment.close();
    }
  }

  async #open(first: number): Promise<SegmentReader | 'damaged' | 'given up'> {
    try {
      return await SegmentReader.open(this.#disk, this.#log, first);
    } catch (error) {
      if (isMissing(error) && (await this.#isGivenUp(first))) return 'given up';
      if (!(error instanceof LogDamaged)) throw error;
      this.#damage.push(error.message);
      return 'damaged';
    }
  }

  /** A running service removes segments, the oldest first. */
  async #isGivenUp(first: number): Promise<boolean> {
    const [oldest = 0] = segmentsAmong(await this.#disk.list(this.#log));
    return oldest > first;
  }

  /** The running service has removed the segments that were read so far. */
  #forget(): void {
    this.#segments = 0;
    this.#records = 0;
    this.#commands = 0;
    this.#bytes = 0;
  }

  #record(segment: SegmentReader): void {
    this.#records += 1;
    try {
      this.#commands += segment.record().commands.length;
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      this.#damage.push(error.message);
    }
  }

  async #end(segment: SegmentReader, tail: Tail, isLast: boolean): Promise<void> {
    const { name, position, nextSeq } = segment;
    const where = `${name}, byte ${position}, record ${nextSeq}`;
    this.#lastSeq = nextSeq - 1;
    this.#lastHash = segment.hash;
    this.#joint = { seq: nextSeq, hash: segment.hash };
    if (tail.kind === 'damaged') this.#damage.push(`${where}: ${tail.what}.`);
    else if (isLast && nextSeq <= this.#knownSeq)
      this.#damage.push(`${where}: ${lost(tail, this.#knownSeq)}.`);
    else if (tail.kind === 'torn' && isLast) {
      this.#notes.push(
        `${where}: a torn tail of ${tail.bytes} bytes, never acknowledged; the next start cuts it off, unless a running service is writing it now.`,
      );
    } else if (!isLast && position !== (await segment.size()))
      this.#damage.push(`${where}: it is incomplete.`);
    else return;
    if (!isLast || tail.kind === 'damaged') this.#joint = null;
  }

  report(): LogReport {
    const firstSeq = this.#firstSeq;
    const segments = this.#segments;
    const records = this.#records;
    const commands = this.#commands;
    const bytes = this.#bytes;
    const lastSeq = this.#lastSeq;
    const damage = this.#damage;
    const notes = this.#notes;
    if (firstSeq > 1) notes.push(`Records before ${firstSeq} were removed.`);
    const lastHash = Buffer.from(this.#lastHash).toString('hex');
    return {
      segments,
      records,
      commands,
      bytes,
      firstSeq: records === 0 ? 0 : firstSeq,
      lastSeq,
      lastHash,
      damage,
      notes,
    };
  }
}
