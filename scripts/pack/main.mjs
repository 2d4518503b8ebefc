// npm run pack [-- --to FOLDER] [--platforms linux-x64,darwin-arm64]: builds the published packages as tarballs in dist/
// or FOLDER. @bourse/testing includes Node for this machine's platform, or for the ones named. Node strips no types below
// node_modules, so the packages contain JavaScript.

import '../require-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../tree.mjs';
import { buildPackage } from './build.mjs';
import { OWN_PLATFORM, PLATFORMS } from './node-binary.mjs';
import { PACKAGES } from './packages.mjs';
import { hasPython, packPython } from './python.mjs';

/**
 * @param {string} folder for the tarballs
 * @param {readonly string[]} platforms whose Node is included
 * @returns {string[]} their paths
 */
export function packAll(folder, platforms = [OWN_PLATFORM]) {
  return packWithOrigins(folder, platforms).map(({ tarball }) => tarball);
}

/**
 * The same, with the origin of each file.
 *
 * @returns {{ tarball: string, origins: Map<string, string> }[]}
 */
export function packWithOrigins(folder, platforms) {
  buildPages();
  const to = resolve(folder);
  mkdirSync(to, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), 'bourse-pack-'));
  try {
    return PACKAGES.map((each) => {
      const built = join(stage, each.folder);
      const origins = buildPackage(each, built, platforms);
      return { tarball: join(to, pack(built, to)), origins };
    });
  } finally {
    rmSync(stage, { recursive: true });
  }
}

function buildPages() {
  const script = join(root, 'scripts/build-web.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm run build:web: ${stderr}`);
}

/** @returns {string} the name of the tarball */
function pack(folder, to) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack: ${stderr}`);
  const [{ filename }] = JSON.parse(stdout);
  return filename;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: join(root, 'dist') },
      platforms: { type: 'string', default: PLATFORMS.includes(OWN_PLATFORM) ? OWN_PLATFORM : '' },
    },
  });
  const platforms = values.platforms.split(',').filter(Boolean);
  for (const tarball of packAll(values.to, platforms)) console.log(tarball);
  if (hasPython()) for (const path of packPython(values.to)) console.log(path);
  else console.log('The wheel of bourse-testing was skipped: python3 is not installed.');
}
