import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stallReaders } from './stalled-readers.ts';

const MIB = 1 << 20;

test('promise 11: a reader that stalls is cut with a reason, and costs no more than its bound', async () => {
  const bufferedBytesMax = MIB;
  const stalled = 4;
  const report = await stallReaders({ readers: 40, stalled, bufferedBytesMax });
  assert.equal(report.cut, stalled);
  assert.equal(report.lost, 0);
  assert.ok(report.isEqual && report.bytesEach > bufferedBytesMax, 'the others got everything');
  assert.equal(report.closeCode, 1013);
  assert.match(report.closeReason, /too slow/);
  const grown = report.memoryMost - report.memoryBefore;
  // What is garbage by now counts too, and may be several times what waits; `npm run stalled-readers` looks closer.
  assert.ok(grown < stalled * bufferedBytesMax + 96 * MIB, `${grown} bytes`);
});
