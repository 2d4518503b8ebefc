// npm run build:web: builds the terminal and the console into packages/web/dist, with compressed copies of the files and
// the licenses of bundled packages. Does nothing if the folder was built from the same sources. The folder is renamed into
// place when it is complete, because a running exchange may read it at any time, and several processes may build it
// concurrently.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { listFiles, root } from './tree.mjs';
import { writeLicenses } from './web-licenses.mjs';

const web = join(root, 'packages/web');
const built = join(web, 'dist');
/** Has the hash of the sources. The name begins with a dot, so that the exchange does not serve it. */
const stamp = join(built, '.sources');
const unfinished = join(web, 'node_modules/.pages-unfinished');
const lock = join(web, 'node_modules/.pages-lock');

const SOURCES =
  /^(?:packages\/(?:web|client)\/(?!test\/)|docs\/|[A-Z_]+\.md$|scripts\/site\/|(?:package-lock|tsconfig\.base)\.json$|scripts\/(?:build-web|web-licenses)\.mjs$)/;
const COMPRESSIBLE = /\.(?:css|html|js|json|svg|txt)$/;
/** Smaller files fit into one packet uncompressed. */
const COMPRESSED_BYTES_MIN = 1024;
const LOOK_MS = 100;
/** An older lock belongs to a process that was killed. */
const LOCK_MS_MAX = 120_000;

/** @returns {Promise<boolean>} false if the pages were up to date */
export async function buildWeb() {
  const sources = await hashSources();
  if (await isBuiltFrom(sources)) return false;
  await mkdir(join(web, 'node_modules'), { recursive: true });
  await takeLock();
  try {
    if (await isBuiltFrom(sources)) return false;
    // Imported here, because an install without development dependencies has no vite.
    const { build } = await import('vite');
    await build({
      root: web,
      logLevel: 'warn',
      plugins: [writeLicenses()],
      build: { outDir: unfinished, emptyOutDir: true },
    });
    const { buildSite } = await import('./site/site.mjs');
    await buildSite(unfinished);
    await compressAll();
    await writeFile(join(unfinished, '.sources'), sources);
    await rm(built, { recursive: true, force: true });
    await rename(unfinished, built);
    return true;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rm(lock, { recursive: true, force: true });
  }
}

async function hashSources() {
  const hash = createHash('sha256');
  for (const path of listFiles().filter((name) => SOURCES.test(name))) {
    hash.update(`${path}\n`).update(await readFile(join(root, path)));
  }
  return hash.digest('hex');
}

async function isBuiltFrom(sources) {
  return (await readFile(stamp, 'utf8').catch(() => '')) === sources;
}

async function takeLock() {
  for (;;) {
    try {
      await mkdir(lock);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const { mtimeMs = Date.now() } = await stat(lock).catch(() => ({}));
    if (Date.now() - mtimeMs > LOCK_MS_MAX) await rm(lock, { recursive: true, force: true });
    else await sleep(LOOK_MS);
  }
}

async function compressAll() {
  const entries = await readdir(unfinished, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))));
}

async function compress(path) {
  const plain = await readFile(path);
  if (plain.length < COMPRESSED_BYTES_MIN) return;
  // The best quality takes seconds, too long for pages of the documentation, which are requested rarely.
  const quality = path.includes('/docs/') ? 5 : constants.BROTLI_MAX_QUALITY;
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    [constants.BROTLI_PARAM_QUALITY]: quality,
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(plain, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }));
}

if (process.argv[1] === import.meta.filename) {
  console.log((await buildWeb()) ? `built: ${built}` : `up to date: ${built}`);
}
