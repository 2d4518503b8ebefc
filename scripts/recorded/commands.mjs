// Runs commands of the documentation as a reader would: in a shell at the root of the repository, with a fresh sandbox.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadSettings } from '../../packages/bourse/src/config/load.ts';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';
import { root } from '../tree.mjs';

const DEFAULT_URL = 'http://127.0.0.1:8080';
const runMsMax = 120_000;

/** Whether this machine has the programs that the commands use. */
export const hasTools = () =>
  ['bash', 'curl', 'openssl'].every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

/** Returns the output of the last command. The sandbox runs in this process, because each endpoint starts one. */
export async function runCommands(commands) {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-docs-'));
  const flags = { data: join(dir, 'data'), port: '0', logLevel: 'silent', market: 'quiet' };
  const running = await startExchange(loadSettings({ flags, env: {} }).settings);
  try {
    const { baseUrl } = running.connection;
    const [last, ...before] = commands.toReversed();
    const quiet = before
      .toReversed()
      .map((each) => (/^\w+=\$\(/.test(each) ? each : `${each} > ${join(dir, 'out')}`));
    const script = [...quiet, last].join('\n').replaceAll(DEFAULT_URL, baseUrl);
    return await output('bash', ['-euo', 'pipefail', '-c', script], baseUrl);
  } finally {
    await running.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

export function output(program, args, baseUrl) {
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, BOURSE_URL: baseUrl };
  const child = spawn(program, args, {
    cwd: root,
    env,
    timeout: runMsMax,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${args.at(-1)}: exit code ${code}: ${err}`)),
    );
  });
}
