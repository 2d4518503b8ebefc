/** `kill -9` in the middle of approvals: every acknowledged approval holds, and the command takes effect once. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { addOperator, codeOf, Operator, withToken } from './exchange.ts';

const MAIN = new URL('../../bin/bourse.mjs', import.meta.url).pathname;

interface Started {
  readonly child: ChildProcess;
  readonly running: RunningExchange;
}

async function start(dir: string): Promise<Started> {
  const file = join(dir, '..', 'connection.json');
  rmSync(file, { force: true });
  const args = ['start', '--data', dir, '--config-out', file, '--port', '0', '--market', 'quiet'];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  for (let left = 6000; !existsSync(file); left--) {
    assert.ok(child.exitCode === null && left > 0, 'the sandbox started');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const connection = JSON.parse(readFileSync(file, 'utf8')) as RunningExchange['connection'];
  return { child, running: { connection } as RunningExchange };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

test('an approved command is executed once, no matter when the process is killed', async (t) => {
  const dir = join(makeDirectory(t), 'data');
  let { child, running } = await start(dir);
  t.after(() => kill(child));
  const root = () => new Operator(running);
  const tokens = [];
  for (const name of ['ann', 'bob', 'eve']) tokens.push((await addOperator(root(), name, 'support')).token);
  const rules = [{ call: 'add-user', approvals: 1, roles: ['support'] }];
  assert.equal((await root().post('/v1/policy', { rules, expiryMs: 3_600_000 })).status, 200);
  for (let round = 0; round < ofSize(1, 8); round++) {
    const name = `user-${round}`;
    const { body } = await root().post('/v1/users', { name });
    const { proposalId, hash } = body as { proposalId: string; hash: string };
    const statuses: number[] = [];
    const approve = (token: string) =>
      withToken(running, token).post(`/v1/proposals/${proposalId}/approve`, { hash });
    const attempts = tokens.map((token) =>
      approve(token).then(
        ({ status }) => void statuses.push(status),
        // The connection was lost, so the result is unknown.
        () => undefined,
      ),
    );
    // After the first answer, or in the middle of the work.
    if (round % 2 === 0) await Promise.race(attempts);
    else await new Promise((resolve) => setTimeout(resolve, 2 * round));
    await kill(child);
    await Promise.all(attempts);
    ({ child, running } = await start(dir));
    const carriedOut = statuses.filter((status) => status === 200).length;
    assert.ok(carriedOut <= 1, `${carriedOut} approvals carried it out`);
    const users = async () =>
      ((await root().get('/v1/users')).body as { name: string }[]).filter((each) => each.name === name)
        .length;
    const { status } = (await root().get(`/v1/proposals/${proposalId}`)).body as { status: string };
    assert.equal(await users(), status === 'approved' ? 1 : 0, status);
    if (carriedOut === 1) assert.equal(status, 'approved', 'what was answered holds');
    // The next approval executes a command that was not executed before, and none twice.
    const late = await approve(tokens[0]!);
    if (status === 'open') assert.equal(late.status, 200);
    else assert.equal(codeOf(late)[0], 409);
    assert.equal(await users(), 1);
  }
});
