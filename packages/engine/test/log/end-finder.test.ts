/** Finding the end of a log again while another process writes gives the same result as reading from the beginning. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll, recordOf } from '@bourse/test-kit/contracts.ts';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import type { Disk } from '../../src/io/disk.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { EndFinder, findEnd } from '../../src/log/log-end.ts';
import { LogReader } from '../../src/log/log-reader.ts';
import { segmentName, segmentsAmong } from '../../src/log/segment.ts';

const DIR = 'data/log';
const FIRST = `${DIR}/${segmentName(1)}`;

const lastSegment = async (disk: Disk): Promise<number> => segmentsAmong(await disk.list(DIR)).at(-1)!;

/** The end that the finder reports: at least that of a new finder. */
async function find(disk: Disk, finder: EndFinder, knownSeq = 0): ReturnType<EndFinder['find']> {
  const last = await lastSegment(disk);
  const found = await finder.find(last, knownSeq);
  const fresh = await new EndFinder(disk, DIR).find(last, knownSeq);
  assert.ok(found.durableSeq >= fresh.durableSeq, `${found.durableSeq}, ${fresh.durableSeq}`);
  assert.deepEqual([found.lastSeq, fresh.lastSeq], [fresh.lastSeq, (await findEnd(disk, DIR, last)).lastSeq]);
  return found;
}

test('while segments are added and removed, and records are lazy, nothing counts as durable that may be lost', async (context) => {
  const random = new Random(11);
  const disk = new LossyDisk(random);
  const log = await FileLog.open({ disk, dir: DIR, segmentBytes: 3000 });
  const finder = new EndFinder(disk, DIR);
  let [segments, removed, lazy, durableSeq] = [1, 0, 0, 0];
  for (let seq = 1; seq <= 400; seq++) {
    const isLazy = random.below(3) === 0;
    const record = recordOf(seq);
    await (isLazy ? log.appendLazily(record, false) : log.append(record)).durable;
    // A record that is awaited is durable, with everything before it, before the next is written.
    const isProved = !isLazy && durableSeq === seq - 1;
    if (isLazy) lazy++;
    else durableSeq = seq;
    segments = Math.max(segments, (await disk.list(DIR)).length);
    if (random.below(20) === 0) {
      const before = log.firstSeq;
      await log.removeBelow(random.below(seq));
      if (log.firstSeq > before) removed++;
    }
    if (random.below(3) === 0) continue;
    // Before a new segment, all is durable.
    if ((await lastSegment(disk)) === seq + 1) durableSeq = seq;
    const found = await find(disk, finder);
    assert.equal(found.lastSeq, seq);
    assert.ok(found.durableSeq <= durableSeq, `${found.durableSeq} of ${durableSeq}`);
    assert.ok(!isProved || found.durableSeq >= seq - 1, `${found.durableSeq} of ${seq}`);
    const knownSeq = random.below(durableSeq + 1);
    assert.ok((await find(disk, finder, knownSeq)).durableSeq >= knownSeq);
  }
  await log.close();
  context.diagnostic(JSON.stringify({ segments, removed, lazy }));
  assert.ok(segments > 3 && removed > 3 && lazy > 100);
});

test('a last record that was cut off, and another in its place', async () => {
  const disk = new LossyDisk(new Random(1));
  let log = await FileLog.open({ disk, dir: DIR });
  for (let seq = 1; seq <= 5; seq++) await log.append(recordOf(seq)).durable;
  await log.close();
  const finder = new EndFinder(disk, DIR);
  assert.deepEqual(await find(disk, finder), { lastSeq: 5, durableSeq: 4 });
  log = await FileLog.open({ disk, dir: DIR });
  await log.setLastAside();
  assert.deepEqual(await find(disk, finder), { lastSeq: 4, durableSeq: 4 });
  const name = 'x'.repeat(100);
  await log.append(recordOf(5, { commands: [{ kind: 'add-user', name }] })).durable;
  await log.append(recordOf(6)).durable;
  assert.deepEqual(await find(disk, finder), { lastSeq: 6, durableSeq: 5 });
  await log.close();
});

test('another file in the place of the segment is read from its beginning', async () => {
  const disk = new LossyDisk(new Random(1));
  const write = async (count: number, time: number): Promise<void> => {
    const log = await FileLog.open({ disk, dir: DIR });
    for (let seq = 1; seq <= count; seq++) await log.append(recordOf(seq, { time: time + seq })).durable;
    await log.close();
  };
  await write(9, 1000);
  const finder = new EndFinder(disk, DIR);
  assert.equal((await find(disk, finder)).lastSeq, 9);
  for (const count of [12, 3]) {
    await disk.remove(FIRST);
    await write(count, 2000 + count);
    assert.deepEqual(await find(disk, finder), { lastSeq: count, durableSeq: count - 1 });
    assert.equal((await readAll(new LogReader(disk, DIR), 1, count)).length, count);
  }
});
