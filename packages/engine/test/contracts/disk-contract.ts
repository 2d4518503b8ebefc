/** The contract of every disk; run against the machine's and the lossy one. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Disk } from '../../src/io/disk.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const code = (expected: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === expected;

/** `make` returns a disk and an empty directory on it. */
export function testDisk(name: string, make: () => Promise<{ disk: Disk; dir: string }>): void {
  describe(`disk contract: ${name}`, () => {
    test('written bytes are read back, at any position', async () => {
      const { disk, dir } = await make();
      const file = await disk.open(`${dir}/a`, 'create');
      file.write(0, bytes(1, 2, 3, 4));
      file.write(2, bytes(9));
      assert.deepEqual([...(await file.read(0, 10))], [1, 2, 9, 4]);
      assert.deepEqual([...(await file.read(1, 2))], [2, 9]);
      assert.deepEqual([...(await file.read(4, 5))], []);
      assert.equal(await file.size(), 4);
      await file.close();
    });

    test('a hole is zeros', async () => {
      const { disk, dir } = await make();
      const file = await disk.open(`${dir}/a`, 'create');
      file.write(3, bytes(7));
      assert.deepEqual([...(await file.read(0, 4))], [0, 0, 0, 7]);
      await file.close();
    });

    test('truncating cuts the file, and a later write beyond the end leaves zeros in between', async () => {
      const { disk, dir } = await make();
      const file = await disk.open(`${dir}/a`, 'create');
      file.write(0, bytes(1, 2, 3, 4));
      file.truncate(1);
      assert.equal(await file.size(), 1);
      file.write(3, bytes(5));
      assert.deepEqual([...(await file.read(0, 9))], [1, 0, 0, 5]);
      await file.close();
    });

    test('the caller may reuse its buffer after writing', async () => {
      const { disk, dir } = await make();
      const file = await disk.open(`${dir}/a`, 'create');
      const reused = bytes(1, 2);
      file.write(0, reused);
      reused.fill(9);
      await file.sync();
      assert.deepEqual([...(await file.read(0, 2))], [1, 2]);
      await file.close();
    });

    test('two openings see the same file', async () => {
      const { disk, dir } = await make();
      const writer = await disk.open(`${dir}/a`, 'create');
      const reader = await disk.open(`${dir}/a`, 'read');
      writer.write(0, bytes(1, 2));
      assert.deepEqual([...(await reader.read(0, 2))], [1, 2]);
      await writer.close();
      await reader.close();
    });

    test('rejects creating an existing file, opening a missing one, and writing one opened for reading', async () => {
      const { disk, dir } = await make();
      await (await disk.open(`${dir}/a`, 'create')).close();
      await assert.rejects(disk.open(`${dir}/a`, 'create'), code('EEXIST'));
      await assert.rejects(disk.open(`${dir}/b`, 'read'), code('ENOENT'));
      await assert.rejects(disk.open(`${dir}/b`, 'write'), code('ENOENT'));
      await assert.rejects(disk.open(`${dir}/none/b`, 'create'), code('ENOENT'));
      const reader = await disk.open(`${dir}/a`, 'read');
      assert.throws(() => reader.write(0, bytes(1)));
      await reader.close();
    });

    test('a directory lists its files sorted, and a missing directory is empty', async () => {
      const { disk, dir } = await make();
      for (const each of ['b', 'a', 'c']) await (await disk.open(`${dir}/${each}`, 'create')).close();
      assert.deepEqual(await disk.list(dir), ['a', 'b', 'c']);
      assert.deepEqual(await disk.list(`${dir}/none`), []);
    });

    test('directories are created with their parents, and creating an existing one succeeds', async () => {
      const { disk, dir } = await make();
      await disk.makeDirectory(`${dir}/x/y/z`);
      await disk.makeDirectory(`${dir}/x/y/z`);
      const file = await disk.open(`${dir}/x/y/z/a`, 'create');
      await file.close();
      assert.deepEqual(await disk.list(`${dir}/x/y/z`), ['a']);
    });

    test('renaming replaces; removing removes; the directory is synced', async () => {
      const { disk, dir } = await make();
      const first = await disk.open(`${dir}/a`, 'create');
      first.write(0, bytes(1));
      await first.close();
      await (await disk.open(`${dir}/b`, 'create')).close();
      await disk.rename(`${dir}/a`, `${dir}/b`);
      await disk.syncDirectory(dir);
      assert.deepEqual(await disk.list(dir), ['b']);
      const renamed = await disk.open(`${dir}/b`, 'read');
      assert.deepEqual([...(await renamed.read(0, 1))], [1]);
      await renamed.close();
      await disk.remove(`${dir}/b`);
      await disk.syncDirectory(dir);
      assert.deepEqual(await disk.list(dir), []);
      await assert.rejects(disk.remove(`${dir}/b`), code('ENOENT'));
      await assert.rejects(disk.rename(`${dir}/b`, `${dir}/c`), code('ENOENT'));
    });

    test('an open file survives its removal', async () => {
      const { disk, dir } = await make();
      const file = await disk.open(`${dir}/a`, 'create');
      file.write(0, bytes(1));
      await disk.remove(`${dir}/a`);
      assert.deepEqual([...(await file.read(0, 1))], [1]);
      await file.close();
    });
  });
}
