import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { nodeDisk } from '../../src/io/disk.ts';
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

/** The maximum that Node reads at once. */
const READ_BYTES_MAX = 2 ** 31 - 1;

test('a file of more than 2 GiB can be read back in pieces', async (context) => {
  const path = join(root, 'large');
  const size = 2 ** 31 + 10;
  await writeFile(path, '');
  await truncate(path, size);
  const pieces: { from: number; length: number }[] = [];
  // Reports a read without touching the buffer, so that it takes no memory.
  const read = (_fd: number, _bytes: Buffer, _at: number, length: number, from: number, done: Done): void => {
    assert.ok(length > 0 && length <= READ_BYTES_MAX, `${length} bytes at once`);
    pieces.push({ from, length });
    done(null, length);
  };
  context.mock.method(fs, 'read', read as typeof fs.read);
  syncBuiltinESMExports();
  try {
    const file = await nodeDisk.open(path, 'read');
    assert.equal((await file.read(0, await file.size())).length, size);
    await file.close();
  } finally {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  }
  let end = 0;
  for (const { from, length } of pieces) {
    assert.equal(from, end);
    end += length;
  }
  assert.equal(end, size);
});

type Done = (error: Error | null, count: number) => void;

test('a write of which the system accepts nothing fails instead of being retried forever', async (context) => {
  const file = await nodeDisk.open(join(root, 'full'), 'create');
  let calls = 0;
  context.mock.method(fs, 'writeSync', () => {
    calls += 1;
    if (calls > 10) throw new Error('it does not stop');
    return calls === 1 ? 2 : 0;
  });
  syncBuiltinESMExports();
  try {
    assert.throws(() => file.write(0, Buffer.from('hello')), /wrote 0 of 3 bytes/);
  } finally {
    context.mock.restoreAll();
    syncBuiltinESMExports();
    await file.close();
  }
});
