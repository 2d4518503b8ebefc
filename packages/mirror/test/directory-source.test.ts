/** A mirror that follows a directory checks its log five times a second, and each check reads only new bytes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOf } from '@bourse/test-kit/contracts.ts';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import type { Disk, DiskFile } from '../../engine/src/io/disk.ts';
import { logDirectory } from '../../engine/src/file-storage.ts';
import { FileLog } from '../../engine/src/log/file-log.ts';
import { DirectorySource } from '../src/mirror.ts';

const DIR = 'data';
const RECORDS = 300;
const LOOKS = 10;
/** A window of the reader at each of three reads, and preallocated space. */
const LOOK_BYTES_MAX = 300_000;

/** Counts the bytes that are read. */
class CountingDisk extends LossyDisk {
  bytesRead = 0;

  override async open(path: string, mode: Parameters<Disk['open']>[1]): Promise<DiskFile> {
    const file = await super.open(path, mode);
    const read = file.read.bind(file);
    file.read = async (position, length) => {
      const bytes = await read(position, length);
      this.bytesRead += bytes.length;
      return bytes;
    };
    return file;
  }
}

const large = (seq: number) => recordOf(seq, { commands: [{ kind: 'add-user', name: 'x'.repeat(20_000) }] });

test('a look at a log reads neither the whole segment nor history', async (context) => {
  const disk = new CountingDisk(new Random(1));
  const log = await FileLog.open({ disk, dir: logDirectory(DIR), roomBytes: 10_000 });
  context.after(() => log.close());
  for (let seq = 1; seq <= RECORDS; seq++) await log.append(large(seq)).durable;
  let asked = 0;
  const knownSeq = async (): Promise<number> => {
    asked++;
    return RECORDS;
  };
  const source = new DirectorySource({ disk, dir: DIR, knownSeq });
  context.after(() => source.close());
  assert.equal(await source.lastSeq(0), RECORDS);
  assert.equal(asked, 1);
  disk.bytesRead = 0;
  for (let look = 0; look < LOOKS; look++) assert.equal(await source.lastSeq(RECORDS), RECORDS);
  assert.ok(disk.bytesRead < LOOKS * LOOK_BYTES_MAX, `${disk.bytesRead} bytes`);
  assert.equal(asked, 1);
  await log.append(large(RECORDS + 1)).durable;
  await log.append(large(RECORDS + 2)).durable;
  assert.equal(await source.lastSeq(RECORDS), RECORDS + 1);
});
