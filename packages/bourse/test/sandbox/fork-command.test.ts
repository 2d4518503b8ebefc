import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openSandbox } from './exchange.ts';

const main = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));

const bourse = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });

test('bourse fork takes a stopped exchange back to one of its records', async (context) => {
  const dir = makeDirectory(context);
  const first = await openSandbox(dir);
  const { seq } = await first.call('GET', '/');
  const faucet = { user: 'alice', currency: 'USDT', amount: '1' };
  for (let i = 0; i < 3; i++) await first.call('POST', '/faucet', faucet);
  assert.equal(bourse('fork', dir, '--at', String(seq + 1)).status, 4, 'somebody serves it');
  await first.close();
  const target = `${makeDirectory(context)}/forked`;
  const done = bourse('fork', dir, '--at', String(seq + 1), '--out', target, '--json');
  assert.equal(done.status, 0, done.stderr);
  assert.equal((JSON.parse(done.stdout) as { seq: number }).seq, seq + 1);
  const forked = await openSandbox(target);
  assert.deepEqual(await forked.call('POST', '/faucet', faucet), { balance: '1000002' }, 'one before it');
  await forked.close();
  assert.notEqual(bourse('fork', dir, '--at', '999999', '--out', `${target}2`).status, 0);
  assert.ok(!existsSync(`${target}2`));
  assert.notEqual(bourse('fork', dir, '--at', '1', '--out', target).status, 0, 'it is not empty');
  assert.equal(bourse('fork', dir, '--at', 'x').status, 2);
});
