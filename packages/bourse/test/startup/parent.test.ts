/**
 * The exchange stops with npm, unless it was detached on purpose, and keeps running without a shell; with real
 * processes.
 */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

const BIN = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const DEADLINE_MS = 60_000;
/** Several times as long as the process takes to notice that its parent has ended. */
const NOT_NOTICED_MS = 2500;

interface Started {
  readonly starter: ChildProcess;
  /** Of the exchange itself. */
  readonly pid: number;
  readonly errors: () => string;
}

const quote = (text: string): string => `'${text}'`;
const bourse = [process.execPath, BIN].map(quote).join(' ');

/** Runs a shell line in which EXCHANGE is replaced by the start of an exchange, and waits until that is ready. */
async function startBy(context: TestContext, line: string, npm: 'npm' | 'no npm'): Promise<Started> {
  const dir = makeDirectory(context);
  const connection = `${dir}/connection.json`;
  const start = `${bourse} start --port 0 --market quiet --data ${quote(`${dir}/data`)} --config-out ${quote(connection)}`;
  const starter = spawn('sh', ['-c', line.replace('EXCHANGE', start).replaceAll('DIR', quote(dir))], {
    cwd: ROOT,
    env: environment(npm),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  starter.stderr.on('data', (chunk) => (errors += chunk));
  await until(
    () => existsSync(connection) && existsSync(`${dir}/pid`),
    () => `not ready: ${errors}`,
  );
  const pid = Number(readFileSync(`${dir}/pid`, 'utf8'));
  context.after(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { starter, pid, errors: () => errors };
}

/** npm sets variables in the environment. */
function environment(npm: 'npm' | 'no npm'): NodeJS.ProcessEnv {
  const { npm_command: _, ...others } = process.env;
  return npm === 'npm' ? { ...others, npm_command: 'exec' } : others;
}

async function until(isSo: () => boolean, why: () => string): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  while (!isSo()) {
    assert.ok(Date.now() < end, why());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A shell that does not exec its last command, because another one follows. */
const KEPT = 'EXCHANGE & echo $! > DIR/pid; wait; true';

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`the exchange stops cleanly when ${signal} ends the npm shell that started it`, async (t) => {
    const { starter, pid, errors } = await startBy(t, KEPT, 'npm');
    starter.kill(signal);
    await once(starter, 'exit');
    await until(
      () => !isAlive(pid),
      () => 'it goes on as an orphan',
    );
    await until(
      () => /is gone, so it stops/.test(errors()) && /^stopping/m.test(errors()),
      () => `said: ${errors()}`,
    );
  });
}

test('the exchange stops cleanly even if its output pipes were closed with the starter', async (t) => {
  const dir = makeDirectory(t);
  const program = `const { spawn } = require('node:child_process');
    const { pid, stdout } = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
    stdout.on('data', () => console.log(pid));
    setInterval(() => undefined, 1000);`;
  const start = [BIN, 'start', '--port', '0', '--market', 'quiet', '--json', '--data', `${dir}/data`];
  const starter = spawn(process.execPath, ['-e', program, '--', ...start], {
    env: environment('npm'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(starter.stdout, 'data')) as [Buffer];
  const pid = Number.parseInt(String(said), 10);
  t.after(() => isAlive(pid) && process.kill(pid, 'SIGKILL'));
  starter.kill('SIGKILL');
  await until(
    () => !isAlive(pid),
    () => 'it goes on as an orphan',
  );
  // The last step of a clean stop; an interrupted stop would not have written it yet.
  assert.equal(readdirSync(`${dir}/data/snapshots`).length, 1);
});

test('an exchange that leads its own process group was detached on purpose, and keeps running', async (t) => {
  const program = `const { spawn } = require('node:child_process');
    const [, ...command] = process.argv;
    const { pid } = spawn(command[0], command.slice(1), { detached: true, stdio: 'ignore' });
    require('node:fs').writeFileSync(DIR + '/pid', String(pid));
    setInterval(() => undefined, 1000);`;
  const line = `exec ${quote(process.execPath)} -e "${program.replace('DIR', 'process.env.HERE')}" -- EXCHANGE`;
  const { starter, pid } = await startBy(t, `export HERE=DIR; ${line}`, 'npm');
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  await new Promise((resolve) => setTimeout(resolve, NOT_NOTICED_MS));
  assert.ok(isAlive(pid), 'it stopped');
  process.kill(pid, 'SIGTERM');
  await until(
    () => !isAlive(pid),
    () => 'it did not stop',
  );
});

/** The shell is there while the exchange starts, as in a terminal. */
const UNTIL_READY = 'until [ -s DIR/connection.json ]; do sleep 0.1; done';

for (const command of ['EXCHANGE', 'nohup EXCHANGE > DIR/out 2>&1']) {
  test(`${command} & keeps running after its shell has ended, even after a SIGHUP`, async (t) => {
    const { starter, pid } = await startBy(t, `${command} & echo $! > DIR/pid; ${UNTIL_READY}`, 'no npm');
    if (starter.exitCode === null) await once(starter, 'exit');
    process.kill(pid, 'SIGHUP');
    await new Promise((resolve) => setTimeout(resolve, NOT_NOTICED_MS));
    assert.ok(isAlive(pid), 'it stopped');
    process.kill(pid, 'SIGTERM');
    await until(
      () => !isAlive(pid),
      () => 'it did not stop',
    );
  });
}
