/** npm run stalled-readers -- [--readers N] [--stalled N] [--mib N]: readers that stall, and what they cost. */

import { parseArgs } from 'node:util';
import { stallReaders } from '../../packages/server/test/feed/stalled-readers.ts';

const MIB = 1 << 20;
const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '1000' },
    stalled: { type: 'string', default: '50' },
    mib: { type: 'string', default: '1' },
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
console.log(`buffers: ${mib(report.memoryBefore)} before, at most ${mib(report.memoryMost)}`);
