// The packed packages, installed in an empty folder.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packAll } from '../../scripts/pack/main.mjs';
import { root } from '../../scripts/tree.mjs';
import { isLongRun } from '@bourse/test-kit/run-size.ts';

export interface Installed {
  readonly folder: string;
  /** The output of npm. */
  readonly said: string;
  remove(): void;
}

const NODE_FOLDER = `@bourse/testing/exchange/bourse/node/${process.platform}-${process.arch}`;

/**
 * Installs with npm, without a registry: the tarballs contain everything. Only the long run packs Node, which takes long
 * to compress; the short run puts this repository's Node in its place.
 */
export function install(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-installed-'));
  const tarballs = tarballsOf(join(folder, 'tarballs'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const modules = join(folder, 'node_modules');
  if (!isLongRun) {
    mkdirSync(join(modules, NODE_FOLDER), { recursive: true });
    symlinkSync(process.execPath, join(modules, NODE_FOLDER, 'node'));
  }
  return {
    folder,
    said: stdout + stderr,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Tarballs built by `npm run release`, if it runs the test. */
function tarballsOf(folder: string): string[] {
  const built = process.env['BOURSE_TARBALLS'];
  if (built !== undefined) return built.split(':');
  return isLongRun ? packAll(folder) : packAll(folder, []);
}

/** Additional Node versions, downloaded by `npm run release`. */
export function otherNodes(): string[] {
  return (process.env['BOURSE_NODES'] ?? '').split(':').filter((path) => path !== '');
}

/** The client needs `ws` if Node has no websocket; the project installs it itself. */
export function addSocketPackage(folder: string): void {
  symlinkSync(join(root, 'node_modules/ws'), join(folder, 'node_modules/ws'));
}

/** The machine's Node if it is older than ours: npm names it, or it is on the path. */
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

/** An environment in which `node` is this one, and nothing resolves to the repository. */
export function environmentOf(node: string, folder: string): NodeJS.ProcessEnv {
  const bin = join(folder, `bin-${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'node'), { force: true });
  symlinkSync(node, join(bin, 'node'));
  const paths = (process.env['PATH'] ?? '').split(':').filter((path) => !path.includes('node_modules'));
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|BOURSE_|NODE_)/i.test(name));
  return { ...Object.fromEntries(kept), PATH: [bin, ...paths, dirname(process.execPath)].join(':') };
}
