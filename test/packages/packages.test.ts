// The published packages, installed from their tarballs: on the machine's own Node, on ours, and in a page.

import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { root } from '../../scripts/tree.mjs';
import { buildImage, runContainer, whyNoContainer, whyNoImage } from './image.ts';
import { addSocketPackage, environmentOf, findOldNode, install, otherNodes } from './installed.ts';
import {
  dyingProgram,
  faultTest,
  nodeProgram,
  pageProgram,
  socketlessProgram,
  typedKitProgram,
  typedProgram,
} from './programs.ts';

const DEADLINE_MS = 120_000;
/** A third of the size of a checkout of the repository with its dependencies. */
const INSTALLED_BYTES_MAX = 173e6;

const { folder, said, remove } = install();
after(remove);
const linked = readdirSync(join(folder, 'node_modules/.bin'));
const bytes = sizeOf(join(folder, 'node_modules'));
addSocketPackage(folder);
const oldNode = findOldNode();
const nodes = [...(oldNode === null ? [] : [oldNode]), ...otherNodes(), process.execPath];

let starts = 0;

interface Served {
  readonly url: string;
  /** The process id of the exchange itself. */
  readonly pid: number;
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts `bourse start` by a command line that ends with it, in its own environment. */
async function serve(context: TestContext, node: string, command: readonly string[]): Promise<Served> {
  starts += 1;
  const data = join(folder, `data-${starts}`);
  const connection = join(folder, `connection-${starts}.json`);
  const args = [
    ...command.slice(1),
    'start',
    '--market',
    'quiet',
    '--port',
    '0',
    '--data',
    data,
    '--config-out',
    connection,
  ];
  const child = spawn(command[0]!, args, {
    cwd: folder,
    env: environmentOf(node, folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  await until(
    () => existsSync(connection) || child.exitCode !== null,
    () => errors,
  );
  assert.equal(child.exitCode, null, errors);
  const { baseUrl: url } = JSON.parse(readFileSync(connection, 'utf8')) as { baseUrl: string };
  const pid = await leafOf(child.pid!);
  context.after(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { url, pid, ended, kill: (signal) => void child.kill(signal) };
}

async function until(isSo: () => boolean, why: () => string): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  while (!isSo()) {
    assert.ok(Date.now() < end, why());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** npm starts a shell, which starts the exchange, and an older Node starts ours. Returns the last process. */
async function leafOf(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=']);
  const children = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
      .map(([child, parent]) => [parent, child]),
  );
  let leaf = pid;
  for (let next = children.get(leaf); next !== undefined; next = children.get(leaf)) leaf = next;
  return leaf;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function runProgram(node: string, name: string, text: string, url: string): Promise<string> {
  writeFileSync(join(folder, name), text);
  const options = { cwd: folder, env: environmentOf(node, folder), timeout: DEADLINE_MS };
  return (await promisify(execFile)(node, [name, url], options)).stdout.trim();
}

/** Includes Node, even if it is a link. */
function sizeOf(place: string): number {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.parentPath.split('/').at(-1) !== '.bin')
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe('contents of the packages', () => {
  const filesOf = (name: string): string[] =>
    readdirSync(join(folder, 'node_modules', name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name: file }) => file);

  test('JavaScript and declarations of the exports, and no TypeScript, which Node refuses there', () => {
    for (const name of ['@bourse/testing/dist', '@bourse/testing/client', '@bourse/client']) {
      const odd = filesOf(name).filter(
        (file) => !/\.(js|js\.map|mjs|json|d\.ts)$|^(LICENSE|README\.md|CHANGELOG\.md)$/.test(file),
      );
      assert.deepEqual(odd, [], name);
      assert.ok(filesOf(name).includes('index.d.ts'), name);
    }
    const parts = readdirSync(join(folder, 'node_modules/@bourse/testing/exchange')).filter(
      (part) => part !== 'web',
    );
    assert.ok(parts.includes('engine'));
    const served = parts.flatMap((part) => filesOf(`@bourse/testing/exchange/${part}/src`));
    assert.deepEqual(
      served.filter((file) => !/\.(m?js|json)$/.test(file)),
      [],
    );
    const pages = filesOf('@bourse/testing/exchange/web/dist');
    assert.ok(pages.includes('index.html'));
    assert.deepEqual(
      pages.filter((file) => !/\.(html|js|json|css|svg|png|woff2|txt)(\.br|\.gz)?$/.test(file)),
      [],
    );
  });

  test('npm needs no registry and prints no warning; the project gets one command and no other Node', () => {
    assert.doesNotMatch(said, /EBADENGINE|deprecated/);
    assert.deepEqual(linked, ['bourse']);
  });

  test('each README belongs to its package and links to nothing outside', () => {
    for (const name of ['@bourse/testing', '@bourse/client']) {
      const inside = join(folder, 'node_modules', name);
      const text = readFileSync(join(inside, 'README.md'), 'utf8');
      assert.ok(text.startsWith(`# ${name}\n`), name);
      const links = Array.from(text.matchAll(/\]\(([^)#]+)\)/g), ([, target]) => target!);
      for (const target of links.filter((each) => !/^https?:/.test(each)))
        assert.ok(existsSync(join(inside, target)), `${name}: ${target}`);
    }
  });

  test(`at most ${INSTALLED_BYTES_MAX / 1e6} MB`, () => {
    assert.ok(bytes <= INSTALLED_BYTES_MAX, `${bytes} bytes`);
  });

  const compile = (file: string, text: string, flags: string): void => {
    writeFileSync(join(folder, file), text);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = `--strict --noEmit --target es2023 ${flags}`.split(' ');
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, file], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  };

  test('a compiler finds the types of the client', () => {
    for (const flags of ['--module nodenext', '--module esnext --moduleResolution bundler'])
      compile('typed.ts', typedProgram, `--types ${flags} --lib es2023,dom`);
  });

  test('a compiler finds the types of the test kit, which need Node', () => {
    const types = join(root, 'node_modules/@types');
    compile(
      'typed-kit.ts',
      typedKitProgram,
      `--module nodenext --skipLibCheck --types node --typeRoots ${types}`,
    );
  });
});

for (const node of nodes) {
  const { stdout: version } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  test(`Node ${version.trim()}: node_modules/.bin/bourse start, an order by the client, and SIGTERM stops it`, async (t) => {
    const { url, pid, kill } = await serve(t, node, [join(folder, 'node_modules/.bin/bourse')]);
    assert.equal(await runProgram(node, 'trade.js', nodeProgram, url), `traded on ${version.trim()}`);
    const socketless = await runProgram(node, 'socketless.js', socketlessProgram, url);
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const script = /<script [^>]*src="([^"]+)"/.exec(page)?.[1];
    assert.equal((await fetch(url + script)).status, 200, page);
    if (version.startsWith('v20.')) assert.match(socketless, /Install the package ws/);
    else assert.equal(socketless, 'subscribed');
    kill('SIGTERM');
    await until(
      () => !isAlive(pid),
      () => 'it goes on as an orphan',
    );
  });
}

test('the code of each README runs', async (t) => {
  const codeOf = (name: string): string =>
    /```js\n(.*?)```/s.exec(readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8'))![1]!;
  const { url } = await serve(t, process.execPath, [join(folder, 'node_modules/.bin/bourse')]);
  const bot = codeOf('@bourse/client').replace('http://127.0.0.1:8080', url);
  assert.equal(await runProgram(process.execPath, 'readme-client.js', bot, url), 'true');
  writeFileSync(join(folder, 'readme.test.js'), codeOf('@bourse/testing'));
  const options = { cwd: folder, env: environmentOf(process.execPath, folder), timeout: DEADLINE_MS };
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'readme.test.js'], options);
  assert.match(stdout, /(#|ℹ) pass 1/);
});

test('the image: not root, a read-only root, healthy, and SIGTERM ends it without losing an order', async (t) => {
  const reason = whyNoImage();
  if (reason !== null) return t.skip(reason);
  const image = buildImage(join(folder, 'node_modules/@bourse/testing'));
  t.after(() => image.remove());
  const refusal = whyNoContainer(image);
  if (refusal !== null) return t.diagnostic(refusal);
  const { podman } = image;
  const first = await runContainer(image, '--volume', 'image-data:/data');
  await until(
    () => podman.isHealthy(first.id),
    () => podman.lastWords(first.id),
  );
  assert.equal(podman.run(['inspect', '--format', '{{.Config.User}}', first.id]).trim(), '10001:10001');
  const uid = ['exec', first.id, 'node', '-p', 'process.getuid()'];
  assert.equal(podman.run(uid).trim(), '10001');
  const write = "try { require('fs').writeFileSync('/opt/x', '') } catch ({ code }) { console.log(code) }";
  assert.match(podman.run(['exec', first.id, 'node', '-e', write]), /^(EROFS|EACCES)$/m);
  assert.match(podman.run(['exec', first.id, 'bourse', '--version']), /\d+\.\d+\.\d+/);
  assert.match(await runProgram(process.execPath, 'trade.js', nodeProgram, first.url), /^traded on/);
  podman.run(['stop', '--time', '60', first.id]);
  assert.equal(podman.run(['inspect', '--format', '{{.State.ExitCode}}', first.id]).trim(), '0');
  const second = await runContainer(image, '--volume', 'image-data:/data');
  await until(
    () => podman.isHealthy(second.id),
    () => podman.lastWords(second.id),
  );
  assert.match(podman.run(['logs', second.id]), /[1-9]\d* records, recovered/);
  return t.diagnostic(`${Math.round(image.bytes / 1e6)} MB`);
});

describe('an older Node starts the installed one', {
  skip: oldNode === null && 'no older Node is installed',
}, () => {
  const command = [
    oldNode ?? '',
    join(folder, 'node_modules/@bourse/testing/exchange/bourse/bin/bourse.mjs'),
  ];

  test('forwards signals, and has its exit code', async (t) => {
    const { pid, ended, kill } = await serve(t, oldNode!, command);
    kill('SIGTERM');
    assert.equal(await ended, 0);
    assert.ok(!isAlive(pid));
    const { status, stderr } = spawnSync(command[0]!, [command[1]!, 'strat'], { encoding: 'utf8' });
    assert.deepEqual([status, /Did you mean start\?/.test(stderr)], [2, true]);
  });

  test('does not outlive it', async (t) => {
    const { pid, kill } = await serve(t, oldNode!, command);
    kill('SIGKILL');
    await until(
      () => !isAlive(pid),
      () => 'it goes on as an orphan',
    );
  });
});

for (const node of nodes) {
  const { stdout: version } = spawnSync(node, ['--version'], { encoding: 'utf8' });

  test(`Node ${version.trim()}: a test with a fault, and a wrong option is refused`, async () => {
    writeFileSync(join(folder, 'fault.test.js'), faultTest);
    // Options of a test runner are for its own Node; an exchange that it starts must not get them.
    const env = { ...environmentOf(node, folder), NODE_OPTIONS: '--no-warnings' };
    const options = { cwd: folder, env, timeout: DEADLINE_MS };
    const { stdout } = await promisify(execFile)(node, ['--test', 'fault.test.js'], options);
    assert.match(stdout, /(#|ℹ) pass 2/);
  });

  test(`Node ${version.trim()}: a test process that is killed leaves no exchange behind`, async () => {
    const temporary = join(folder, `temporary-${version.trim()}`);
    mkdirSync(temporary);
    const env = { ...environmentOf(node, folder), TMPDIR: temporary };
    writeFileSync(join(folder, 'dying.js'), dyingProgram);
    const { stdout } = spawnSync(node, ['dying.js', node === oldNode ? 'SIGKILL' : 'exit'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: DEADLINE_MS,
    });
    const kept = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('bourse-testing-'));
    await until(
      () => kept().length === 0,
      () => `${kept()} is left`,
    );
    await assert.rejects(fetch(stdout.trim()), `${stdout} still answers`);
  });
}

test('a bundle for pages is complete, and trades with a browser’s APIs alone', async (t) => {
  writeFileSync(join(folder, 'page.js'), pageProgram);
  const bundle = await rolldown({ input: join(folder, 'page.js'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'page' });
  await bundle.close();
  assert.deepEqual(output[0].imports, []);
  assert.equal(output.length, 1);
  const { url } = await serve(t, process.execPath, ['npx', 'bourse']);
  // This context has nothing of Node: no process, no Buffer, no require.
  const globals = {
    fetch,
    WebSocket,
    crypto,
    TextEncoder,
    URL,
    URLSearchParams,
    AbortSignal,
    AbortController,
    btoa,
  };
  const context = createContext({
    ...globals,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    performance,
  });
  runInContext(output[0].code, context);
  assert.equal(await runInContext(`page.run(${JSON.stringify(url)})`, context), true);
});
