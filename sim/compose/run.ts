/**
 * npm run sim -- compose [--dir DIR] [--port N] [--mirror URL]
 *
 * Builds and runs deploy/compose.yaml: makes Debian's base image with debootstrap, builds the images of deploy/ on
 * it, starts all services with podman-compose, waits for their health checks, sets up a venue from inside a node,
 * trades through the proxy, and replaces the leader with an empty container. Needs root, debootstrap, podman,
 * podman-compose, runc, netavark and aardvark-dns, Debian's mirror and the npm registry. The first run takes about
 * ten minutes; --dir keeps the images for the next one.
 */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/tree.mjs';
import { baseName, Podman, whyNot } from './podman.ts';
import { checkPorts, healthy, place, replaceLeader, type Running, SERVICES, setUp } from './scenario.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    port: { type: 'string', default: '8080' },
    mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
  },
});
const TARGETS = ['log', 'node', 'proxy'];

const startedAt = performance.now();
const printLine = (what: string): void =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${what}`);

/**
 * The files of the repository, copied: nothing is written into the checkout, and nothing else gets into the images.
 */
function copyTree(tree: string): void {
  rmSync(tree, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const name of listed.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    cpSync(join(root, name), join(tree, name));
  }
}

function makeCredentials(deploy: string): void {
  const credentials = join(deploy, 'credentials');
  execFileSync(join(deploy, 'make-credentials.sh'), [credentials, 'log-1', 'log-2', 'log-3']);
  for (const name of ['key', 'token'])
    writeFileSync(join(credentials, name), randomBytes(32).toString('hex'), { mode: 0o600 });
}

function build(podman: Podman, tree: string, project: string): void {
  const file = join(tree, 'deploy/images.containerfile');
  const suite = /^ARG SUITE=(\w+)$/m.exec(readFileSync(file, 'utf8'))![1]!;
  if (!podman.hasImage(baseName(suite))) podman.importBase(suite, values.mirror);
  printLine(`there is a base image of ${suite}`);
  for (const target of TARGETS) {
    const image = `bourse-${target}`;
    podman.run([
      'build',
      '--pull=never',
      '--network=host',
      '--target',
      target,
      '-t',
      image,
      '-f',
      file,
      tree,
    ]);
    for (const each of SERVICES.filter((name) => name.split('-')[0] === target))
      podman.run(['tag', image, `${project}_${each}`]);
    printLine(`image ${target} is built`);
  }
}

async function main(dir: string): Promise<void> {
  const podman = new Podman(dir);
  const tree = join(dir, 'tree');
  const running: Running = {
    podman,
    deploy: join(tree, 'deploy'),
    project: `bourse${process.pid}`,
    url: `http://127.0.0.1:${values.port}`,
  };
  const { deploy, project } = running;
  copyTree(tree);
  build(podman, tree, project);
  makeCredentials(deploy);
  const compose = join(deploy, 'compose.yaml');
  writeFileSync(compose, readFileSync(compose, 'utf8').replace('"8080:8080"', `"${values.port}:8080"`));
  try {
    podman.compose(deploy, project, 'up', '--no-build', '--detach');
    await healthy(running, SERVICES);
    printLine('all services are healthy');
    await checkPorts(running);
    printLine('only the port of the proxy is published, and no operator gets in through it');
    const client = await setUp(running);
    const id = await place(client, 'first');
    printLine(`the venue is set up, and order ${id} went through the proxy`);
    const replaced = await replaceLeader(running, client);
    printLine(`${replaced}, which led, was killed and replaced; nothing is lost, nothing is missing`);
  } catch (error) {
    for (const each of SERVICES) console.error(`${each}:\n${podman.lastWords(`${project}_${each}_1`)}`);
    throw error;
  } finally {
    podman.compose(deploy, project, 'down', '--volumes', '--timeout', '0');
    for (const each of SERVICES) podman.run(['untag', `${project}_${each}`, `${project}_${each}`]);
  }
}

const why = whyNot();
if (why !== null) {
  console.error(why);
  process.exitCode = 2;
} else {
  const dir = values.dir ?? mkdtempSync(join(tmpdir(), 'bourse-compose-'));
  try {
    await main(dir);
  } finally {
    if (values.dir === undefined) rmSync(dir, { recursive: true, force: true });
  }
}
