/** The disk as it is, but a sync takes at least so long; 0 changes nothing. */

import { setTimeout } from 'node:timers/promises';
import type { Disk, DiskFile } from '../../packages/engine/src/io/disk.ts';
import { nodeDisk } from '../../packages/engine/src/io/node-disk.ts';

export function slowedBy(syncMs: number): Disk {
  if (syncMs === 0) return nodeDisk;
  const disk = { ...nodeDisk };
  return {
    ...disk,
    async open(path, mode) {
      const file = await disk.open(path, mode);
      const slow: DiskFile = Object.create(file);
      slow.sync = async () => {
        await Promise.all([file.sync(), setTimeout(syncMs)]);
      };
      return slow;
    },
  };
}
