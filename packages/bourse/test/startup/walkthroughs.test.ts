/**
 * The walkthrough pages: their shell blocks run unchanged, one after another, and print what the page shows. A block
 * `sh first-terminal` starts an exchange that keeps running; before `sh stopped` all exchanges are stopped. Ids and
 * times differ from run to run and are not compared.
 */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { inLongRunOnly } from '@bourse/test-kit/run-size.ts';

const root = join(import.meta.dirname, '../../../..');
const BOURSE = `'${process.execPath}' '${join(root, 'packages/bourse/bin/bourse.mjs')}'`;
const TIMEOUT_MS = 240_000;
/** It waits a minute for its auction. */
const DAY_TIMEOUT_MS = 720_000;

const isMissing = ['bash', 'curl', 'openssl'].some(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
);
const skip = isMissing && 'no bash, curl or openssl here';

interface Block {
  readonly kind: string;
  readonly text: string;
}

const blocksOf = (page: string): Block[] =>
  Array.from(page.matchAll(/^```(\S+(?: \S+)?)\n(.*?)^```/gms), ([, kind, text]) => ({
    kind: kind!,
    text: text!,
  }));

/** Without ids and times, which are new in each run. Columns keep their order, but not their widths. */
const comparable = (text: string): string =>
  text
    .replaceAll(/\bbourse\/[0-9a-f]{16}\b/g, 'ORIGIN')
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{13}\b/g, 'TIME')
    .replaceAll(/ +/g, ' ')
    .trim();

/** Of a simulated market the page shows the figures of one version of the agents. */
const withoutFigures = (text: string): string => comparable(text).replaceAll(/\d+(\.\d+)?/g, 'N');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The running exchanges, and a shell that executes the blocks of a page. */
class Walk {
  readonly #dir: string;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #stops: (() => Promise<void>)[] = [];
  /** Sets the variables and functions that earlier blocks have made. */
  #before = '';

  constructor(dir: string, ports: ReadonlyMap<string, number>) {
    this.#dir = dir;
    this.#ports = ports;
  }

  #here(text: string): string {
    let here = text
      .replaceAll('node_modules/.bin/bourse', BOURSE)
      .replaceAll('examples/', `${root}/examples/`);
    for (const [shown, port] of this.#ports) here = here.replaceAll(shown, String(port));
    return here;
  }

  get #env(): NodeJS.ProcessEnv {
    const port = this.#ports.get('8080')!;
    const url = `http://127.0.0.1:${port}`;
    return { ...process.env, BOURSE_PORT: String(port), BOURSE_URL: url };
  }

  async start(text: string): Promise<void> {
    const operators = String(this.#ports.get('8081'));
    const child = spawn('bash', ['-c', `exec ${this.#here(text)}`], {
      cwd: this.#dir,
      env: { ...this.#env, ...(text.includes('--venue') && { BOURSE_OPERATOR_LISTEN: operators }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    this.#stops.push(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    let said = '';
    for await (const chunk of child.stdout) {
      said += chunk;
      if (said.includes('Stop with Ctrl-C.')) break;
    }
    assert.match(said, /Stop with Ctrl-C\./, `it did not start:\n${text}`);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }

  /** Returns the output of the block. */
  async run(text: string): Promise<string> {
    const file = `${this.#dir}/.state`;
    const script = `set -e\n${this.#before}${this.#here(text)}\n{ declare -p; declare -f; } > ${file}\n`;
    const child = spawn('bash', ['-c', script], { cwd: this.#dir, env: this.#env });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0, `${text}\n${out}\n${err}`);
    // Variables that bash itself keeps cannot be set, and need not be.
    this.#before = `source ${file} 2> /dev/null || true\n`;
    return out;
  }
}

async function walk(context: TestContext, path: string, show: (text: string) => string): Promise<void> {
  const ports = new Map([
    ['8080', await freePort()],
    ['8081', await freePort()],
  ]);
  const way = new Walk(makeDirectory(context), ports);
  context.after(() => way.stop());
  const blocks = blocksOf(readFileSync(join(root, path), 'utf8'));
  let compared = 0;
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind === 'sh first-terminal') {
      await way.start(text);
      continue;
    }
    if (!kind.startsWith('sh')) continue;
    if (kind === 'sh stopped') await way.stop();
    const printed = await way.run(text);
    const next = blocks[at + 1];
    if (next === undefined || next.kind.startsWith('sh')) continue;
    assert.equal(show(printed), show(next.text), `${path}, after\n${text}`);
    compared++;
  }
  assert.ok(compared >= 4, `${path}: only ${compared} answers were compared`);
}

test(
  'docs/operating/venue-day.md from its first command to its last',
  {
    skip: skip || inLongRunOnly,
    timeout: DAY_TIMEOUT_MS,
  },
  (context) => walk(context, 'docs/operating/venue-day.md', comparable),
);

for (const [page, show] of [
  ['docs/operating/venue.md', comparable],
  ['docs/teaching.md', withoutFigures],
] as const) {
  test(`${page} from its first command to its last`, { skip, timeout: TIMEOUT_MS }, (context) =>
    walk(context, page, show),
  );
}
