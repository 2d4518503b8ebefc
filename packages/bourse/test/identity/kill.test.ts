/**
 * `kill -9` in the middle of sign-ins with one code: every acknowledged sign-in holds, and the code takes effect once.
 */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { appCode, IdentitySandbox, type SignedInAs } from '@bourse/test-kit/identity.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const MAIN = new URL('../../bin/bourse.mjs', import.meta.url).pathname;

async function start(
  dir: string,
): Promise<{ readonly child: ChildProcess; readonly sandbox: IdentitySandbox }> {
  const file = join(dir, '..', `${dir.split('/').at(-1)}.json`);
  rmSync(file, { force: true });
  const settings = ['--port', '0', '--market', 'quiet', '--clock', 'manual'];
  const args = ['start', '--data', dir, '--config-out', file, ...settings];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  while (!existsSync(file)) {
    assert.equal(child.exitCode, null, 'the sandbox started');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const connection = JSON.parse(readFileSync(file, 'utf8')) as RunningExchange['connection'];
  rmSync(file);
  return { child, sandbox: new IdentitySandbox({ connection } as RunningExchange) };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

test('a code signs in once, no matter when the process is killed', async (t) => {
  const dir = join(makeDirectory(t), 'data');
  let { child, sandbox } = await start(dir);
  t.after(() => kill(child));
  const me = await sandbox.signUp();
  const { secret } = (await sandbox.post('/totp', {}, me)).json;
  const time = await sandbox.now();
  await sandbox.post('/totp/confirm', { code: appCode(secret, time) }, me);
  for (let round = 0; round < ofSize(1, 6); round++) {
    await sandbox.advance(30_000);
    const totp = appCode(secret, await sandbox.now());
    const answered: SignedInAs[] = [];
    const attempts = Array.from({ length: 4 }, () =>
      sandbox.signIn({ totp }).then(
        ({ status, json }) => status === 201 && answered.push(json),
        // The connection was lost, so the result is unknown.
        () => undefined,
      ),
    );
    // After the first answer, or in the middle of the work.
    if (round % 2 === 0) await Promise.race(attempts);
    else await new Promise((resolve) => setTimeout(resolve, 20 * round));
    await kill(child);
    await Promise.all(attempts);
    ({ child, sandbox } = await start(dir));
    assert.ok(answered.length <= 1, `${answered.length} sign-ins with one code`);
    for (const each of answered)
      assert.equal((await sandbox.get('/session', each)).status, 200, 'what was answered holds');
    const late = await sandbox.signIn({ totp });
    if (answered.length > 0) assert.equal(late.status, 401, 'the code is used');
    const after = late.status === 201 ? late.json : answered[0];
    if (after) {
      const { json } = await sandbox.get('/sessions', after);
      const opened = (json as unknown as readonly { created: number }[]).filter(
        ({ created }) => created > time + round * 30_000,
      );
      assert.equal(opened.length, 1, 'one session of this code');
    }
  }
});
