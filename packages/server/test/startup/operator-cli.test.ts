// `bourse operators`: every call of operators has a command.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { type NewOperator, openFor } from './exchange.ts';

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname;

function bourse(
  { connection }: RunningExchange,
  args: readonly string[],
  token: string = connection.operatorToken,
): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, BOURSE_URL: connection.operatorUrl, BOURSE_OPERATOR_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece));
  child.stderr.on('data', (piece: Buffer) => (out += piece));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

const BECAUSE = ['--reason', 'a test'];

test('operators come and go on the command line, and root is closed', async (t) => {
  const running = await openFor(t);
  const made = async (...args: string[]): Promise<NewOperator> => {
    const { code, out } = await bourse(running, ['operators', ...args, ...BECAUSE, '--json']);
    assert.equal(code, 0, out);
    return JSON.parse(out) as NewOperator;
  };
  const ann = await made('add', 'ann', '--roles', 'admin,finance');
  const bob = await made('add', 'bob', '--roles', 'viewer');
  assert.deepEqual((await made('roles', bob.id, '--roles', 'support')).roles, ['support']);
  const { token } = await made('token', bob.id);
  assert.match((await bourse(running, ['operators', 'whoami'], token)).out, /change-user/);
  assert.match((await bourse(running, ['operators', 'whoami'], bob.token)).out, /token-wrong/);
  await made('remove', bob.id);
  const { out } = await bourse(running, ['operators', 'list']);
  assert.ok(out.includes('ann') && !out.includes('bob'), out);
  await made('close-root');
  const refused = await bourse(running, ['users', 'list']);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /Root is closed.*\(role\)/);
  assert.equal((await bourse(running, ['users', 'list'], ann.token)).code, 0);
});
