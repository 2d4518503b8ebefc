/** npm run sim -- stalled-readers [--readers N] [--stalled N] [--mib N]: the cost of readers that stall. */

import { parseArgs } from 'node:util';
import { DEFAULT_FEED_LIMITS } from '../../packages/api/src/feed/limits.ts';
import { stallReaders } from '../../packages/api/test/feed/stalled-readers.ts';

const MIB = 1 << 20;
const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '1000' },
    stalled: { type: 'string', default: '50' },
    mib: { type: 'string', default: String(DEFAULT_FEED_LIMITS.feedBufferedBytesMax / MIB) },
  },
});
const report = await stallReaders({
  readers: Number(values.readers),
  stalled: Number(values.stalled),
  bufferedBytesMax: Number(values.mib) * MIB,
});
const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;
console.log(`${values.readers} readers, ${values.stalled} of them stalled, bound ${values.mib} MiB each`);
console.log(
  `cut: ${report.cut} (${report.closeCode} '${report.closeReason}'); lost otherwise: ${report.lost}`,
);
console.log(
  `each of the others got ${mib(report.bytesEach)}, ${report.isEqual ? 'all the same' : 'NOT the same'}`,
);
console.log(
  `waiting: at most ${report.waitingBytesMost} bytes for one reader, ${mib(report.waitingBytesAllMost)} for all; ` +
    `${report.waitingBytesAfter} bytes when they were cut`,
);
console.log(
  `buffers: ${mib(report.memoryBefore)} before, at most ${mib(report.memoryMost)}, ${mib(report.memoryAfter)} after`,
);
if (report.waitingBytesMost > Number(values.mib) * MIB) throw new Error('more waited than may');
