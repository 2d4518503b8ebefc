import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DirectoryInUse, LockUnusable, lockDirectory } from '../../src/io/directory-lock.ts';

const root = await mkdtemp(join(tmpdir(), 'bourse-lock-'));
after(() => rm(root, { recursive: true }));

const isNamed = (dir: string) => (error: unknown) =>
  error instanceof DirectoryInUse && error.message.includes(dir) && /Stop that one/.test(error.message);

test('a second owner is rejected until the first releases the directory', () => {
  const dir = join(root, 'a', 'b');
  const first = lockDirectory(dir);
  assert.throws(() => lockDirectory(dir), isNamed(dir));
  const other = lockDirectory(join(root, 'other'));
  first.release();
  const second = lockDirectory(dir);
  second.release();
  other.release();
});

test('a rejected second owner in the same process leaves the lock to the first', () => {
  const dir = join(root, 'same-process');
  const first = lockDirectory(dir);
  assert.throws(() => lockDirectory(dir), isNamed(dir));
  const module = new URL('../../src/io/directory-lock.ts', import.meta.url).href;
  const program = `import { lockDirectory } from ${JSON.stringify(module)};
    try { lockDirectory(${JSON.stringify(dir)}); console.log('locked'); } catch (error) { console.log(error.name); }`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  assert.equal(stdout, 'DirectoryInUse\n');
  first.release();
});

test('an unusable lock is reported with its path and what to check', async () => {
  const isNamedLock = (path: string) => (error: unknown) =>
    error instanceof LockUnusable &&
    error.message.includes(path) &&
    /may read and write it/.test(error.message);
  const folder = join(root, 'folder');
  await mkdir(join(folder, 'lock.db'), { recursive: true });
  assert.throws(() => lockDirectory(folder), isNamedLock(join(folder, 'lock.db')));
  const rubbish = join(root, 'rubbish');
  await mkdir(rubbish);
  await writeFile(join(rubbish, 'lock.db'), 'rubbish'.repeat(1000));
  assert.throws(() => lockDirectory(rubbish), isNamedLock(join(rubbish, 'lock.db')));
  await rm(join(rubbish, 'lock.db'));
  lockDirectory(rubbish).release();
});

test('kill -9 frees the directory', async () => {
  const dir = join(root, 'killed');
  const module = new URL('../../src/io/directory-lock.ts', import.meta.url).href;
  const program = `import { lockDirectory } from ${JSON.stringify(module)};
    globalThis.lock = lockDirectory(${JSON.stringify(dir)});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    assert.throws(() => lockDirectory(dir), isNamed(dir));
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  lockDirectory(dir).release();
});
