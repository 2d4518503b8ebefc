// Copies the Node that runs the exchange, for one platform: the binary and its license, without the headers, which are a
// third of the package. Its folder is not a package to npm, so npm does not link it.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { NODE_PACKAGES } from '../../packages/bourse/bin/newer-node.mjs';
import { root } from '../tree.mjs';

export const PLATFORMS = [...NODE_PACKAGES.keys()];
export const OWN_PLATFORM = `${process.platform}-${process.arch}`;

/**
 * @param {string} platform such as linux-x64
 * @param {string} to
 * @returns {{ name: string, files: string[] }} its package and the files
 */
export function copyNode(platform, to) {
  const name = NODE_PACKAGES.get(platform);
  if (name === undefined)
    throw new Error(`Unknown platform '${platform}'. Expected one of: ${PLATFORMS.join(', ')}.`);
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return copyFrom(installed, to);
  const stage = mkdtempSync(join(tmpdir(), 'bourse-node-'));
  try {
    return copyFrom(fetchPackage(name, stage), to);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

function copyFrom(folder, to) {
  mkdirSync(to, { recursive: true });
  const binary = ['bin/node', 'bin/node.exe', 'node.exe']
    .map((path) => join(folder, path))
    .find((path) => existsSync(path));
  if (binary === undefined) throw new Error(`${folder} has no Node binary.`);
  copyFileSync(binary, join(to, basename(binary)));
  const license = readdirSync(folder).find((file) => /^license/i.test(file));
  if (license !== undefined) copyFileSync(join(folder, license), join(to, 'LICENSE'));
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name: `${name}@${version}`, files: readdirSync(to) };
}

/** npm installs only the package of its own platform. Those of others are downloaded and compared with the lockfile. */
function fetchPackage(name, stage) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', `${name}@${version}`], {
    cwd: stage,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm pack ${name}@${version}: ${stderr}`);
  const tarball = join(stage, JSON.parse(stdout)[0].filename);
  const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (integrity !== `sha512-${hash}`) throw new Error(`${name}@${version} differs from package-lock.json.`);
  const { status: unpacked } = spawnSync('tar', ['-xzf', tarball, '-C', stage]);
  if (unpacked !== 0) throw new Error(`${tarball} cannot be unpacked.`);
  return join(stage, 'package');
}
