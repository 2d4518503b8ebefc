import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { LossyDisk } from '../../../../sim/disk/lossy-disk.ts';
import { Random } from '../../../../sim/flow/random.ts';
import { nodeDisk } from '../../src/io/node-disk.ts';
import { testDisk } from '../contracts/disk-contract.ts';

const root = await mkdtemp(join(tmpdir(), 'bourse-disk-'));
after(() => rm(root, { recursive: true }));

let count = 0;

testDisk('node', async () => {
  count += 1;
  const dir = join(root, String(count));
  await nodeDisk.makeDirectory(dir);
  return { disk: nodeDisk, dir };
});

testDisk('lossy', async () => {
  const disk = new LossyDisk(new Random(1));
  await disk.makeDirectory('data');
  return { disk, dir: 'data' };
});
