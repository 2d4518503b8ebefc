/**
 * Finds a suitable `nats-server`: the binary named by NATS_SERVER, the one on the path, or Debian's package, which is
 * downloaded once and unpacked into the project's cache, not installed.
 */

import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Older versions acknowledge before they sync, or lose acknowledged messages. */
const VERSION_MIN = [2, 12, 3] as const;

const root = dirname(dirname(import.meta.dirname));
const CACHE = join(root, 'node_modules', '.cache', 'nats-server');
const CACHED = join(CACHE, 'nats-server');
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const DEBIAN = 'http://deb.debian.org/debian';
/** The Debian suite with a recent enough version. Its binary is static, so it runs on older systems too. */
const SUITE = 'sid';

const run = promisify(execFile);

/** No binary was found and none can be downloaded; the message says what to do. */
export class NoNatsServer extends Error {
  override readonly name = 'NoNatsServer';
}

/** The path of the binary. Throws NoNatsServer. */
export async function findNatsServer(): Promise<string> {
  const named = process.env['NATS_SERVER'];
  if (named !== undefined) {
    const why = unfit(named);
    if (why === null) return named;
    throw new NoNatsServer(`NATS_SERVER: ${named} ${why}. ${WHAT_TO_DO}`);
  }
  for (const path of ['nats-server', CACHED]) if (unfit(path) === null) return path;
  await fetchFromDebian();
  return CACHED;
}

const WHAT_TO_DO =
  `Install nats-server ${VERSION_MIN.join('.')} or newer from https://nats.io/download and put it on the path, ` +
  'or name it with NATS_SERVER=/path/to/nats-server.';

/** Why this binary cannot be used, or null if it can. */
function unfit(path: string): string | null {
  const { status, stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  if (error || status !== 0) return 'cannot be run';
  const found = /v?(\d+)\.(\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number);
  if (found === undefined) return 'does not say which version it is';
  return isOld(found)
    ? `is version ${found.join('.')}, and at least ${VERSION_MIN.join('.')} is needed`
    : null;
}

function isOld(version: readonly number[]): boolean {
  const at = VERSION_MIN.findIndex((wanted, i) => version[i] !== wanted);
  return at >= 0 && version[at] < VERSION_MIN[at];
}

/** Uses its own directory for lists and packages, so that the machine's apt state does not change. */
async function fetchFromDebian(): Promise<void> {
  if (!existsSync('/usr/bin/apt-get') || !existsSync(KEYRING)) {
    throw new NoNatsServer(
      `No nats-server was found, and this is not a Debian system that could fetch one. ${WHAT_TO_DO}`,
    );
  }
  mkdirSync(CACHE, { recursive: true });
  const dir = mkdtempSync(join(CACHE, 'fetch-'));
  try {
    for (const each of ['state/lists/partial', 'cache/archives/partial'])
      mkdirSync(join(dir, each), { recursive: true });
    writeFileSync(join(dir, 'sources.list'), `deb [signed-by=${KEYRING}] ${debianMirror()} ${SUITE} main\n`);
    await run('apt-get', [...aptOptions(dir), 'update'], { cwd: dir });
    await run('apt-get', [...aptOptions(dir), 'download', 'nats-server'], { cwd: dir });
    const [archive] = readdirSync(dir).filter((name) => name.endsWith('.deb'));
    await run('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: dir });
    const binary = join(dir, 'unpacked', 'usr', 'sbin', 'nats-server');
    const why = unfit(binary);
    if (why !== null) throw new Error(`the package's binary ${why}`);
    // Rename atomically, because several processes may download it concurrently.
    renameSync(binary, CACHED);
  } catch (error) {
    const [why] = (error as Error).message.split('\n');
    throw new NoNatsServer(
      `No nats-server was found, and Debian's could not be fetched (${why}). ${WHAT_TO_DO}`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function aptOptions(dir: string): string[] {
  const options = {
    'Dir::State': join(dir, 'state'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(dir, 'cache'),
    'Dir::Etc::sourcelist': join(dir, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  return ['-q', ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
}

/** The mirror that this machine uses for its own packages. */
function debianMirror(): string {
  const folder = '/etc/apt/sources.list.d';
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  for (const file of ['/etc/apt/sources.list', ...files]) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const found = /^(?:URIs:|deb(?: \[[^\]]*\])?)\s+(https?:\/\/\S+\/debian)\/?(?:\s|$)/m.exec(text);
    if (found) return found[1];
  }
  return DEBIAN;
}
