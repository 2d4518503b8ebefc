/** Opening a log after a crash or damage: the effects and the messages. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { LogDamaged, LogTooNew } from '../../src/log/command-log.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { findEnd } from '../../src/log/log-end.ts';
import { LogReader } from '../../src/log/log-reader.ts';
import { segmentName } from '../../src/log/segment.ts';
import { readAll, recordOf } from '@bourse/test-kit/contracts.ts';

const DIR = 'data/log';
const FIRST = `${DIR}/${segmentName(1)}`;

/** Ten records in one segment, closed. */
async function makeLog(): Promise<LossyDisk> {
  const disk = new LossyDisk(new Random(1));
  const log = await FileLog.open({ disk, dir: DIR });
  for (let seq = 1; seq <= 10; seq++) await log.append(recordOf(seq)).durable;
  await log.close();
  return disk;
}

async function sizeOf(disk: LossyDisk, path = FIRST): Promise<number> {
  return (await disk.open(path, 'read')).size();
}

async function change(disk: LossyDisk, at: number, ...bytes: number[]): Promise<void> {
  (await disk.open(FIRST, 'write')).write(at, Uint8Array.from(bytes));
}

const open = (disk: LossyDisk) => FileLog.open({ disk, dir: DIR });

describe('opening a log', () => {
  test('a torn tail is cut off durably, and only by the writer', async () => {
    const disk = await makeLog();
    const size = await sizeOf(disk);
    (await disk.open(FIRST, 'write')).truncate(size - 10);
    const end = await findEnd(disk, DIR, 1);
    assert.equal(end.lastSeq, 9);
    assert.ok(end.tornBytes > 0);
    assert.equal((await readAll(new LogReader(disk, DIR), 1, 9)).length, 9);
    assert.equal(await sizeOf(disk), size - 10);
    const log = await open(disk);
    assert.deepEqual([log.lastSeq, log.cutBytes], [9, end.tornBytes]);
    disk.crash();
    assert.equal(await sizeOf(disk), end.position);
    assert.equal((await open(disk)).lastSeq, 9);
  });

  test('a sector that was never written makes the last record torn', async () => {
    const disk = await makeLog();
    const log = await open(disk);
    const name = 'x'.repeat(2000);
    await log.append(recordOf(11, { commands: [{ kind: 'add-user', name }] })).durable;
    await log.close();
    await change(disk, 1024, ...Array.from({ length: 512 }, () => 0));
    assert.equal((await findEnd(disk, DIR, 1)).lastSeq, 10);
    assert.equal((await open(disk)).lastSeq, 10);
  });

  test('damage is reported with file, byte, record and remedy, and nothing is changed', async () => {
    const disk = await makeLog();
    const size = await sizeOf(disk);
    await change(disk, 200, 0xee);
    const says = (error: unknown) =>
      error instanceof LogDamaged &&
      /^data\/log\/0{19}1\.log, byte \d+, record \d+: .*record \d+ after it does\. Nothing was changed\./.test(
        error.message,
      ) &&
      /bourse log verify/.test(error.message);
    await assert.rejects(open(disk), says);
    assert.equal(await sizeOf(disk), size);
  });

  test('a damaged last record is not mistaken for a torn one', async () => {
    const disk = await makeLog();
    await change(disk, (await sizeOf(disk)) - 40, 0xee);
    await assert.rejects(open(disk), /record 10: it is complete but does not match its hash/);
  });

  test('a damaged last record whose hash ends in zeros is not mistaken for a torn one', async () => {
    const disk = new LossyDisk(new Random(1));
    const log = await FileLog.open({ disk, dir: DIR, roomBytes: 0 });
    const file = await disk.open(FIRST, 'read');
    let begin = 0;
    let end = await sizeOf(disk);
    for (let seq = 1; seq === 1 || (await file.read(end - 1, 1))[0] !== 0; seq++) {
      await log.append(recordOf(seq)).durable;
      begin = end;
      end = await sizeOf(disk);
    }
    const { lastSeq } = log;
    await log.close();
    for (let bit = begin * 8; bit < end * 8; bit++) {
      const at = bit >> 3;
      const [byte] = await file.read(at, 1);
      await change(disk, at, byte ^ (1 << (bit & 7)));
      await assert.rejects(open(disk), LogDamaged, `bit ${bit & 7} of byte ${at - begin}`);
      await change(disk, at, byte);
    }
    // A prefix of it is still torn, wherever it ends.
    for (let size = end - 1; size > begin; size--) {
      (await disk.open(FIRST, 'write')).truncate(size);
      const found = await findEnd(disk, DIR, 1);
      const isWhole = size === end - 1 && found.lastSeq === lastSeq;
      assert.ok(isWhole || (found.lastSeq === lastSeq - 1 && found.tornBytes > 0), `cut to ${size}`);
    }
  });

  test('a log that ends before history or a snapshot is damaged, and is not cut', async () => {
    const disk = await makeLog();
    const size = await sizeOf(disk);
    const openKnowing = (knownSeq: number) => FileLog.open({ disk, dir: DIR, knownSeq });
    await (await openKnowing(10)).close();
    await assert.rejects(openKnowing(12), (error: Error) => {
      assert.ok(error instanceof LogDamaged);
      assert.match(
        error.message,
        /record 11: it is missing, but .* has everything up to record 12\. Nothing/,
      );
      return true;
    });
    (await disk.open(FIRST, 'write')).truncate(size - 10);
    await assert.rejects(
      openKnowing(10),
      /record 10: it is incomplete, but .* has everything up to record 10\./,
    );
    assert.equal(await sizeOf(disk), size - 10);
    assert.equal((await openKnowing(9)).lastSeq, 9);
    await disk.remove(FIRST);
    await assert.rejects(openKnowing(9), /0{19}1\.log: it is missing/);
    assert.deepEqual(await disk.list(DIR), []);
  });

  test('a damaged header and a renamed file are reported', async () => {
    const disk = await makeLog();
    await change(disk, 25, 0xee);
    await assert.rejects(
      open(disk),
      /^LogDamaged: data\/log\/0{19}1\.log, byte 0: .*checksum.*Nothing was changed/,
    );
    const renamed = await makeLog();
    await renamed.rename(FIRST, `${DIR}/${segmentName(5)}`);
    await assert.rejects(
      open(renamed),
      /0{19}5\.log, byte 12: this file is segment 0{19}1\.log under another name/,
    );
  });

  test('a newer format and newer rules are reported', async () => {
    const disk = await makeLog();
    const file = await disk.open(FIRST, 'write');
    const header = Buffer.from(await file.read(0, 64));
    header.writeUInt16LE(2, 10);
    header.fill(0, 28, 32);
    header.writeUInt32LE(createHash('sha256').update(header).digest().readUInt32LE(0), 28);
    file.write(0, header);
    await assert.rejects(
      open(disk),
      (error: unknown) => error instanceof LogTooNew && /newer version/.test(error.message),
    );

    const ruled = await makeLog();
    const log = await open(ruled);
    await log.append(recordOf(11, { rules: 1000 })).durable;
    await assert.rejects(readAll(log, 1, 11), LogTooNew);
  });

  test('an unfinished segment is removed', async () => {
    const disk = await makeLog();
    await (await disk.open(`${DIR}/${segmentName(11)}.tmp`, 'create')).close();
    const log = await open(disk);
    assert.deepEqual(await disk.list(DIR), [segmentName(1)]);
    await log.append(recordOf(11)).durable;
    assert.equal(log.lastSeq, 11);
  });
});
