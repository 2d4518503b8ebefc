/**
 * npm run sim -- log-damage [--one-of N] [--seed N]: damages logs at one in N positions (default 8); 1 is every byte
 * and bit.
 *
 * Damages a real log in every possible way and opens it: truncated at every byte, every bit flipped, segments
 * missing, repeated, swapped. The records read afterwards must be a prefix of those written, and anything missing
 * must have been reported, except a last record that looks torn.
 */

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Exchange } from '@bourse/core';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { smallRecords } from '@bourse/test-kit/small-records.ts';
import { LogDamaged, LogTooNew } from '../../packages/engine/src/log/command-log.ts';
import { FileLog } from '../../packages/engine/src/log/file-log.ts';
import { segmentName } from '../../packages/engine/src/log/segment.ts';

const DIR = 'data/log';

/** Segment contents by name. */
type Files = ReadonlyMap<string, Buffer>;

export interface Written {
  readonly files: Files;
  readonly records: number;
  /** State hash after each record, starting at 0. */
  readonly hashes: readonly string[];
  /** The end of each record, by segment name and offset. */
  readonly ends: ReadonlyMap<string, readonly number[]>;
}

export interface DamageReport {
  tried: number;
  /** Rejected with an error message. */
  reported: number;
  /** Opened with the last record cut off. */
  cut: number;
  /** Opened with nothing missing: the damage was in preallocated space, or exactly between two records. */
  whole: number;
}

/** A log of small records. With `isOpen` it is left as after a crash, with preallocated space at its end. */
export async function writeLog(
  seed: number,
  records: number,
  segmentBytes: number,
  isOpen: boolean,
): Promise<Written> {
  const disk = new LossyDisk(new Random(seed));
  const log = await FileLog.open({ disk, dir: DIR, segmentBytes, roomBytes: 4000 });
  const exchange = new Exchange();
  const hashes = [exchange.hash()];
  const ends = new Map<string, number[]>();
  for (const record of smallRecords(seed, records)) {
    exchange.apply(record);
    hashes.push(exchange.hash());
    const name = (await disk.list(DIR)).at(-1) as string;
    const before = log.bytesAppended;
    await log.append(record).durable;
    const positions = ends.get(name) ?? [64];
    ends.set(name, [...positions, (positions.at(-1) as number) + log.bytesAppended - before]);
  }
  if (!isOpen) await log.close();
  const files = new Map<string, Buffer>();
  for (const name of await disk.list(DIR)) {
    const file = await disk.open(`${DIR}/${name}`, 'read');
    files.set(name, Buffer.from(await file.read(0, await file.size())));
  }
  return { files, records, hashes, ends };
}

/** How often the records are also applied and the state is compared. */
const APPLY_EVERY = 16;
let recoveries = 0;

/** Sequence of the last record read back, or null if the log was rejected with an error message. */
async function recover(written: Written, files: Files, where: string): Promise<number | null> {
  const disk = new LossyDisk(new Random(1));
  await disk.makeDirectory(DIR);
  for (const [name, bytes] of files) (await disk.open(`${DIR}/${name}`, 'create')).write(0, bytes);
  recoveries += 1;
  const exchange = recoveries % APPLY_EVERY === 0 ? new Exchange() : null;
  let lastSeq = 0;
  try {
    const log = await FileLog.open({ disk, dir: DIR, roomBytes: 0 });
    for await (const record of log.read(1, log.lastSeq)) {
      assert.equal(record.seq, lastSeq + 1, where);
      lastSeq = record.seq;
      exchange?.apply(record);
    }
    assert.equal(lastSeq, log.lastSeq, where);
  } catch (error) {
    if (!(error instanceof LogDamaged || error instanceof LogTooNew))
      throw new Error(where, { cause: error });
    assert.match(error.message, /\d{20}\.log/, where);
    return null;
  }
  if (exchange) assert.equal(exchange.hash(), written.hashes[lastSeq], where);
  await compareFiles(written, disk, where);
  return lastSeq;
}

/** The files of an opened log must be, byte for byte, a prefix of those written. */
async function compareFiles(written: Written, disk: LossyDisk, where: string): Promise<void> {
  for (const name of await disk.list(DIR)) {
    const file = await disk.open(`${DIR}/${name}`, 'read');
    const kept = await file.read(0, await file.size());
    const original = written.files.get(name);
    assert.ok(
      original && original.subarray(0, kept.length).equals(kept),
      `${where}: ${name} is something else`,
    );
  }
}

/** Truncates the last segment at every `step`-th byte. */
async function cutEverywhere(written: Written, step: number): Promise<DamageReport> {
  const report: DamageReport = { tried: 0, reported: 0, cut: 0, whole: 0 };
  const [name, bytes] = [...written.files].at(-1) as [string, Buffer];
  const ends = written.ends.get(name) as readonly number[];
  const recordsBefore = written.records - (ends.length - 1);
  for (let size = step - 1; size < bytes.length; size += step) {
    const where = `${name} cut at byte ${size}`;
    const seq = await recover(written, new Map(written.files).set(name, bytes.subarray(0, size)), where);
    const expected = size < 64 ? null : recordsBefore + ends.filter((end) => end <= size).length - 1;
    assert.equal(seq, expected, where);
    report.tried += 1;
    if (seq === null) report.reported += 1;
    else if (ends.includes(size) || size >= (ends.at(-1) as number)) report.whole += 1;
    else report.cut += 1;
  }
  return report;
}

/** Flips every `step`-th bit; a step coprime to 8 covers every bit position in a byte. */
async function flipEverywhere(written: Written, step: number): Promise<DamageReport> {
  const report: DamageReport = { tried: 0, reported: 0, cut: 0, whole: 0 };
  const last = [...written.files.keys()].at(-1) as string;
  for (const [name, bytes] of written.files) {
    const ends = written.ends.get(name) ?? [64];
    for (let bit = step - 1; bit < bytes.length * 8; bit += step) {
      const where = `${name} with bit ${bit % 8} of byte ${bit >> 3} flipped`;
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] ^= 1 << (bit % 8);
      const seq = await recover(written, new Map(written.files).set(name, damaged), where);
      report.tried += 1;
      if (seq === null) report.reported += 1;
      else if (seq === written.records) report.whole += 1;
      else report.cut += 1;
      if (seq === null) continue;
      const isInLast = name === last && bit >> 3 >= (ends.at(-2) ?? 0);
      const isInRoom = name === last && bit >> 3 >= (ends.at(-1) as number);
      assert.ok(seq === written.records ? isInRoom : isInLast && seq === written.records - 1, where);
    }
  }
  return report;
}

/** Removes, repeats and swaps complete segments. */
async function shuffleSegments(written: Written): Promise<DamageReport> {
  const report: DamageReport = { tried: 0, reported: 0, cut: 0, whole: 0 };
  const names = [...written.files.keys()];
  const get = (name: string) => written.files.get(name) as Buffer;
  const tryOne = async (files: Files, where: string, expected: number | null): Promise<void> => {
    const seq = await recover(written, files, where);
    assert.equal(seq, expected, where);
    report.tried += 1;
    if (seq === null) report.reported += 1;
    else report.whole += 1;
  };
  for (const [at, name] of names.entries()) {
    const without = new Map(written.files);
    without.delete(name);
    // Without its newest segments the log is shorter but intact: only a snapshot can reveal it. Without its oldest it
    // is rejected when they are read.
    const isLast = at === names.length - 1;
    if (at > 0) await tryOne(without, `without ${name}`, isLast ? Number.parseInt(name, 10) - 1 : null);
    for (const other of names.slice(at + 1)) {
      const swapped = new Map(written.files).set(name, get(other)).set(other, get(name));
      await tryOne(swapped, `${name} and ${other} swapped`, null);
      await tryOne(new Map(written.files).set(other, get(name)), `${name} again as ${other}`, null);
    }
  }
  const beyond = segmentName(written.records + 1);
  await tryOne(new Map(written.files).set(beyond, get(names[0])), `${names[0]} again at the end`, null);
  return report;
}

if (import.meta.main) {
  const RECORDS = 200;
  /** Larger than the log. */
  const ONE_SEGMENT_BYTES = 1 << 26;

  const { values } = parseArgs({
    options: { 'one-of': { type: 'string', default: '8' }, seed: { type: 'string', default: '1' } },
  });
  const [seed, byteStep] = [Number(values.seed), Number(values['one-of'])];
  /** Odd, so that it covers every bit position in a byte. */
  const bitStep = byteStep | 1;

  const printReport = (what: string, report: object) => console.log(`${what} ${JSON.stringify(report)}`);

  const left = await writeLog(seed, RECORDS, ONE_SEGMENT_BYTES, true);
  printReport('cut', await cutEverywhere(left, byteStep));
  if (byteStep === 1) printReport('flipped-one-segment', await flipEverywhere(left, bitStep));
  const short = await writeLog(seed, 10, ONE_SEGMENT_BYTES, true);
  printReport('flipped-with-room', await flipEverywhere(short, bitStep));
  const many = await writeLog(seed, RECORDS, 3000, false);
  printReport('flipped', await flipEverywhere(many, bitStep));
  printReport('segments', await shuffleSegments(many));
}
