import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket } from '@bourse/test-kit/market.ts';
import { findShared } from '../../src/io/files.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const onUnix = { skip: process.platform === 'win32' && 'Windows has no modes of files' };

function modeOf(path: string): string {
  const found = lstatSync(path);
  return `${found.isDirectory() ? 'directory' : 'file'} ${(found.mode & 0o777).toString(8)}`;
}

/** Of the directory and everything in it. */
function modesIn(dir: string): Record<string, string> {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(['', ...paths].map((path) => [path, modeOf(join(dir, path))]));
}

describe('a data directory', onUnix, () => {
  test('and everything in it are private to the owner, whatever the umask', async (context) => {
    const umask = process.umask(0);
    context.after(() => process.umask(umask));
    const dir = join(makeDirectory(context), 'new', 'data');
    const engine = await openDirectoryEngine(dir, { segmentBytes: 500, keepSegments: true });
    for (const command of openMarket()) await submit(engine, command);
    await engine.historyCaughtUp();
    const running = modesIn(dir);
    await engine.close();
    for (const modes of [running, modesIn(dir)]) {
      const names = Object.keys(modes);
      for (const name of ['history.db', 'lock.db']) assert.ok(names.includes(name), name);
      assert.ok(names.filter((name) => /^log.\d+\.log$/.test(name)).length > 1);
      for (const [name, mode] of Object.entries(modes)) {
        assert.ok(['directory 700', 'file 600'].includes(mode), `${name}: ${mode}`);
      }
    }
    assert.ok('history.db-wal' in running, 'also what SQLite puts beside its database');
  });

  test('that others may read is reported at the start, with the command that fixes it', async (context) => {
    const dir = makeDirectory(context);
    const warnings: string[] = [];
    const open = () => openDirectoryEngine(dir, { onWarning: (sentence) => warnings.push(sentence) });
    await (await open()).close();
    assert.equal(warnings.length, 0);
    chmodSync(`${dir}/history.db`, 0o644);
    chmodSync(`${dir}/log`, 0o750);
    await (await open()).close();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /^Other users of this machine may read .* and 1 more/);
    assert.ok(warnings[0].includes(`chmod -R go= ${dir}`));
  });
});

test(
  'findShared names files that others can read or write, at any depth, and follows no link',
  onUnix,
  async (context) => {
    const dir = makeDirectory(context);
    mkdirSync(`${dir}/a/b`, { recursive: true, mode: 0o700 });
    for (const name of ['a/b/private', 'a/b/readable', 'writable'])
      writeFileSync(`${dir}/${name}`, '', { mode: 0o600 });
    symlinkSync('/', `${dir}/root`);
    assert.deepEqual(await findShared(dir), []);
    chmodSync(`${dir}/a/b/readable`, 0o604);
    chmodSync(`${dir}/writable`, 0o620);
    assert.deepEqual((await findShared(dir)).toSorted(), [`${dir}/a/b/readable`, `${dir}/writable`]);
    chmodSync(dir, 0o755);
    assert.ok((await findShared(dir)).includes(dir));
  },
);
