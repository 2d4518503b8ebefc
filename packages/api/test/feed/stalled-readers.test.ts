import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stallReaders } from './stalled-readers.ts';

const MIB = 1 << 20;

test('promise 11: a stalled reader is disconnected with a reason, and its backlog never exceeds its bound', async () => {
  const bufferedBytesMax = MIB;
  const stalled = 4;
  const report = await stallReaders({ readers: 40, stalled, bufferedBytesMax });
  assert.equal(report.cut, stalled);
  assert.equal(report.slowReaders, stalled);
  assert.equal(report.lost, 0);
  assert.ok(report.isEqual && report.bytesEach > bufferedBytesMax, 'the others got everything');
  assert.equal(report.closeCode, 1013);
  assert.match(report.closeReason, /too slow/);
  const { waitingBytesMost, waitingBytesAllMost } = report;
  assert.ok(waitingBytesMost <= bufferedBytesMax, `${waitingBytesMost} bytes waited for one reader`);
  assert.ok(waitingBytesMost > bufferedBytesMax / 2, `no more than ${waitingBytesMost} bytes ever waited`);
  assert.ok(waitingBytesAllMost > waitingBytesMost, 'several readers waited at once');
  assert.equal(report.waitingBytesAfter, 0);
});
