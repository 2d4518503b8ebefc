/** The effects of segments that cannot be created, opened or removed. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { LogBroken, LogDamaged, SegmentKept } from '../../src/log/command-log.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { LogReader } from '../../src/log/log-reader.ts';
import { NO_HASH } from '../../src/log/record.ts';
import { segmentName, segmentsAmong, writeHeader } from '../../src/log/segment.ts';
import { nodeDisk } from '../../src/io/disk.ts';
import { readAll, recordOf } from '@bourse/test-kit/contracts.ts';
import { type DiskCall, diskError, HookedDisk } from '@bourse/test-kit/hooked-disk.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { openTestEngine } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const DIR = 'data/log';
const FULL = ['ENOSPC', 'EDQUOT'];

/** Every call of this kind on a file or directory that matches fails. */
function failing(disk: HookedDisk, call: DiskCall, path: RegExp, code: string): void {
  disk.hook = (each, at) => {
    if (each === call && path.test(at)) throw diskError(code);
  };
}

async function openLog(roomBytes = 100): Promise<{ disk: HookedDisk; log: FileLog }> {
  const disk = new HookedDisk(new LossyDisk(new Random(1)));
  const open = () => FileLog.open({ disk, dir: DIR, segmentBytes: 600, roomBytes });
  // Reopened, because the hook uses the name under which a file was opened.
  await (await open()).close();
  return { disk, log: await open() };
}

async function append(log: FileLog, count: number): Promise<void> {
  const through = log.lastSeq + count;
  while (log.lastSeq < through) await log.append(recordOf(log.lastSeq + 1)).durable;
}

/** Appends until the log is broken; returns the last acknowledged sequence. */
async function appendUntilBroken(log: FileLog): Promise<number> {
  await assert.rejects(append(log, 100), LogBroken);
  return log.lastSeq;
}

describe('a new segment', () => {
  const unfinished = /\.log\.tmp$/;
  const afterNaming: [DiskCall, RegExp, string][] = [
    ['rename', /\.log$/, 'when it is renamed'],
    ['syncDirectory', /./, 'when the directory is synced'],
  ];
  for (const [call, path, when] of afterNaming) {
    for (const code of FULL) {
      test(`promise 1: ${code} ${when} breaks the log, and no record is lost`, async () => {
        const { disk, log } = await openLog();
        await append(log, 2);
        failing(disk, call, path, code);
        const lastSeq = await appendUntilBroken(log);
        assert.ok(lastSeq > 2);
        disk.hook = () => undefined;
        await log.close();
        const again = await FileLog.open({ disk, dir: DIR, segmentBytes: 600 });
        assert.equal(again.lastSeq, lastSeq);
        await append(again, 10);
        assert.equal((await readAll(again, 1, lastSeq + 10)).length, lastSeq + 10);
      });
    }
  }

  const beforeNaming: DiskCall[] = ['open', 'write', 'sync'];
  for (const call of beforeNaming) {
    test(`promise 4: no space to create it (${call}) postpones it and leaves no file behind`, async () => {
      const { disk, log } = await openLog();
      failing(disk, call, unfinished, 'ENOSPC');
      await append(log, 30);
      assert.equal(log.failure, null);
      assert.deepEqual(await disk.list(DIR), [segmentName(1)]);
      disk.hook = () => undefined;
      await append(log, 1);
      assert.deepEqual(await disk.list(DIR), [segmentName(1), segmentName(32)]);
      await append(log, 9);
      assert.equal((await readAll(log, 1, 40)).length, 40);
      await log.close();
      assert.equal(disk.openFiles, 0);
    });
  }

  test('a reader in a segment without records, although the log continues in another, fails with an error', async () => {
    const { disk, log } = await openLog(0);
    await append(log, 3);
    await log.close();
    const stray = await disk.open(`${DIR}/${segmentName(3)}`, 'create');
    stray.write(0, writeHeader({ firstSeq: 3, timeBefore: 0, hashBefore: NO_HASH }));
    let opens = 0;
    disk.hook = (call) => {
      opens += call === 'open' ? 1 : 0;
      if (opens > 20) throw new Error('it goes round in a circle');
    };
    await assert.rejects(
      readAll(new LogReader(disk, DIR), 3, 3),
      (error: unknown) =>
        error instanceof LogDamaged && /0{19}3\.log, byte 64, record 3: /.test(error.message),
    );
  });
});

describe('a start whose writes fail', () => {
  for (const call of ['write', 'truncate', 'sync', 'syncDirectory'] as const) {
    test(`${call}: the error names the log, and no file stays open`, async () => {
      const { disk, log } = await openLog();
      await append(log, 2);
      await log.close();
      failing(disk, call, /./, 'EIO');
      await assert.rejects(
        FileLog.open({ disk, dir: DIR }),
        (error: unknown) =>
          error instanceof LogBroken &&
          error.message === `Opening the log in ${DIR} failed: EIO: injected failure`,
      );
      assert.equal(disk.openFiles, 0);
    });
  }
});

describe('an old segment that cannot be removed', () => {
  test('is retried, and the log continues', async () => {
    const { disk, log } = await openLog();
    await append(log, 40);
    failing(disk, 'remove', /\.log$/, 'EACCES');
    await assert.rejects(
      log.removeBelow(30),
      (error: unknown) =>
        error instanceof SegmentKept && /^data\/log\/0{19}1\.log .*EACCES/.test(error.message),
    );
    assert.deepEqual([log.firstSeq, log.failure], [1, null]);
    await append(log, 1);
    disk.hook = () => undefined;
    await log.removeBelow(30);
    assert.ok(log.firstSeq > 1 && log.firstSeq <= 30);
  });

  test('counts as removed if it is missing, and the next ones are removed', async () => {
    const { disk, log } = await openLog();
    await append(log, 40);
    await disk.remove(`${DIR}/${segmentName(1)}`);
    await log.removeBelow(30);
    assert.deepEqual(segmentsAmong(await disk.list(DIR))[0], log.firstSeq);
    assert.ok(log.firstSeq > 1);
  });

  test('only a failed sync of the directory breaks the log', async () => {
    const { disk, log } = await openLog();
    await append(log, 40);
    failing(disk, 'syncDirectory', /./, 'ENOSPC');
    await assert.rejects(log.removeBelow(30), LogBroken);
    assert.throws(() => log.append(recordOf(41)), LogBroken);
  });

  test('does not stop the exchange; the operator is warned once', async () => {
    const root = await mkdtemp(join(tmpdir(), 'bourse-segments-'));
    after(() => rm(root, { recursive: true }));
    const disk = new HookedDisk(nodeDisk);
    failing(disk, 'remove', /\.log$/, 'EBUSY');
    const warnings: string[] = [];
    const engine = await openTestEngine(root, new MemoryHistory(), {
      disk,
      segmentBytes: 4096,
      followerLimits: { snapshotRecords: 40 },
      onWarning: (sentence) => warnings.push(sentence),
    });
    for (const command of [...openMarket(), ...orderFlow(1, 300)]) await submit(engine, command);
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(
      warnings[0] ?? '',
      /log\/0{19}1\.log is not needed any more, but it cannot be removed \(EBUSY/,
    );
    disk.hook = () => undefined;
    for (const command of orderFlow(2, 50)) await submit(engine, command);
    await engine.close();
    const [first] = segmentsAmong(await nodeDisk.list(join(root, 'log')));
    assert.ok((first as number) > 1);
  });
});
