/** Unusable paths on the command line: the error message says what is there and what is valid. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadSettings } from '../../src/config/load.ts';
import { makeDirectories } from '../../../engine/src/io/files.ts';
import { systemSentence } from '../../../engine/src/io/shown-text.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { run, serve } from './process.ts';

const QUIET = ['start', '--port', '0', '--market', 'quiet'];
const IS_LINUX = process.platform === 'linux';

test('an unusable data directory', async (t) => {
  const dir = makeDirectory(t);
  writeFileSync(`${dir}/file`, 'kept');
  for (const name of ['log', 'snapshots']) {
    mkdirSync(`${dir}/with-${name}`, { mode: 0o700 });
    writeFileSync(`${dir}/with-${name}/${name}`, '', { mode: 0o600 });
  }
  mkdirSync(`${dir}/with-history/history.db`, { recursive: true, mode: 0o700 });
  const cases: (readonly [path: string, says: RegExp])[] = [
    [`${dir}/file`, /: it is a file, but a directory is needed \(EEXIST\)\./],
    [`${dir}/file/below`, /: a part of this path is a file, but a directory is needed \(ENOTDIR\)\./],
    [`${dir}/with-log`, /\(ENOTDIR\)\./],
    [`${dir}/with-snapshots`, /\(ENOTDIR\)\./],
    [`${dir}/with-history`, /: it is a directory, but a file is needed \(EISDIR\)\./],
    [`${dir}/${'x'.repeat(300)}`, /the path is too long.*\(ENAMETOOLONG\)\./],
    ...(IS_LINUX
      ? ([
          ['/proc/none', /: there is no such file or directory \(ENOENT\)\./],
          ['/sys/none', /: permission denied.*\((EPERM|EACCES)\)\.|read-only.*\(EROFS\)\./],
        ] as const)
      : []),
  ];
  const ended = await Promise.all(cases.map(([path]) => run([...QUIET, '--data', path])));
  for (const [at, { code, err }] of ended.entries()) {
    const [path, says] = cases[at]!;
    assert.equal(code, 4, `${path}: ${err}`);
    assert.match(err, /^The data directory cannot be used: .* Name a directory that this user may read/m);
    assert.match(err, says);
    assert.doesNotMatch(err, /mkdir|scandir|\bat .*\.ts:/);
  }
});

test('other invalid paths of a start', async (t) => {
  const dir = makeDirectory(t);
  writeFileSync(`${dir}/file`, 'kept');
  const start = [...QUIET, '--data', `${dir}/data`];
  const cases: [flags: string[], says: RegExp][] = [
    [['--config', `${dir}/none`], /^--config .*: there is no such file or directory \(ENOENT\)\.$/m],
    [['--config', dir], /^--config .*: it is a directory, but a file is needed \(EISDIR\)\.$/m],
    [['--operator-token-file', `${dir}/none`], /^operatorTokenFile: .*there is no such file/m],
    [['--operator-token-file', dir], /^operatorTokenFile: .*it is a directory, but a file is needed/m],
    [['--config-out', `${dir}/file/below`], /^configOut: .*a part of this path is a file.*--config-out/m],
    ...(IS_LINUX
      ? ([
          [['--secret-key-file', '/dev/zero'], /^secretKeyFile: \/dev\/zero: it is larger than \d+ bytes/m],
        ] as [string[], RegExp][])
      : []),
  ];
  for (const [flags, says] of cases) {
    const { code, err } = await run([...start, ...flags]);
    assert.ok(code === 1 || code === 2, `${code}: ${err}`);
    assert.match(err, says);
  }
  const served = await serve(t, ['--data', `${dir}/data`, '--config-out', `${dir}/new/deep/connection.json`]);
  assert.ok(existsSync(`${dir}/new/deep/connection.json`), 'missing directories are made');
  await served.stop('SIGTERM');
});

test('an error quotes only the beginning of a long value', () => {
  const long = 'x'.repeat(5000);
  for (const name of ['port', 'seed', 'market', 'clock', 'quotas', 'trustedProxies', 'dialects'])
    for (const value of [long, `{"${long}":"1"}`, `["${long}"]`]) {
      const load = () => loadSettings({ flags: { [name]: value }, env: {} });
      assert.throws(load, ({ message }: Error) => message.length < 600 && !/x{65}/.test(message), name);
    }
  const file = { name: 'settings.json', text: JSON.stringify({ [long]: 1 }) };
  assert.throws(
    () => loadSettings({ flags: {}, env: {}, file }),
    /^ConfigError: x{64}\.\.\.: no such setting/,
  );
});

test('directories are created once, and a failure to create one is reported', { timeout: 10_000 }, (t) => {
  const dir = makeDirectory(t);
  assert.equal(makeDirectories(`${dir}/a/b/c`, 0o700), `${dir}/a`);
  assert.equal(makeDirectories(`${dir}/a/b/c`), undefined);
  assert.equal(makeDirectories(`${dir}/a/d`), `${dir}/a/d`);
  if (IS_LINUX) assert.throws(() => makeDirectories('/proc/none/below'), { code: 'ENOENT' });
});

test('system error codes are explained in words', () => {
  const error = (code: string) => Object.assign(new Error('x'), { code, syscall: 'mkdir', path: '/data' });
  assert.match(systemSentence(error('EROFS'))!, /^\/data: the file system is read-only; .* \(EROFS\)\.$/);
  assert.match(systemSentence(error('EACCES'))!, /^\/data: permission denied; .* \(EACCES\)\.$/);
  assert.equal(systemSentence(new Error('no error of the system')), undefined);
});
