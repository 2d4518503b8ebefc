/**
 * Reading a log while another process writes to it: unfinished writes are not damage, and real damage is still found.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { LogRecord } from '@bourse/core';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { LogDamaged, LogGone } from '../../../engine/src/log/command-log.ts';
import { FileLog } from '../../../engine/src/log/file-log.ts';
import { findEnd } from '../../../engine/src/log/log-end.ts';
import { segmentName } from '../../../engine/src/log/segment.ts';
import { type Disk, nodeDisk } from '../../../engine/src/io/disk.ts';
import { dumpLog } from '../../src/tools/log-dump.ts';
import { verifyLog } from '../../src/tools/log-verify.ts';
import { recordOf } from '@bourse/test-kit/contracts.ts';
import { HookedDisk } from '@bourse/test-kit/hooked-disk.ts';

const DIR = 'data/log';
const FIRST = `${DIR}/${segmentName(1)}`;

/** Of several sectors, none of which is all zeros. */
const large = (seq: number): LogRecord =>
  recordOf(seq, { commands: [{ kind: 'add-user', name: `${seq}`.repeat(2000) }] });

async function append(log: FileLog, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const seq = log.lastSeq + 1;
    await log.append(seq % 2 === 0 ? large(seq) : recordOf(seq)).durable;
  }
}

/** Ten records, and a writer that continues. */
async function makeLog(): Promise<{ lossy: LossyDisk; log: FileLog }> {
  const lossy = new LossyDisk(new Random(1));
  const log = await FileLog.open({ disk: lossy, dir: DIR });
  await append(log, 10);
  return { lossy, log };
}

type Read = (position: number, length: number) => Promise<Uint8Array>;

/** The disk as a reader sees it: `see` gets every reading and the true one. */
function seenBy(
  disk: LossyDisk,
  see: (read: Read, position: number, length: number) => Promise<Uint8Array>,
): Disk {
  return {
    makeDirectory: (path) => disk.makeDirectory(path),
    list: (path) => disk.list(path),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    syncDirectory: (path) => disk.syncDirectory(path),
    open: async (path, mode) => {
      const file = await disk.open(path, mode);
      const read: Read = (position, length) => file.read(position, length);
      return { ...file, read: (position, length) => see(read, position, length) };
    },
  };
}

describe('finding the end of a log that is being written', () => {
  test('records that arrive during the search are found', async () => {
    const { lossy, log } = await makeLog();
    const disk = new HookedDisk(lossy);
    let rounds = 6;
    disk.hook = async (call) => {
      if (call === 'size' && rounds-- > 0) await append(log, 3);
    };
    const { lastSeq, tornBytes } = await findEnd(disk, DIR, 1);
    assert.deepEqual([lastSeq, tornBytes], [log.lastSeq, 0]);
    assert.ok(lastSeq > 20);
  });

  test('a read that mixes old and new bytes is not taken for damage', async () => {
    const places = [1, 40, 100, 700, 3000, 9000];
    // Reads of the window, and of everything after the end.
    for (const [seenBefore, reading] of places.flatMap((place) =>
      [1, 2, 3].map((nth) => [place, nth] as const),
    )) {
      const { lossy, log } = await makeLog();
      const { position: end } = await findEnd(lossy, DIR, 1);
      let readings = 0;
      const disk = seenBy(lossy, async (read, position, length) => {
        const split = end + seenBefore - position;
        if (split < 0 || split > length || ++readings !== reading) return read(position, length);
        const before = await read(position, split);
        await append(log, 6);
        return Buffer.concat([before, await read(position + split, length - split)]);
      });
      const { lastSeq, tornBytes } = await findEnd(disk, DIR, 1);
      const where = `${seenBefore} bytes from before, reading ${reading}`;
      assert.ok(lastSeq === 16 || (lastSeq === 10 && readings < reading), where);
      assert.equal(tornBytes, 0, where);
    }
  });

  test('a record whose bytes become visible in any order is not taken for damage', async () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = new Random(seed);
      const { lossy, log } = await makeLog();
      const { position: begin } = await findEnd(lossy, DIR, 1);
      await log.append(large(11)).durable;
      const { position: end } = await findEnd(lossy, DIR, 1);
      // Cache lines, in the order in which they become visible.
      const hidden = new Set(Array.from({ length: Math.ceil((end - begin) / 64) }, (_, line) => line));
      const disk = seenBy(lossy, async (read, position, length) => {
        const bytes = Buffer.from(await read(position, length));
        for (const line of hidden) {
          const at = Math.max(0, begin + line * 64 - position);
          bytes.fill(0, at, Math.min(begin + (line + 1) * 64 - position, bytes.length));
        }
        const lines = [...hidden];
        for (let shown = random.range(1, 30); shown > 0; shown--)
          hidden.delete(lines[random.below(lines.length)] as number);
        return bytes;
      });
      const found = await findEnd(disk, DIR, 1);
      assert.ok(found.lastSeq === 11 || (found.lastSeq === 10 && found.tornBytes > 0), `seed ${seed}`);
    }
  });

  test('damage before the end is still reported', async () => {
    const { lossy, log } = await makeLog();
    (await lossy.open(FIRST, 'write')).write(200, Uint8Array.of(0xee));
    const disk = new HookedDisk(lossy);
    let rounds = 100;
    disk.hook = async (call) => {
      if (call === 'size' && rounds-- > 0) await append(log, 1);
    };
    await assert.rejects(findEnd(disk, DIR, 1), LogDamaged);
    assert.ok(rounds > 90, 'a whole record behind it is enough');
  });
});

describe('tools beside a running service', () => {
  const root = mkdtemp(join(tmpdir(), 'bourse-live-'));
  after(async () => rm(await root, { recursive: true }));
  let count = 0;

  /** Forty records in several segments, and a writer that continues. */
  async function makeData(): Promise<{ dir: string; log: FileLog; disk: HookedDisk }> {
    count += 1;
    const dir = join(await root, String(count));
    const log = await FileLog.open({
      disk: nodeDisk,
      dir: join(dir, 'log'),
      segmentBytes: 600,
      roomBytes: 1000,
    });
    for (let seq = 1; seq <= 40; seq++) await log.append(recordOf(seq)).durable;
    assert.ok((await nodeDisk.list(join(dir, 'log'))).length > 2);
    return { dir, log, disk: new HookedDisk(nodeDisk) };
  }

  const dump = async (disk: Disk, dir: string): Promise<number[]> => {
    const seqs: number[] = [];
    for await (const { seq } of dumpLog(disk, dir, {})) seqs.push(seq);
    return seqs;
  };

  test('log verify and dump while records and segments are added', async () => {
    const { dir, log, disk } = await makeData();
    let rounds = 0;
    disk.hook = async (call) => {
      if (call !== 'size' || rounds++ >= 8) return;
      for (let i = 0; i < 5; i++) await log.append(recordOf(log.lastSeq + 1)).durable;
    };
    const { damage, notes, records, lastSeq } = await verifyLog(dir, disk);
    assert.deepEqual([damage, notes, records], [[], [], lastSeq]);
    assert.ok(lastSeq > 40);
    rounds = 0;
    assert.ok((await dump(disk, dir)).includes(41));
    await log.close();
  });

  test('log verify counts the remaining records while segments are removed', async () => {
    for (const call of ['open', 'size'] as const) {
      const { dir, log, disk } = await makeData();
      disk.hook = async (each) => {
        if (each === call) await log.removeBelow(30);
      };
      const { damage, notes, firstSeq, lastSeq, records, segments } = await verifyLog(dir, disk);
      assert.deepEqual([damage, notes], [[], [`Records before ${log.firstSeq} were removed.`]]);
      assert.deepEqual([firstSeq, lastSeq, records], [log.firstSeq, 40, 41 - log.firstSeq]);
      assert.equal(segments, (await nodeDisk.list(join(dir, 'log'))).length);
      await log.close();
    }
  });

  test('log dump reports segments removed meanwhile as gone, not as damaged', async () => {
    const { dir, log } = await makeData();
    const dumped = dumpLog(nodeDisk, dir, {});
    await dumped.next();
    await log.removeBelow(30);
    await assert.rejects(async () => {
      for await (const _ of dumped);
    }, LogGone);
    await log.close();
  });
});
