// The commands that documents and comments mention exist.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { START_FLAGS } from '../packages/bourse/bin/start-flags.mjs';
import { root } from '../scripts/tree.mjs';
import { readTexts } from './repository.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const sim = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'sim/main.ts'), ...args], { encoding: 'utf8' });
const simulations = sim()
  .stdout.trim()
  .split('\n')
  .map((line) => line.split(' ')[0]!);
const texts = readTexts().filter(({ path }) => /\.(ts|mjs|md)$/.test(path) && path !== 'CHANGELOG.md');

/** The words after `before` in the texts, as `path: word`. */
const named = (before: RegExp): [string, string][] =>
  texts.flatMap(({ path, text }) =>
    Array.from(text.matchAll(before), ({ 1: word }): [string, string] => [path, word!]),
  );

describe('npm run', () => {
  test('every script that is mentioned exists', () => {
    const found = named(/npm run (?:-s )?([a-z]+(?:[:-][a-z]+)*)/g);
    assert.ok(found.length > 20);
    assert.deepEqual(
      found.filter(([path, name]) => !(name in scripts) && path !== 'test/scripts.test.ts'),
      [],
    );
  });

  test('every script runs files that exist', () => {
    const files = Object.values(scripts).flatMap((line) => line.match(/\S+\.(mjs|ts)\b/g) ?? []);
    assert.ok(files.length > 10);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });
});

describe('starting an exchange', () => {
  const starts = ['package.json', 'deploy/compose.yaml', 'deploy/bourse-node.service'];
  for (const path of starts) {
    test(`${path} passes the V8 flags that must be on the command line`, () => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n');
      for (const flag of START_FLAGS)
        assert.ok(
          lines.some((line) => line.includes(flag)),
          flag,
        );
    });
  }

  test('an older Node passes them to the Node that it starts', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bourse-hand-over-'));
    const program = join(directory, 'program.mjs');
    writeFileSync(program, 'console.log(JSON.stringify(process.execArgv));');
    const handOver = `import('${pathToFileURL(join(root, 'packages/bourse/bin/newer-node.mjs')).href}')
      .then(({ handOver }) => handOver(${JSON.stringify(program)}, 24))`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--eval', handOver], { encoding: 'utf8' });
    rmSync(directory, { recursive: true });
    assert.deepEqual(JSON.parse(stdout || '[]'), START_FLAGS, stderr);
  });

  test('a Node without TypeScript starts the installed one, which starts no other', () => {
    const args = [join(root, 'packages/bourse/bin/bourse.mjs'), '--version'];
    const flag = '--no-experimental-strip-types';
    const handed = spawnSync(process.execPath, [flag, ...args], { encoding: 'utf8' });
    assert.deepEqual([handed.status, handed.stdout], [0, '0.1.0\n'], handed.stderr);
    const env = { ...process.env, NODE_OPTIONS: flag };
    const refused = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^bourse needs Node 24 or newer that runs TypeScript, this is v/);
  });
});

describe('npm run sim', () => {
  test('every simulation that is mentioned exists', () => {
    const found = named(/npm run sim -- ([a-z][\w-]*)/g);
    assert.ok(found.length > 10);
    assert.deepEqual(
      found.filter(([, name]) => !simulations.includes(name)),
      [],
    );
  });

  test('every simulation is listed, and its file exists', () => {
    const source = readFileSync(join(root, 'sim/main.ts'), 'utf8');
    const listed = Array.from(source.matchAll(/\['([\w./-]+\.ts)', '/g), ([, file]) => join('sim', file!));
    assert.equal(listed.length, simulations.length);
    assert.deepEqual(
      listed.filter((file) => !existsSync(join(root, file))),
      [],
    );
    const runs = texts.map(({ path }) => path).filter((path) => /^sim\/[\w-]+\/run\.ts$/.test(path));
    assert.deepEqual(
      runs.filter((path) => !listed.includes(path)),
      [],
    );
  });

  test('an unknown simulation exits with 2 and prints the list', () => {
    const { status, stdout, stderr } = sim('nonsense');
    assert.deepEqual([status, stderr.trim()], [2, "There is no simulation 'nonsense'."]);
    assert.match(stdout, /^storm +/m);
  });
});
