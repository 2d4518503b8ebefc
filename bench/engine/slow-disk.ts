/** A disk with a minimum sync time; 0 changes nothing. */

import { setTimeout } from 'node:timers/promises';
import { type Disk, nodeDisk } from '../../packages/engine/src/io/disk.ts';
import { overriding } from '../../packages/engine/src/exchange-port.ts';

export function slowedBy(syncMs: number): Disk {
  if (syncMs === 0) return nodeDisk;
  const disk = { ...nodeDisk };
  return {
    ...disk,
    async open(path, mode) {
      const file = await disk.open(path, mode);
      return overriding(file, {
        sync: async () => {
          await Promise.all([file.sync(), setTimeout(syncMs)]);
        },
      });
    },
  };
}
