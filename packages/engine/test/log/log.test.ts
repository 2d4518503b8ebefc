import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { MemoryLog } from '@bourse/test-kit/memory-log.ts';
import type { LogRecord } from '@bourse/core';
import { FileLog } from '../../src/log/file-log.ts';
import { nodeDisk } from '../../src/io/disk.ts';
import { type LogUnderTest, readAll, testFrailLog, testLog } from '@bourse/test-kit/contracts.ts';

const root = await mkdtemp(join(tmpdir(), 'bourse-log-'));
after(() => rm(root, { recursive: true }));

let count = 0;

for (const [name, segmentBytes, roomBytes] of [
  ['one segment', undefined, undefined],
  ['many segments', 500, 300],
  ['no room in advance', 2000, 0],
] as const) {
  const sizes = { ...(segmentBytes && { segmentBytes }), ...(roomBytes !== undefined && { roomBytes }) };

  testLog(`files, ${name}`, async () => {
    count += 1;
    const dir = join(root, String(count), 'log');
    const open = () => FileLog.open({ disk: nodeDisk, dir, ...sizes });
    return reopening(await open(), open, segmentBytes !== undefined);
  });

  testFrailLog(`files on the lossy disk, ${name}`, async () => {
    const disk = new LossyDisk(new Random(7));
    const open = () => FileLog.open({ disk, dir: 'data/log', ...sizes });
    return {
      ...reopening(await open(), open, segmentBytes !== undefined),
      takeRoom: () => (disk.roomBytes = 0),
      freeRoom: () => (disk.roomBytes = Number.POSITIVE_INFINITY),
      failWrite: () => disk.failWrite(1),
      failSync: () => disk.failSync(1),
    };
  });
}

function reopening(first: FileLog, open: () => Promise<FileLog>, givesUp: boolean): LogUnderTest {
  let current = first;
  return {
    givesUp,
    log: first,
    reopen: async () => {
      await current.close();
      current = await open();
      return current;
    },
  };
}

testFrailLog('memory', async () => {
  const log = new MemoryLog();
  let current = log;
  return {
    log,
    givesUp: true,
    reopen: async () => {
      const records: LogRecord[] = await readAll(current, current.firstSeq, current.lastSeq);
      current = new MemoryLog(records);
      return current;
    },
    takeRoom: () => (log.isFull = true),
    freeRoom: () => (log.isFull = false),
    failWrite: () => log.faults.push('broken-write'),
    failSync: () => log.faults.push('broken-sync'),
  };
});
