// The packed packages in an empty folder, as somebody has them who installed them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packAll } from '../../scripts/pack/main.mjs';
import { root } from '../../scripts/tree.mjs';
import { isLongRun } from '@bourse/test-tools/run-size.ts';

export interface Installed {
  readonly folder: string;
  /** What npm said. */
  readonly said: string;
  remove(): void;
}

/** By npm in the long run. In the short one by hand, with the dependencies of this repository: that needs no network. */
export function install(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-installed-'));
  const tarballs = packAll(join(folder, 'tarballs'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const said = isLongRun ? installByNpm(folder, tarballs) : unpack(folder, tarballs);
  return { folder, said, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function installByNpm(folder: string, tarballs: readonly string[]): string {
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout + stderr;
}

function unpack(folder: string, tarballs: readonly string[]): string {
  const modules = join(folder, 'node_modules');
  const [client, bourse, testing] = tarballs as [string, string, string];
  for (const [name, tarball] of [
    ['@bourse/client', client],
    ['bourse', bourse],
    ['@bourse/testing', testing],
  ]) {
    mkdirSync(join(modules, name), { recursive: true });
    const args = ['-xzf', tarball, '-C', join(modules, name), '--strip-components=1'];
    assert.equal(spawnSync('tar', args).status, 0);
  }
  const ours = join(root, 'node_modules');
  for (const name of readdirSync(ours)) {
    if (!['.bin', '@bourse', 'bourse'].includes(name)) symlinkSync(join(ours, name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../bourse/bin/bourse.mjs', join(modules, '.bin', 'bourse'));
  return '';
}

/** Node of the machine, where that is older than ours: npm names it, or it is in the path. */
export function findOldNode(): string | null {
  const paths = (process.env['PATH'] ?? '').split(':').filter((path) => !path.includes('node_modules'));
  const found = [process.env['npm_node_execpath'] ?? '', ...paths.map((path) => join(path, 'node'))];
  return found.find((path) => isOld(path)) ?? null;
}

function isOld(path: string): boolean {
  if (path === '') return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return /^v2[0-3]\./.test(stdout ?? '');
}

/** An environment in which `node` is this one, and nothing of the repository is found. */
export function environmentOf(node: string, folder: string): NodeJS.ProcessEnv {
  const bin = join(folder, `bin-${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'node'), { force: true });
  symlinkSync(node, join(bin, 'node'));
  const paths = (process.env['PATH'] ?? '').split(':').filter((path) => !path.includes('node_modules'));
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|BOURSE_|NODE_)/i.test(name));
  return { ...Object.fromEntries(kept), PATH: [bin, ...paths, dirname(process.execPath)].join(':') };
}
