/** Temporary files are new and have unpredictable names, because others may be able to write to the directory. */

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { ownCacheDirectory } from '../../bin/compile-cache.mjs';
import { writeDurableText, writePrivateText } from '../../../engine/src/io/small-files.ts';

for (const write of [writePrivateText, writeDurableText]) {
  test(`${write.name}: a symbolic link at the target or at a predictable temporary name is not followed`, async (t) => {
    const dir = makeDirectory(t);
    const victim = join(dir, 'victim');
    writeFileSync(victim, 'mine');
    const path = join(dir, 'connection.json');
    for (const guess of [`${path}.tmp`, `${path}.${process.pid}.tmp`, path]) symlinkSync(victim, guess);
    await write(path, 'secret');
    assert.equal(readFileSync(victim, 'utf8'), 'mine');
    assert.equal(readFileSync(path, 'utf8'), 'secret');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(readdirSync(dir).length, 4, 'nothing is left behind');
  });

  test(`${write.name}: leaves nothing behind if it fails`, async (t) => {
    const dir = makeDirectory(t);
    mkdirSync(join(dir, 'taken', 'x'), { recursive: true });
    await assert.rejects(write(join(dir, 'taken'), 'secret'));
    assert.deepEqual(readdirSync(dir), ['taken']);
  });
}

test('compiled code is stored only in a directory that nobody else can write', (t) => {
  const dir = makeDirectory(t);
  const own = ownCacheDirectory(dir);
  assert.ok(own !== undefined && existsSync(own));
  assert.equal(statSync(own).mode & 0o777, 0o700);
  chmodSync(own, 0o777);
  assert.equal(ownCacheDirectory(dir), undefined, 'somebody else may write there');
  const other = makeDirectory(t);
  symlinkSync(dir, join(other, own.slice(dir.length + 1)));
  assert.equal(ownCacheDirectory(other), undefined, 'a link may lead anywhere');
});
