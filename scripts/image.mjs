// npm run image [-- --base IMAGE] [--tag NAME]: builds deploy/bourse.containerfile with docker or podman, from the package that
// `npm run pack` makes. `--base scratch` uses no base image: Node's libraries are copied from this machine.

import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packAll } from './pack/main.mjs';
import { OWN_PLATFORM } from './pack/node-binary.mjs';
import { root } from './tree.mjs';

const CONTAINERFILE = join(root, 'deploy/bourse.containerfile');
const HOME = 'root/opt/bourse';
/** CA certificates for TLS connections, such as those to a log server or a mail server. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Fills the folder `context` with the files that the Containerfile copies.
 *
 * @param {string} installed the folder of an installed @bourse/testing, with its Node
 * @param {string} context
 * @param {boolean} hasBase whether there is a base image that has Node's libraries
 */
export function stageImage(installed, context, hasBase) {
  const home = join(context, HOME);
  mkdirSync(join(context, 'data'), { recursive: true });
  mkdirSync(join(home, 'bin'), { recursive: true });
  cpSync(installed, home, { recursive: true, dereference: true });
  const packed = join(home, 'exchange/bourse/node');
  // Not renamed: `cpSync` keeps links inside the folder, and a test installs Node as one.
  copyFileSync(join(packed, OWN_PLATFORM, 'node'), join(home, 'bin/node'));
  rmSync(packed, { recursive: true });
  chmodSync(join(home, 'bin/node'), 0o755);
  // Without a shell: the kernel starts Node for `docker exec NAME bourse ...`.
  const command = "#!/opt/bourse/bin/node\nimport '../exchange/bourse/bin/bourse.mjs';\n";
  writeFileSync(join(home, 'bin/bourse'), command, { mode: 0o755 });
  if (!hasBase) copyLibraries(join(home, 'bin/node'), join(context, 'root'));
}

function copyLibraries(binary, to) {
  const listed = run('ldd', [binary]);
  // The loader is listed without `=>`, alone on its line.
  const libraries = Array.from(listed.matchAll(/(?:=> |^\t)(\/\S+)/gm), ([, path]) => path);
  // Not linked: glibc loads these by name to resolve host names.
  const resolvers = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'].map((name) =>
    join(dirname(libraries.find((path) => path.endsWith('/libc.so.6')) ?? '/lib/libc.so.6'), name),
  );
  for (const path of [...libraries, ...resolvers, CERTIFICATES].filter((each) => existsSync(each))) {
    mkdirSync(join(to, dirname(path)), { recursive: true });
    copyFileSync(path, join(to, path));
  }
  mkdirSync(join(to, 'etc'), { recursive: true });
  writeFileSync(join(to, 'etc/passwd'), 'bourse:x:10001:10001::/data:/sbin/nologin\n');
  writeFileSync(join(to, 'etc/group'), 'bourse:x:10001:\n');
  writeFileSync(join(to, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  mkdirSync(join(to, 'tmp'));
  chmodSync(join(to, 'tmp'), 0o1777);
}

/**
 * Arguments of `podman build` and `docker build`.
 *
 * @param {string} tool docker or podman
 * @param {{ base: string | undefined, tag: string, context: string }} options
 */
export function buildArguments(tool, { base, tag, context }) {
  return [
    'build',
    // The OCI format has no health check.
    ...(tool === 'podman' ? ['--format', 'docker'] : []),
    ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]),
    '--tag',
    tag,
    '--file',
    CONTAINERFILE,
    context,
  ];
}

/** @returns {string | undefined} */
function findTool() {
  return ['docker', 'podman'].find((tool) => spawnSync(tool, ['info']).status === 0);
}

function run(command, args, stdio = 'pipe') {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', stdio });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr ?? `status ${status}`}`);
}

function main() {
  const { values } = parseArgs({
    options: { base: { type: 'string' }, tag: { type: 'string', default: 'bourse' } },
  });
  if (process.platform !== 'linux') {
    console.error(`The image has this machine's Node, which is for ${process.platform}. Build it on Linux.`);
    process.exit(2);
  }
  const tool = findTool();
  if (tool === undefined) {
    console.error('Neither docker nor podman runs here. Install one of them: `apt-get install podman`.');
    process.exit(2);
  }
  const stage = mkdtempSync(join(tmpdir(), 'bourse-image-'));
  try {
    const tarball = packAll(stage).find((path) => path.includes('testing'));
    run('tar', ['-xzf', tarball, '-C', stage]);
    const context = join(stage, 'context');
    stageImage(join(stage, 'package'), context, values.base !== 'scratch');
    run(tool, buildArguments(tool, { base: values.base, tag: values.tag, context }), 'inherit');
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  console.log(`${values.tag} is built. Run it: ${tool} run --read-only -p 8080:8080 ${values.tag}`);
}

if (process.argv[1] === import.meta.filename) main();
